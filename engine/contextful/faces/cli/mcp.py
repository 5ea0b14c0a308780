"""`contextful mcp`: the face for agents, over standard input and output."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextful.faces import profile
from contextful.faces.cli.options import HERE, Folder, Now, extra
from contextful.faces.cli.serve import opened, read
from contextful.kernel.failure import Failed, Failure
from contextful_contract.shapes import FailureTag

if TYPE_CHECKING:
    from contextful.faces.mcp import Credentials

TOKEN = "CONTEXTFUL_TOKEN"


def mcp(
    project: Folder = HERE,
    public_key: Annotated[
        Path | None,
        typer.Option("--public-key", help="The key that the credential's issuer signs with.", dir_okay=False),
    ] = None,
    audience: Annotated[str | None, typer.Option(help="Whom that credential has to be made out to.")] = None,
    now: Now = None,
) -> None:
    """Let an agent read a folder's runs and tables, over MCP on standard input and output.

    It only reads, all that there is. With a credential in CONTEXTFUL_TOKEN it reads what that covers, and may stop,
    answer and rewind as far as that allows.
    """
    with extra("mcp"):
        from contextful.faces.mcp import Agents

    with opened(project, now) as at:
        engine = at.engine if isinstance(at, profile.Project) else at
        reads = at.reads if isinstance(at, profile.Project) else None
        Agents(engine, reads=reads, credential=_credential(engine, public_key, audience)).server().run("stdio")


def _credential(engine: profile.Engine, public_key: Path | None, audience: str | None) -> Credentials | None:
    """The credential in the environment, admitted whenever it is asked for; none, where nothing speaks of any."""
    token = os.environ.get(TOKEN)
    if token is None and public_key is None and audience is None:
        return None
    if not token or public_key is None or audience is None:
        said = f"a credential takes all three: {TOKEN}, --public-key and --audience"
        raise Failed(Failure(FailureTag.CONFIG, said))
    with extra("serve"):
        gate = engine.gate(read(public_key), audience=audience, path=str(public_key))
    gate.bearer(token)  # refused here, before an agent is told of tools that it has not
    return lambda: gate.bearer(token)
