"""Steps of run.cancel: marks on rows, fires and waits that a stop meets, and the keeper that passes it on."""

from __future__ import annotations

import json
import logging

import pytest
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters import row_blobs
from contextful.adapters.sqlite import SqliteRows
from contextful.faces import stores
from contextful.faces.cli import run as command
from contextful.faces.shapes import to_json
from contextful.kernel.change import Update
from contextful.kernel.signal import Stopped
from contextful.run import cancel, record
from contextful.run.journal import journal
from contextful.runner.engine import TABLES
from contextful.runner.land import Canceled
from contextful_contract.shapes import FailureTag, RunStatus
from tests.steps._sim import HOUR_MS, NEXT_FIRE, PAGES, Fire, Kept, Simulation
from tests.steps.stage import SCOPE, Stage, instant_ms

HOLDER = "holder-1"
SLEEPS = contextful.Schedule(base_ms=300_000, max_delay_ms=300_000, jitter_ms=0)  # as long as one keeps its thread


@given(parsers.parse("a run `{run_id}` of pipeline `{pipeline}` in status `{status}`"))
def run_of_pipeline(stage: Stage, run_id: str, pipeline: str, status: str) -> None:
    _stands(stage, _run(stage, run_id, pipeline_id=pipeline, table="orders"), RunStatus(status))


@given(parsers.parse("a run `{run_id}` under host scope `{scope}` in status `{status}`"))
def run_under_host_scope(stage: Stage, run_id: str, scope: str, status: str) -> None:
    _stands(stage, _run(stage, run_id, host_scope=scope), RunStatus(status))


@when(parsers.parse("a stop of scope `{scope}` is asked of run `{run_id}` at `{at}`"))
def stop_is_asked(stage: Stage, scope: str, run_id: str, at: str) -> None:
    _ask(stage, run_id, scope, at, reason=None)


@when(parsers.parse("with reason `{reason}` a stop of scope `{scope}` is asked of run `{run_id}` at `{at}`"))
def stop_is_asked_with_reason(stage: Stage, reason: str, scope: str, run_id: str, at: str) -> None:
    _ask(stage, run_id, scope, at, reason=reason)


@when(parsers.parse("`contextful run cancel {run_id}` runs"))
def command_runs(stage: Stage, run_id: str) -> None:
    """The command opens the folder's own store, which is another than the stage's where that is none of its kind."""
    path = stage.folder / stores.STATE
    if not path.exists():
        rows = SqliteRows(path, (*TABLES, *row_blobs.TABLES))
        run = stage.onlooker().run(run_id)
        assert run is not None
        rows.commit(record.opened(run, record.Process(1, "boot-1", HOLDER), run.started_ms))
        rows.commit(Update(record.RUN, {"run_id": run_id}, {}, {"status": run.status.value, "lease_expires_ms": None}))
        rows.close()
    stage.outcome = command(["run", "cancel", run_id, "--project", str(stage.folder)])


@when(parsers.parse("the health of pipeline `{pipeline}` is observed"))
def health_is_observed(stage: Stage, pipeline: str) -> None:
    stage.outcome = cancel.upstream(stage.onlooker().history(pipeline=pipeline))


@then(parsers.parse("run `{run_id}` carries the mark `{mark}`"))
def carries_the_mark(stage: Stage, run_id: str, mark: str) -> None:
    run = stage.onlooker().run(run_id)
    assert run is not None
    assert to_json(run.stop) == json.loads(mark)


@then(parsers.parse("run `{run_id}` carries no mark"))
def carries_no_mark(stage: Stage, run_id: str) -> None:
    run = stage.onlooker().run(run_id)
    assert run is not None
    assert run.stop is None


@then(parsers.parse("it exits with {code:d}"))
def exits_with(stage: Stage, code: int) -> None:
    assert stage.outcome == code


@then(parsers.parse("it counts the runs `{run_ids}`"))
def counts_the_runs(stage: Stage, run_ids: str) -> None:
    assert isinstance(stage.outcome, list)
    assert [run.run_id for run in stage.outcome] == run_ids.split(", ")


@given(parsers.parse("a fire in flight of pipeline `shop` over tables `{tables}`"), target_fixture="fire")
def fire_over_tables(stage: Stage, tables: str) -> Fire:
    return Fire(stage, tables.split(", "))


@given(parsers.parse("its first pull of table `{table}` is recorded"))
def first_pull_is_recorded(fire: Fire, table: str) -> None:
    fire.stops_at_pull = 2


@when(parsers.re(r"a stop of scope `(?P<scope>\w+)` comes (?P<place>\w+ the \w+) of table `(?P<table>\w+)`"))
def stop_comes(fire: Fire, scope: str, place: str, table: str) -> None:
    fire.meets(place, table, scope)
    fire.play()
    assert not fire.asks, "the fire was there"


@then(parsers.parse("the fire's run of table `{table}` closes `{status}`"))
def table_run_closes(fire: Fire, table: str, status: str) -> None:
    run = fire.stage.onlooker().run(fire.run_id(table))
    assert run is not None
    assert run.status == status
    assert (status == "canceled") == (run.error_kind is FailureTag.CANCELED)


@then(parsers.parse("the run of table `{table}` has the error kind `{kind}`"))
def table_run_has_error_kind(fire: Fire, table: str, kind: str) -> None:
    run = fire.stage.onlooker().run(fire.run_id(table))
    assert run is not None
    assert run.error_kind == kind


@then(parsers.parse("the fire never pulls table `{table}`"))
def never_pulled(fire: Fire, table: str) -> None:
    assert fire.sources[table].asked == []


@then(parsers.parse("every received row of table `{table}` lands"))
def received_rows_land(fire: Fire, table: str) -> None:
    assert fire.landed(table) == [row["id"] for page in PAGES for row in page]


@then(parsers.parse("the run of table `{table}` keeps its mark"))
def table_run_keeps_its_mark(fire: Fire, table: str) -> None:
    run = fire.stage.onlooker().run(fire.run_id(table))
    assert run is not None
    assert run.stop is not None


@then(parsers.parse("table `{table}` keeps its owner"))
def keeps_its_owner(fire: Fire, table: str) -> None:
    assert _owner(fire, table)


@then(parsers.parse("table `{table}` has no owner"))
def has_no_owner(fire: Fire, table: str) -> None:
    assert not _owner(fire, table)


@then(parsers.parse("the next attempt replays {count:d} pulls of table `{table}`"))
def next_attempt_replays(fire: Fire, count: int, table: str) -> None:
    before = fire.stage.onlooker().run(fire.run_id(table))
    fire.play_next()
    after = fire.stage.onlooker().run(fire.run_id(table, NEXT_FIRE))
    assert before is not None
    assert after is not None
    assert after.execution_id == before.execution_id
    assert fire.sources[table].asked == list(range(count, len(PAGES)))


@given(parsers.re(r"a run awaiting `(?P<what>a pull|a retry sleep|an awakeable)`"), target_fixture="awaits")
def run_awaiting(stage: Stage, what: str) -> Simulation:
    stage.label = what
    return Simulation(stage)


@given(parsers.parse("the poll {after_ms:d} ms after the first await fails"))
def poll_fails(awaits: Simulation, after_ms: int) -> None:
    awaits.rows.fails_at_look = 1 + after_ms // 500


@when(parsers.parse("a stop comes {after_ms:d} ms after the first await"))
def stop_comes_after(stage: Stage, awaits: Simulation, after_ms: int) -> None:
    stage.begin()
    awaits.stops(stage.run_id, after_ms)
    awaits.play(lambda: _await(stage, awaits))
    stage.error = awaits.world.outcomes["run"]  # type: ignore[assignment]


@then(parsers.parse("the await ends `Canceled` {after_ms:d} ms after the first await"))
def await_ends(stage: Stage, awaits: Simulation, after_ms: int) -> None:
    assert isinstance(stage.error, Stopped)
    assert awaits.ended_ms - awaits.began_ms == after_ms
    assert (stage.run().status, stage.run().error_kind) == (RunStatus.CANCELED, FailureTag.CANCELED)


@then(parsers.parse("the engine has read the run's row {count:d} times"))
def has_read_the_row(awaits: Simulation, count: int) -> None:
    assert awaits.rows.looks == count


@then(parsers.parse("{count:d} warnings are given"))
def warnings_are_given(caplog: pytest.LogCaptureFixture, count: int) -> None:
    given = [entry for entry in caplog.records if entry.levelno == logging.WARNING]
    assert [entry.name for entry in given] == ["contextful.runner.keeper"] * count


@given(parsers.parse("{count:d} executions open on one engine"), target_fixture="kept")
def executions_open(stage: Stage, count: int) -> Kept:
    return Kept(stage, count)


@given(parsers.parse("the keeper's renewal of execution {number:d} panics once"))
def renewal_panics(kept: Kept, number: int) -> None:
    kept.simulation.rows.panics.add(kept.run_ids[number - 1])


@when(parsers.parse("the clock runs on for {seconds:d} s"))
def seconds_pass(kept: Kept, seconds: int) -> None:
    kept.acts.append(lambda _: kept.simulation.wait(seconds * 1_000))


@when(parsers.parse("{count:d} executions close"))
def executions_close(kept: Kept, count: int) -> None:
    def close(runs: list[contextful.Execution]) -> None:
        for _ in range(count):
            with runs.pop(0):
                pass

    kept.acts.append(close)


@when(parsers.parse("{count:d} executions are dropped"))
def executions_are_dropped(kept: Kept, count: int) -> None:
    def drop(runs: list[contextful.Execution]) -> None:
        for _ in range(count):
            runs.pop(0).drop()

    kept.acts.append(drop)


@then(parsers.parse("{count:d} keeper threads run"))
def keeper_threads_run(kept: Kept, count: int) -> None:
    kept.play()
    assert kept.threads == count


@then(parsers.parse("{count:d} owner leases are renewed"))
def leases_are_renewed(kept: Kept, count: int) -> None:
    kept.play()
    assert len(kept.renewed) == count


@then(parsers.parse("the owner lease of execution {number:d} is renewed"))
def lease_is_renewed(kept: Kept, number: int) -> None:
    kept.play()
    assert kept.run_ids[number - 1] in kept.renewed


def _run(stage: Stage, run_id: str, **under: str) -> record.Run:
    now_ms = stage.world.now_ms()
    return record.Run(run_id, f"exec-{run_id}", "plan", "here", RunStatus.RUNNING, now_ms, **under)  # type: ignore[arg-type]


def _stands(stage: Stage, run: record.Run, status: RunStatus) -> None:
    """The row as it stands once a run has come so far."""
    now_ms = run.started_ms
    assert stage.rows.commit(record.opened(run, record.Process(1, "boot-1", HOLDER), now_ms))
    if status is RunStatus.PENDING:
        assert stage.rows.commit(Update(record.RUN, {"run_id": run.run_id}, {}, {"status": status.value}))
    elif status is not RunStatus.RUNNING:
        assert stage.rows.commit(record.closed(run.run_id, HOLDER, record.Closing(status), now_ms))


def _ask(stage: Stage, run_id: str, scope: str, at: str, *, reason: str | None) -> None:
    stage.world.skip(instant_ms(at) - stage.world.now_ms())
    try:
        stage.onlooker().stop(run_id, scope=scope, reason=reason)
    except contextful.ContextfulError as refusal:
        stage.error = refusal


def _owner(fire: Fire, table: str) -> bool:
    return fire.stage.owner(journal.own.TableScope("shop", table)) is not None


def _await(stage: Stage, awaits: Simulation) -> object:
    """The run comes to wait for what the scenario names, for minutes if it is left alone."""
    if stage.label == "a pull":
        fire = Fire(stage, ["orders"], awaits)
        fire.asks["during the pull orders"] = lambda: awaits.wait(HOUR_MS)
        (outcome,) = fire.land(stage.run_id)
        assert isinstance(outcome, Canceled)
        raise Stopped(outcome.reason)
    with awaits.engine().execution(SCOPE, "plan", run_id=stage.run_id) as run:
        if stage.label == "an awakeable":
            return run.wait("approve", hold="1h")
        return run.step("fetch", _throttled, retry=SLEEPS)


def _throttled() -> None:
    raise contextful.Transient("later")
