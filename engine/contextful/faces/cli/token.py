"""`contextful token`: an issuer's keys, and the credentials that it makes out (authority.issue)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from contextful.authority import issue
from contextful.authority.credential import Credential, to_claims
from contextful.faces import embedded
from contextful.faces.cli.options import HERE, Folder, Now, extra, world
from contextful.faces.cli.serve import read
from contextful.kernel import instant
from contextful.kernel.failure import Failed, Failure
from contextful_contract.shapes import FailureTag, GrantAction

app = typer.Typer(help="An issuer's keys, and the credentials that it makes out.", no_args_is_help=True)
TOKEN = "CONTEXTFUL_TOKEN"
PRIVATE_MODE = 0o600

Audience = Annotated[str, typer.Option(help="The face that the credential is made out to.")]


def _span(text: str) -> int:
    ms = instant.span_ms(text)
    if not ms:
        raise typer.BadParameter(f'{text!r} is no length of time such as "90s", "15m" or "24h"')
    return ms


@app.command()
def keygen(
    out: Annotated[Path, typer.Option(help="Where the private key goes; the public one beside it, as NAME.pub.")],
) -> None:
    """Make an issuer's key, which nobody else may read, and its public half, which faces are given."""
    with extra("serve"):
        from contextful.adapters import jose

    public = out.with_name(f"{out.name}.pub")
    private_pem, public_pem = jose.keys()
    for path, pem in ((out, private_pem), (public, public_pem)):
        try:
            with open(path, "xb", opener=lambda name, flags: os.open(name, flags, PRIVATE_MODE)) as file:
                file.write(pem)
        except OSError as error:
            raise Failed(Failure(FailureTag.CONFIG, f"{path} cannot be written: {error.strerror}")) from None
    typer.echo(f"{out}: the private key; {public}: the public one")


@app.command()
def mint(
    key: Annotated[Path, typer.Option(help="The issuer's private key.", dir_okay=False)],
    audience: Audience,
    action: Annotated[list[GrantAction] | None, typer.Option(help="What it may do; again for more.")] = None,
    table: Annotated[list[str] | None, typer.Option(help="A table, or a prefix and *; again for more.")] = None,
    pipeline: Annotated[list[str] | None, typer.Option(help="A pipeline, or a prefix and *; again for more.")] = None,
    max_rows: Annotated[int | None, typer.Option(min=1, help="The most rows that one read may answer.")] = None,
    unmasked: Annotated[
        list[str] | None, typer.Option(help="A class of masked columns that it reads as they are; again for more.")
    ] = None,
    on_behalf_of: Annotated[
        str | None, typer.Option(help="Whom it acts for, such as user://dana@acme.example.")
    ] = None,
    ttl: Annotated[int, typer.Option(parser=_span, metavar="SPAN", help="How long it lives; 24h at most.")] = "1h",  # type: ignore[assignment]
    holder: Annotated[
        Path | None, typer.Option(help="The holder's public key: each request then takes a proof by its private half.")
    ] = None,
    now: Now = None,
) -> None:
    """Make out a credential, and print its token."""
    with extra("serve"):
        from contextful.adapters import jose

    clock = world(now)
    issued = issue.issue(
        id=f"credential-{clock.draw(64):016x}",
        audience=audience,
        now_ms=clock.now_ms(),
        ttl_ms=ttl,
        actions=action or (),
        tables=table or (),
        pipelines=pipeline or (),
        max_rows=max_rows,
        unmasked=unmasked or (),
        on_behalf_of=on_behalf_of,
        holder=None if holder is None else jose.holder(jose.public_key(read(holder), path=str(holder))),
    )
    if issued.expires_ms - issued.issued_ms < ttl:
        typer.echo(f"it lives until {instant.spell(issued.expires_ms)}, as long as one may", err=True)
    typer.echo(jose.sign(issued, jose.private_key(read(key), path=str(key))))


@app.command()
def verify(
    public_key: Annotated[Path, typer.Option("--public-key", help="The issuer's public key.", dir_okay=False)],
    audience: Audience,
    project: Folder = HERE,
    now: Now = None,
) -> None:
    """Say what the credential in CONTEXTFUL_TOKEN allows, where it stands; its claims as JSON."""
    typer.echo(json.dumps(to_claims(presented(public_key, audience, project, now)), indent=1))


@app.command()
def revoke(
    credential: Annotated[str, typer.Argument(help="The credential's id: `jti` among its claims.")],
    project: Folder = HERE,
    now: Now = None,
) -> None:
    """Admit a credential no more, however long it had still to live."""
    with embedded.Engine.at(project, world=world(now)) as engine:
        engine.revoke(credential)
    typer.echo(f"{credential}: revoked")


def presented(public_key: Path, audience: str, project: Path, now: int | None) -> Credential:
    """The credential that the terminal presents, as a face would admit it."""

    key, token = read(public_key), os.environ.get(TOKEN)
    if not token:
        raise Failed(Failure(FailureTag.CONFIG, f"{TOKEN} is not set"))
    with embedded.Engine.at(project, world=world(now)) as engine:
        with extra("serve"):
            gate = engine.gate(key, audience=audience, path=str(public_key))
        return gate.open(token)  ##= authority.verify.presentation
