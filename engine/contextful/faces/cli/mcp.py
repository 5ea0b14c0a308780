"""`contextful mcp`: a project's runs and tables, for an agent that speaks the Model Context Protocol."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from contextful.faces import profile
from contextful.faces.cli import serve
from contextful.faces.cli.options import HERE, Folder, Now, extra
from contextful.kernel.failure import Failed, Failure
from contextful_contract.shapes import FailureTag

TOKEN = "CONTEXTFUL_TOKEN"


def mcp(
    project: Folder = HERE,
    public_key: Annotated[
        Path | None,
        typer.Option(help=f"The issuer's public key: the agent may do what the credential in {TOKEN} grants."),
    ] = None,
    audience: Annotated[str | None, typer.Option(help="Whom that credential is made out to.")] = None,
    now: Now = None,
) -> None:
    """Serve runs and tables to an agent, over standard input and output. Without a credential it may only read."""
    with extra("mcp"):
        from contextful.faces.mcp import Tools

    with serve.current(project, now) as opened:
        engine, tables = (opened.engine, opened) if isinstance(opened, profile.Project) else (opened, None)
        if public_key is None:
            Tools(engine, lambda: None, tables).server().run("stdio")
            return
        if audience is None or not os.environ.get(TOKEN):
            raise Failed(Failure(FailureTag.CONFIG, f"--public-key goes with --audience and the variable {TOKEN}"))
        gate = engine.gate(serve.read(public_key), audience=audience, path=str(public_key))

        token = os.environ[TOKEN]
        Tools(engine, lambda: gate.bearer(token), tables).server().run("stdio")  # asked each time: it may be revoked
