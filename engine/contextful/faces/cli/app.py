"""The commands."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated

import typer

from contextful.faces.cli import (
    console,
    context,
    history,
    job,
    mcp,
    pipelines,
    query,
    scaffold,
    serve,
    storage,
    sync,
    token,
    watch,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"contextful {_installed()}")
        raise typer.Exit


def _installed() -> str:
    try:
        return metadata.version("contextful")
    except metadata.PackageNotFoundError:
        return "from a checkout that is not installed"


app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def contextful(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version, and leave.")
    ] = False,
) -> None:
    """Durable runs: what was paid for once is not paid for again."""


app.command("init")(scaffold.init)
app.add_typer(pipelines.app, name="pipeline")
app.add_typer(job.app, name="job")
history.app.command("start")(pipelines.run)
history.app.command("watch")(watch.watch)
app.add_typer(history.app, name="run")
app.command("query")(query.query)
app.command("serve")(serve.serve)
app.command("console")(console.console)
app.command("mcp")(mcp.mcp)
app.add_typer(context.app, name="context")
app.add_typer(storage.app, name="storage")
app.add_typer(sync.app, name="sync")
app.add_typer(token.app, name="token")
