"""`contextful console`: a folder's runs in a browser, for whoever owns the folder."""

from __future__ import annotations

from typing import Annotated

import typer

from contextful.authority import issue
from contextful.faces.cli.options import HERE, Folder, Now, extra, world
from contextful.faces.cli.serve import listen, opened
from contextful_contract import limits
from contextful_contract.shapes import GrantAction

LOOPBACK = "127.0.0.1"
AUDIENCE = "contextful console"
OWNER = "local://owner"
EVERYTHING = ("*",)


def console(
    project: Folder = HERE,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 takes one that is free.")] = 0,
    read_only: Annotated[bool, typer.Option("--read-only", help="Show runs, and change none.")] = False,
    now: Now = None,
) -> None:
    """Show a folder's runs in a browser on this machine, at an address that is good for an hour."""
    with extra("serve"):
        from contextful.adapters import jose

    clock = world(now)
    private_pem, public_pem = jose.keys()
    changes = () if read_only else (GrantAction.EXECUTE, GrantAction.ADMIN)
    credential = issue.issue(
        id=f"credential-{clock.draw(64):016x}",
        audience=AUDIENCE,
        now_ms=clock.now_ms(),
        ttl_ms=limits.BEARER_LIFETIME_MS,
        actions=(GrantAction.READ, *changes),
        tables=EVERYTHING,
        pipelines=EVERYTHING,
        on_behalf_of=OWNER,
    )
    token = jose.sign(credential, jose.private_key(private_pem, path="the console's key"))
    with opened(project, now) as served:
        listen(served.served(public_pem, audience=AUDIENCE), LOOPBACK, port, lambda at: f"open {at}/#token={token}")
