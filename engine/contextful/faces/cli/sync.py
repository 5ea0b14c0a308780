"""`contextful sync`: a project's store and its bucket."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from contextful.faces import profile, unpushed
from contextful.faces.carrying import Carrying
from contextful.faces.cli.carry import tell
from contextful.faces.cli.options import HERE, Folder, Json, Now, world
from contextful.faces.cli.shown import counted
from contextful.faces.config import CONFIG
from contextful.kernel.failure import Failed, Failure
from contextful.kernel.shape import to_json
from contextful.runner.push import Mended
from contextful.store import push as push_
from contextful_contract.shapes import FailureTag

app = typer.Typer(help="Carry a project's store to its bucket, and from it.", no_args_is_help=True)


@app.command()
def push(
    project: Folder = HERE,
    verify: Annotated[
        bool, typer.Option("--verify", help="Look at every object, too, and send anew what is not as it was sent.")
    ] = False,
    now: Now = None,
    as_json: Json = False,
) -> None:
    """Send to the bucket what this node has committed, and the bucket lacks."""
    with profile.Project.open(project, world=world(now)) as opened:
        carrying = _carrying(opened)
        carried = carrying.push()
        mended = carrying.mended() if verify else Mended((), ())
    tell(carried)
    for key in mended.sent:
        typer.echo(f"{key}: sent anew", err=True)
    _tell(carried.pushed.generation, carried.pushed.objects + len(mended.sent), "sent", as_json=as_json)
    if mended.missing:
        said = f"not as the bucket lists them, and not here: {', '.join(mended.missing)}"
        raise Failed(Failure(FailureTag.STORAGE, said))


@app.command()
def pull(project: Folder = HERE, now: Now = None, as_json: Json = False) -> None:
    """Take in what other nodes have committed, and this one lacks."""
    with profile.Project.open(project, world=world(now)) as opened:
        pulled = _carrying(opened).pull()
    _tell(pulled.generation, pulled.objects, "taken in", as_json=as_json)


@app.command()
def status(
    project: Folder = HERE,
    whole: Annotated[bool, typer.Option("--all", help="List all of them, and not only 20 of a kind.")] = False,
) -> None:
    """Say which runs no push has carried yet, as JSON; leave with 3 while one of them could be.

    Runs are marked under a storage profile; without one their record is on the disk that their rows are on.
    """
    told, code = unpushed.status(project, whole=whole)
    typer.echo(json.dumps(to_json(told), indent=1))
    raise typer.Exit(code)


@app.command()
def manifest(project: Folder = HERE) -> None:
    """Print what the bucket lists."""
    with profile.Project.open(project) as opened:
        typer.echo(push_.to_json(_carrying(opened).manifest()), nl=False)


def _carrying(project: profile.Project) -> Carrying:
    found = project.carrying()
    if found is None:
        said = f"the project's {CONFIG} has no [sync] that names a bucket"
        raise Failed(Failure(FailureTag.CONFIG, said))
    return found


def _tell(generation: int, objects: int, done: str, *, as_json: bool) -> None:
    told = {"generation": generation, "objects": objects}
    typer.echo(json.dumps(told) if as_json else f"generation {generation}: {counted(objects, 'object')} {done}")
