"""`contextful job`: check the jobs that are declared, and fire one."""

from __future__ import annotations

import importlib.util
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated

import typer

from contextful.faces import manifest, profile
from contextful.faces.cli.carry import carried
from contextful.faces.cli.options import HERE, Folder, Json, Now, world
from contextful.faces.cli.progress import watching
from contextful.faces.cli.shown import counted
from contextful.faces.cli.token import presented
from contextful.kernel import instant
from contextful.kernel.failure import Failed, Failure, said
from contextful.pipeline import compile
from contextful.pipeline.spec import JobSpec
from contextful.run.site import Site
from contextful.runner.bodies import BODIES
from contextful.runner.job import Fired, admit_effects
from contextful.runner.sweep import Ran
from contextful_contract.shapes import FailureTag, JobKind

app = typer.Typer(help="Check the jobs that are declared, and fire one.", no_args_is_help=True)
BODIES_FILE = "bodies.py"
BodiesFile = Annotated[
    Path | None,
    typer.Option(
        "--bodies",
        help=f"The Python file that registers bodies; {BODIES_FILE} in the project's folder.",
        dir_okay=False,
    ),
]


@app.command()
def validate(project: Folder = HERE, bodies: BodiesFile = None) -> None:
    """Read the jobs of contextful.toml, and see that the body of each is registered."""
    spec = manifest.read(project)
    register(project, bodies)
    for job in spec.jobs:
        _bound(job)
    typer.echo(f"{project / manifest.MANIFEST}: {counted(len(spec.jobs), 'job')}, no faults")


@app.command()
def fire(
    name: Annotated[str, typer.Argument(help="The job's name.")],
    project: Folder = HERE,
    bodies: BodiesFile = None,
    run_id: Annotated[str | None, typer.Option(help="The id of this fire; drawn where it is not given.")] = None,
    site_id: Annotated[str | None, typer.Option(help="The site that writes, in place of the declared one.")] = None,
    public_key: Annotated[
        Path | None,
        typer.Option(help="Read as the credential in CONTEXTFUL_TOKEN may, which this issuer signed.", dir_okay=False),
    ] = None,
    audience: Annotated[str, typer.Option(help="Whom that credential is made out to.")] = "",
    now: Now = None,
    as_json: Json = False,
) -> None:
    """Run a job's body over every row of its statement, and land what it emits; of a sweep, once an origin.

    A fire that was killed is taken up where it stood, once its lease of 30 s has lapsed: nothing is paid for twice.
    """
    register(project, bodies)
    grants = None if public_key is None else presented(public_key, audience, project, now).grants
    site = None if site_id is None else Site(site_id)
    with (
        watching() as observer,
        profile.Project.open(project, world=world(now), observer=observer, site=site) as opened,
        carried(opened.carrying()),
    ):
        fired = opened.fire(
            name, run_id, grants=grants, told=lambda ran: typer.echo(f"{name}: {of_an_origin(ran)}", err=True)
        )
    typer.echo(json.dumps(_facts(fired)) if as_json else sentence(fired))


def register(folder: Path, bodies: Path | None) -> None:
    """Run the file that registers bodies, if there is one."""
    path = bodies or folder / BODIES_FILE
    if bodies is None and not path.exists():
        return
    spec = importlib.util.spec_from_file_location("contextful_bodies", path)
    assert spec is not None, "a file that ends in .py is a module"
    assert spec.loader is not None, "and has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where the digest of a body's code finds its source
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise Failed(
            Failure(FailureTag.CONFIG, f"{path} cannot be loaded: {type(error).__name__}: {said(error)}")
        ) from error


def sentence(fired: Fired) -> str:
    """What a fire that succeeded came to."""
    landed, given = counted(fired.rows, "row"), counted(fired.input_rows, "input row")
    return f"{fired.job}: {fired.run_id} success · {landed} landed from {given}"  ##= surface.fire.result-line


def of_an_origin(ran: Ran) -> str:
    """What an origin of a sweep came to."""
    landed = counted(sum(success.rows for success in ran.landed), "row")
    return f"{ran.run_id} {instant.spell(ran.origin_ms)} · {landed} landed from {counted(ran.input_rows, 'input row')}"


def _bound(job: JobSpec) -> None:
    if job.kind is JobKind.STORE_DRIVEN and job.body:
        admit_effects(compile.job(job), BODIES.body(job.body, job=job.name))


def _facts(fired: Fired) -> dict[str, object]:
    tables: dict[str, int] = {}
    for success in fired.landed:  # one a table, and a sweep's one an origin
        tables[success.table] = tables.get(success.table, 0) + success.rows
    return {"job": fired.job, "run_id": fired.run_id, "input_rows": fired.input_rows, "tables": tables}
