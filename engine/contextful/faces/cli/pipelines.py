"""`contextful pipeline`: check what is declared, and run it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from contextful.errors import ExecutionRewindUnsafe
from contextful.faces import manifest, profile
from contextful.faces.cli.carry import carried, kept
from contextful.faces.cli.options import HERE, Folder, Json, Now, world
from contextful.faces.cli.progress import watching
from contextful.faces.cli.shown import counted
from contextful.kernel import instant
from contextful.kernel.shape import to_json
from contextful.pipeline import sketch
from contextful.ports.world import Child, ChildOutcome
from contextful.run.backfill import Chunk, Status
from contextful.run.site import Site
from contextful.runner.backfill import Busy, Worked
from contextful.runner.land import Canceled, Outcome, Success, Waiting
from contextful.runner.schedule import Unit
from contextful.surface import apply as apply_
from contextful.surface import dispatch

app = typer.Typer(help="Check what is declared, and run it.", no_args_is_help=True)


@app.command()
def validate(project: Folder = HERE, as_json: Json = False) -> None:
    """Read contextful.toml whole, and name every fault with its line and column."""
    spec = manifest.read(project)
    ids = [pipeline.id for pipeline in spec.pipelines]
    if as_json:
        typer.echo(json.dumps({"project": spec.name, "pipelines": ids}))
        return
    typer.echo(f"{project / manifest.MANIFEST}: {counted(len(ids), 'pipeline')}, no faults")


@app.command()
def schema() -> None:
    """Print the JSON Schema of contextful.toml, for an editor to check and complete one by."""
    typer.echo(json.dumps(sketch.schema(), indent=2))


@app.command()
def plan(project: Folder = HERE, as_json: Json = False) -> None:
    """Show what an apply would change, and change nothing."""
    with profile.Project.open(project) as opened:
        draft = opened.draft()
    planned = apply_.planned(draft)
    if as_json:
        typer.echo(json.dumps({"version": draft.base, "pipelines": [asdict(each) for each in planned]}))
        return
    for each in planned:
        typer.echo(f"{each.pipeline_id}: {each.change}")


@app.command()
def apply(project: Folder = HERE) -> None:
    """Claim what is declared as the project's next version, if it is sound and says something new."""
    try:
        opening = profile.Project.open(project)
    except ExceptionGroup as faults:
        raise apply_.validated(faults) from None
    with opening as opened:
        draft = opened.draft()
        applied = opened.apply(draft)
    for each in apply_.planned(draft) if applied.version != draft.base else ():
        typer.echo(f"{each.pipeline_id}: {each.change}")
    typer.echo(f"version {applied.version}" if applied.version != draft.base else f"unchanged: version {draft.base}")
    for refusal in applied.refused:
        typer.echo(left(refusal), err=True)


def left(refusal: ExecutionRewindUnsafe) -> str:
    """What is said of work that an apply could not retire."""
    pending = refusal.execution_id
    return f"{pending} is still pending, for {refusal.blocker}: then contextful run rewind {pending} --reason TEXT"


@app.command()
def run(
    pipeline: Annotated[str, typer.Argument(help="The pipeline's id.")],
    project: Folder = HERE,
    run_id: Annotated[str | None, typer.Option(help="The id of this attempt; drawn where it is not given.")] = None,
    site_id: Annotated[str | None, typer.Option(help="The site that writes, in place of the declared one.")] = None,
    site_id_env: Annotated[str | None, typer.Option(help="The variable that holds the site's id.")] = None,
    now: Now = None,
    as_json: Json = False,
) -> None:
    """Land everything that the source has from the committed position on, or nothing.

    A run that was killed is taken up where it stood, once its lease of 30 s has lapsed: what it recorded is not
    asked for again.
    """
    site = Site(site_id, site_id_env) if site_id or site_id_env else None
    outcomes: list[Outcome] = []
    try:
        with (
            watching() as observer,
            profile.Project.open(project, world=world(now), observer=observer, site=site) as opened,
            carried(opened.carrying()),
        ):
            opened.run(pipeline, run_id, told=outcomes.append)
    finally:
        _print(outcomes, as_json=as_json)
    _leave(outcomes)


@app.command()
def backfill(
    pipeline: Annotated[str, typer.Argument(help="The pipeline's id.")],
    project: Folder = HERE,
    units: Annotated[int | None, typer.Option(min=1, max=64, help="How many chunks at a time.")] = None,
    now: Now = None,
    as_json: Json = False,
) -> None:
    """Land the chunks of the pipeline's history that are pending. The first that fails halts it.

    Started again it goes on with what is left. A chunk whose process was killed is free after its lease of 5 min.
    """

    answers = sys.stdout  # which is no place for anything else while a run is watched

    def told(worked: Worked) -> None:
        if not as_json:
            typer.echo(f"{_chunk(worked.chunk)}: {_came_to(worked)}", file=answers)

    with (
        watching() as observer,
        profile.Project.open(project, world=world(now), observer=observer) as opened,
    ):
        worked = opened.backfill(pipeline).run(units=units, told=told)
        chunks = opened.backfill(pipeline).chunks()
    if as_json:
        typer.echo(json.dumps([_chunk_facts(each) for each in chunks]))
    else:
        left = sum(chunk.status is Status.PENDING for chunk in chunks)
        typer.echo(f"{len(chunks) - left} of {counted(len(chunks), 'chunk')} done")
    _leave([each.outcome for each in worked])


@app.command()
def seed(
    pipeline: Annotated[str, typer.Argument(help="The pipeline's id.")],
    project: Folder = HERE,
    now: Now = None,
    as_json: Json = False,
) -> None:
    """Land what the pipeline's tables begin with, each whole and once, from the source that its seed declares."""
    outcomes: list[Outcome] = []
    try:
        with watching() as observer, profile.Project.open(project, world=world(now), observer=observer) as opened:
            opened.seed(pipeline, told=outcomes.append)
    finally:
        _print(outcomes, as_json=as_json)
    if not outcomes:
        typer.echo(f"the tables of {pipeline} have been seeded before", err=True)
    _leave(outcomes)


@app.command()
def rewind(
    pipeline: Annotated[str, typer.Argument(help="The pipeline's id.")],
    window: Annotated[str, typer.Option(help="From where and up to where, as in '[0, 10)'.")],
    reason: Annotated[str, typer.Option(help="Why, for the record.")],
    project: Folder = HERE,
) -> None:
    """Send every chunk that the window overlaps back to pending, for the next backfill to read again.

    What was landed of it before stays: a table with a key reads the newest row of each, one without reads both.
    """
    with profile.Project.open(project) as opened:
        rewound = opened.backfill(pipeline).rewind(window, reason=reason)
    for chunk in rewound:
        typer.echo(f"{_chunk(chunk)}: pending")
    if not rewound:
        typer.echo(f"no chunk overlaps {window}")


@app.command()
def serve(
    project: Folder = HERE,
    cycle: Annotated[bool, typer.Option("--cycle", help="Fire what is due now, wait for it, and leave.")] = False,
) -> None:
    """Fire each pipeline and job as its schedule says, and wake a run that waits at the first beat after its instant.

    Each runs in a process of its own, up to 4 at once, and never beside itself. Stopping this one stops them.
    """
    machine = world(None)

    def start(unit: Unit, ended: Callable[[], None]) -> Child:
        command = [sys.executable, "-m", "contextful", *unit.command, "--project", str(project)]
        typer.echo(f"{unit.key}: fired at {instant.spell(machine.now_ms())}", err=True)
        return machine.child(command, b"", ended)

    def told(key: str, outcome: ChildOutcome) -> None:
        said = (outcome.output + outcome.errors).decode(errors="replace").strip()
        typer.echo(f"{key}: left with {outcome.code}\n{said}".rstrip(), err=True)

    with profile.Project.open(project, world=machine) as opened:
        scheduler = opened.scheduler(start, told=told)
        for refusal in (refused := scheduler.arm()):
            typer.echo(f"{type(refusal).__name__}: {refusal}", err=True)
        if not cycle:
            kept(scheduler, machine.event(), opened.carrying())
        answer = scheduler.cycle()
    typer.echo(json.dumps(to_json(answer)))
    if code := dispatch.exit_code(answer) or len(refused):
        raise typer.Exit(min(code, 1))


def _print(outcomes: Sequence[Outcome], *, as_json: bool) -> None:
    """What the tables came to that did not fail."""
    if as_json:
        typer.echo(json.dumps([_facts(outcome) for outcome in outcomes]))
        return
    for outcome in outcomes:
        typer.echo(_sentence(outcome))


def _leave(outcomes: Sequence[Outcome | Busy]) -> None:
    """Leave as what was canceled, or waits, has to."""
    if any(isinstance(outcome, Canceled) for outcome in outcomes):
        raise typer.Exit(1)
    if any(isinstance(outcome, Waiting) for outcome in outcomes):
        raise typer.Exit(dispatch.WAITS)


def _chunk(chunk: Chunk) -> str:
    return f"{chunk.table} {chunk.name} {chunk.window}"


def _chunk_facts(chunk: Chunk) -> dict[str, str | int]:
    return {
        "table": chunk.table,
        "chunk": chunk.name,
        "window": str(chunk.window),
        "status": chunk.status.value,
        "attempts": chunk.attempt,
    }


def _came_to(worked: Worked) -> str:
    if isinstance(worked.outcome, Busy):
        return (
            f"somebody is at work on it, until {instant.spell(worked.outcome.until_ms)} unless they renew their lease"
        )
    return _sentence(worked.outcome)


def _facts(outcome: Outcome) -> dict[str, str | int]:
    match outcome:
        case Waiting(run_id, until_ms):
            return {"run_id": run_id, "status": "waiting", "next_attempt_at": instant.spell(until_ms)}
        case Canceled(run_id, reason):
            return {"run_id": run_id, "status": "canceled", "reason": reason}
        case Success(run_id, table, rows, row_bytes, parts, commits):
            return {
                "run_id": run_id,
                "status": "success",
                "table": table,
                "rows": rows,
                "bytes": row_bytes,
                "parts": parts,
                "commits": commits,
            }


def _sentence(outcome: Outcome) -> str:
    match outcome:
        case Waiting(run_id, until_ms):
            at = instant.spell(until_ms)
            return f"{run_id}: waiting for its next attempt at {at}; a run from then on takes it up, and so does serve"
        case Canceled(run_id, reason):
            return f"{run_id}: canceled, {reason}"
        case Success(run_id, table, rows, row_bytes, parts):
            landed = f"{counted(rows, 'row')}, {counted(row_bytes, 'byte')} in {counted(parts, 'part')}"
            return f"{run_id}: success, {landed} landed in {table}"
