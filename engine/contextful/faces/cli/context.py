"""`contextful context`: what an operator may do about a project's store."""

from __future__ import annotations

from typing import Annotated

import typer

from contextful.faces import profile
from contextful.faces.cli.options import HERE, Folder, Now, world
from contextful.faces.cli.shown import counted

app = typer.Typer(help="What an operator may do about a project's store.", no_args_is_help=True)


@app.command()
def compact(
    table: Annotated[str | None, typer.Argument(help="The table; without one, every table that is due.")] = None,
    project: Folder = HERE,
    now: Now = None,
) -> None:
    """Write a table's many runs into one snapshot. Reads return what they did; runs folded 7 days ago go."""
    with profile.Project.open(project, world=world(now)) as opened:
        compacted = opened.compact(table)
    for name, done in compacted.items():
        folded = (
            ""
            if done.snapshot is None
            else f"{counted(sum(part.rows for part in done.snapshot.parts), 'row')} in {done.snapshot.snapshot_id}"
        )
        gone = f"{counted(done.collected, 'run')} collected" if done.collected else ""
        typer.echo(f"{name}: {', '.join(filter(None, [folded, gone]))}")
    if not compacted:
        typer.echo("nothing is due", err=True)


@app.command("rebuild-catalog")
def rebuild_catalog(project: Folder = HERE) -> None:
    """Bring the local catalog up to what the store has on record: its history of runs."""
    with profile.Project.open(project) as opened:
        restored = opened.engine.restore_history()
    typer.echo(f"{counted(restored, 'row')} of history restored")
