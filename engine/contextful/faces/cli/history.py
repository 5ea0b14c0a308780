"""`contextful run`: what ran, and what an operator may do about it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from contextful.faces import embedded, manifest, profile, shapes
from contextful.faces.allowed import Allowed
from contextful.faces.cli import shown
from contextful.faces.cli.options import HERE, AsOf, Folder, Json, Now, world
from contextful.faces.shapes import export_lines, history_page
from contextful.kernel import instant, json_text
from contextful.kernel.failure import Failed, Failure
from contextful.kernel.shape import to_json
from contextful.run import history as record_history
from contextful.run.history import Page, described, exported
from contextful.run.journal.steps import to_json as step_json
from contextful.run.parts import Kind
from contextful.run.record import Run
from contextful.run.shown import run_row
from contextful.runner.engine import STEPS_MAX, Engine
from contextful_contract.errors import PipelineManifestMissing
from contextful_contract.shapes import FailureTag, RunStatus, StopScope

app = typer.Typer(help="What ran, and what an operator may do about it.", no_args_is_help=True)
COLUMNS = ("run", "of", "execution", "status", "started", "took", "rows", "error")
Since = Annotated[str | None, typer.Option(help="Only runs that started then or later: a day, or a UTC instant.")]
Limit = Annotated[int | None, typer.Option(min=1, help="How many runs.")]
STEP_COLUMNS = ("label", "state", "attempt", "content_bytes", "not_before", "error_kind", "error_message", "input_hash")
ERROR_CHARS_MAX = 160  # the rest is in `run show`


@app.command()
def history(
    project: Folder = HERE,
    pipeline: Annotated[str | None, typer.Option(help="Only this pipeline's runs.")] = None,
    since: Since = None,
    limit: Limit = None,
    status: Annotated[RunStatus | None, typer.Option(help="Only runs that stand so.")] = None,
    error: Annotated[FailureTag | None, typer.Option(help="Only runs with such a failure.")] = None,
    before: Annotated[str | None, typer.Option(help="Only runs behind this one: the last of a page.")] = None,
    whole: Annotated[bool, typer.Option("--whole", help="No parts of others: items, origins, their landings.")] = False,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """The latest runs, newest first; 500 at most."""
    ceiling, since_ms = described(limit), _begins_ms(since)
    if as_of is not None:
        page = _as_of(project, as_of, pipeline, since_ms, ceiling, narrowed=(status, error, before, whole))
    else:
        with embedded.Engine.at(project) as engine:
            page = Allowed(engine, None, None).runs(
                pipeline=pipeline,
                since_ms=since_ms,
                limit=limit,
                status=status,
                error=error,
                before=None if before is None else _run(engine, before).run_id,
                whole=whole,
            )
    if pipeline is not None and not page.runs:
        _known(project, pipeline)
    if as_json:
        typer.echo(json.dumps(to_json(history_page(page)), indent=1))
        return
    shown.table(COLUMNS, map(_cells, page.runs))
    if page.truncated:
        last = page.runs[-1].run_id
        typer.echo(
            f"the newest {shown.counted(ceiling, 'run')}; --limit shows more, --before {last} the next", err=True
        )


@app.command()
def export(
    project: Folder = HERE,
    pipeline: Annotated[str | None, typer.Option(help="Only this pipeline's runs.")] = None,
    since: Since = None,
    limit: Limit = None,
) -> None:
    """The latest runs as NDJSON, newest first, under a line that says what they are of; 5,000 at most."""
    with embedded.Engine.at(project) as engine:
        page = engine.window(pipeline=pipeline, since_ms=_begins_ms(since), ceiling=exported(limit))
    for line in export_lines(str(project.absolute()), page):
        typer.echo(json.dumps(line, ensure_ascii=False))


@app.command()
def show(
    run_id: Annotated[str, typer.Argument(help="The run's id, as history lists it.")], project: Folder = HERE
) -> None:
    """One run, as a JSON document."""
    with embedded.Engine.at(project) as engine:
        run = _run(engine, run_id)
    told = shapes.described(run, None)
    if run.table and (project / manifest.MANIFEST).exists():
        with profile.Project.open(project) as opened:
            told = shapes.described(run, opened.schema_diff)
    typer.echo(json.dumps(told, indent=1))


@app.command()
def steps(
    run_id: Annotated[str, typer.Argument(help="The run's id, as history lists it.")],
    project: Folder = HERE,
    as_json: Json = False,
) -> None:
    """What the run's execution has recorded so far: steps, their states and sizes. Success lets go of all that."""
    with embedded.Engine.at(project) as engine:
        found = [step_json(step) for step in engine.steps(_run(engine, run_id).execution_id)]
    if as_json:
        typer.echo(json.dumps({"run_id": run_id, "steps": found}, ensure_ascii=False))
        return
    shown.table(STEP_COLUMNS, ([str(step.get(name, "")) for name in STEP_COLUMNS] for step in found))
    if len(found) == STEPS_MAX:
        typer.echo(f"the first {shown.counted(STEPS_MAX, 'step')}, by their labels", err=True)


@app.command()
def sweep(
    sweep_id: Annotated[str, typer.Argument(help="The sweep's id: the execution of the fire that opened it.")],
    project: Folder = HERE,
    as_json: Json = False,
) -> None:
    """The origins of a sweep that have begun, the earliest first, each by its last run."""
    with embedded.Engine.at(project) as engine:
        runs = [part.run for part in engine.parts(sweep_id).found if part.kind is Kind.ORIGIN]
    if not runs:
        raise Failed(Failure(FailureTag.CONFIG, f"no origin of a sweep {sweep_id} has begun"))
    if as_json:
        typer.echo(json.dumps({"sweep_id": sweep_id, "runs": [to_json(run_row(run)) for run in runs]}, indent=1))
        return
    shown.table(("origin", *COLUMNS), ((_origin(run), *_cells(run)) for run in runs))


@app.command()
def rewind(
    execution_id: Annotated[str, typer.Argument(help="The pending execution, as the refusal names it.")],
    reason: Annotated[str, typer.Option(help="Why, for the record.")],
    project: Folder = HERE,
    force: Annotated[bool, typer.Option("--force", help="Even if its next fire would resume it.")] = False,
) -> None:
    """Give up pending work: what it recorded goes, and the scope's next run starts afresh."""
    with embedded.Engine.at(project) as engine:
        owner = engine.rewind(execution_id, reason=reason, force=force)
    typer.echo(f"{execution_id}: {owner.scope} is free again")


@app.command()
def cancel(
    run_id: Annotated[str, typer.Argument(help="The run's id, as history lists it.")],
    project: Folder = HERE,
    scope: Annotated[StopScope, typer.Option(help="This run, or all that its pipeline has in flight.")] = StopScope.RUN,
    reason: Annotated[str | None, typer.Option(help="Why, for the record.")] = None,
    now: Now = None,
) -> None:
    """Ask a run to stop. What it recorded stays, and its next run goes on from there."""
    with embedded.Engine.at(project, world=world(now)) as engine:
        marked = engine.stop(run_id, scope=scope.value, reason=reason)
    for each in marked:
        typer.echo(f"{each}: stop requested")


@app.command()
def awake(
    token: Annotated[str, typer.Argument(help="The token that the run sent out.")],
    payload: Annotated[
        typer.FileBinaryRead,
        typer.Option("--payload", help="The file that holds the answer as JSON; - for standard input."),
    ],
    project: Folder = HERE,
    now: Now = None,
) -> None:
    """Answer a run that waits, once, and print the answer that is on record."""
    try:
        answer = json_text.parsed(payload.read())
    except json_text.NotJson as why:
        raise Failed(Failure(FailureTag.CONFIG, f"{payload.name} holds no JSON: {why}")) from None
    with embedded.Engine.at(project, world=world(now)) as engine:
        recorded = engine.resolve(token, answer)
    typer.echo(json_text.spelled(recorded, spaced=True))


def _run(engine: Engine, run_id: str) -> Run:
    run = engine.run(run_id)
    if run is None:
        raise Failed(Failure(FailureTag.CONFIG, f"no run is called {run_id}: `contextful run history` lists them"))
    return run


def _origin(run: Run) -> str:
    return run.host_scope.rpartition("/")[2]


def _as_of(
    folder: Path, as_of_ms: int, pipeline: str | None, since_ms: int | None, ceiling: int, *, narrowed: Sequence[object]
) -> Page:
    """A window of the project's history as its store told of it at the instant."""
    if any(narrowed):
        said = "--as-of goes with --pipeline, --since and --limit: for more, `contextful query` reads the table _runs"
        raise Failed(Failure(FailureTag.CONFIG, said))
    with profile.Project.open(folder) as project:
        return project.engine.window_as_of(as_of_ms, pipeline=pipeline, since_ms=since_ms, ceiling=ceiling)


def _begins_ms(since: str | None) -> int | None:
    return None if since is None else record_history.since_ms(since)


def _known(folder: Path, pipeline: str) -> None:
    """Refuse a pipeline that has no runs and that the folder's manifest, if there is one, does not declare."""
    try:
        spec = manifest.read(folder)
    except PipelineManifestMissing:
        return
    if all(pipeline != each.id for each in spec.pipelines):
        raise Failed(Failure(FailureTag.CONFIG, manifest.unknown_pipeline(spec, pipeline)))


def _cells(run: Run) -> tuple[str, ...]:
    of = run.host_scope or "/".join(filter(None, (run.pipeline_id, run.table, run.chunk)))
    failed = "" if run.error_kind is None else f"{run.error_kind}: {run.error_message}"
    if len(failed) > ERROR_CHARS_MAX:
        failed = f"{failed[:ERROR_CHARS_MAX]}…"
    started = instant.spell(run.started_ms)
    return (run.run_id, of, run.execution_id, run.status.value, started, _took(run), f"{run.counts.rows:,}", failed)


def _took(run: Run) -> str:
    """How long it took. Of a run that was found without its process, nobody knows when that ended."""
    if run.ended_ms is None or run.status is RunStatus.PARTIAL_FAILURE:
        return ""
    return f"{(run.ended_ms - run.started_ms) / 1_000:.1f} s"
