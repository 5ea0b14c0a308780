"""`contextful storage`: what executions are kept in, made ready and looked at (run.journal.storage)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from contextful.faces import manifest, stores
from contextful.faces.cli.options import HERE, Folder, Json
from contextful.kernel.failure import Failed, Failure
from contextful.run.journal.storage import EMBEDDED
from contextful_contract.shapes import FailureTag

app = typer.Typer(help="What executions are kept in.", no_args_is_help=True)
Name = Annotated[str, typer.Option(help="The project whose executions it keeps; the one that the folder declares.")]


@app.command()
def initialize(project: Folder = HERE, name: Name = "", as_json: Json = False) -> None:
    """Make a new database ready, and leave any other as it is. Once is enough."""
    profile, name = stores.chosen(), name or manifest.name(project)
    _tell(profile, stores.initialize(profile, project, name), name, as_json=as_json)


@app.command()
def check(project: Folder = HERE, name: Name = "", as_json: Json = False) -> None:
    """Say whether executions may run, and why they may not. Nothing is made."""
    profile, name = stores.chosen(), name or manifest.name(project)
    _tell(profile, stores.check(profile, project, name), name, as_json=as_json)


@app.command()
def worker(
    out: Annotated[Path, typer.Option(help="The folder that they go to.", file_okay=False)],
) -> None:
    """Write the Worker that the profile cloudflare-d1 needs, and how wrangler deploys it."""
    from contextful.adapters.d1 import DEPLOYED

    try:
        out.mkdir(parents=True, exist_ok=True)
        for file in DEPLOYED:
            with (out / file.name).open("xb") as copy:
                copy.write(file.read_bytes())
            typer.echo(out / file.name)
    except OSError as error:
        raise Failed(Failure(FailureTag.CONFIG, f"{error.filename} cannot be written: {error.strerror}")) from None


def _tell(profile: str | None, place: stores.Place, name: str, *, as_json: bool) -> None:
    told = {"profile": profile or EMBEDDED, "place": place.name, "project": name, "parts": place.parts}
    typer.echo(json.dumps(told, indent=1) if as_json else f"{told['profile']}: {place.name} is ready")
