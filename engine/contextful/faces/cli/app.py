"""The commands."""

from __future__ import annotations

import typer

from contextful.faces.cli import history, pipelines, query, scaffold

app = typer.Typer(
    help="Durable runs: what was paid for once is not paid for again.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("init")(scaffold.init)
app.add_typer(pipelines.app, name="pipeline")
app.add_typer(history.app, name="run")
app.command("query")(query.query)
