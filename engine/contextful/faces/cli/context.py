"""`contextful context`: what an operator may do about a project's store."""

from __future__ import annotations

import typer

from contextful.faces import profile
from contextful.faces.cli.options import HERE, Folder
from contextful.faces.cli.shown import counted

app = typer.Typer(help="What an operator may do about a project's store.", no_args_is_help=True)


@app.callback()
def context() -> None:
    """A group, though it has one command."""


@app.command("rebuild-catalog")
def rebuild_catalog(project: Folder = HERE) -> None:
    """Bring the local catalog up to what the store has on record: its history of runs."""
    with profile.Project.open(project) as opened:
        restored = opened.engine.restore_history()
    typer.echo(f"{counted(restored, 'row')} of history restored")
