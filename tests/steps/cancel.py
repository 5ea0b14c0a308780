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
from contextful.kernel.change import Update
from contextful.kernel.shape import to_json
from contextful.kernel.signal import Stopped
from contextful.pipeline.spec import SourceSpec
from contextful.run import cancel, record
from contextful.runner.engine import TABLES
from contextful.runner.land import Canceled
from contextful_contract.shapes import FailureTag, RunStatus
from tests.steps._sim import Kept, Simulation
from tests.steps.script import Scripted
from tests.steps.shop import Shop
from tests.steps.stage import SCOPE, Stage, instant_ms

HOLDER = "holder-1"
AWAITS = "awaits"
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


@given(parsers.parse("a fire in flight of pipeline `shop` over tables `{tables}`"))
def fire_in_flight(shop: Shop, tables: str) -> None:
    shop.tables = tables.split(", ")
    shop.listing.number(1)


@given("its first pull of table `orders` is recorded")
def first_pull_is_recorded(shop: Shop) -> None:
    """There are two, and the stop comes during the second."""
    shop.listing.number(2)


@when(parsers.re(r"a stop of scope `(?P<scope>\w+)` comes (?P<place>\w+ the \w+) of table `orders`"))
def stop_comes(stage: Stage, shop: Shop, scope: str, place: str) -> None:
    """Whatever goes on there takes two beats longer."""
    simulation = Simulation(stage)

    def ask() -> None:
        stage.onlooker().stop("fire" if len(shop.tables) == 1 else "fire.orders", scope=scope)
        simulation.wait(1_000)

    def opened(_: SourceSpec, table: str) -> Scripted:
        if table == "orders":
            ask()
        return Scripted(shop.listing, shop.fired, table, stage.sent)

    match place:
        case "before the pull":
            shop.source = opened
            simulation.play(lambda: shop.fire("fire"))
            shop.source = None
        case "during the pull":
            simulation.play(lambda: shop.fire("fire", at_pull={len(shop.listing.pages): ask}))
        case "during the landing":
            simulation.play(lambda: shop.fire("fire", before_marker=ask))
    assert stage.error is None, stage.error


@then(parsers.parse("the fire's run of table `{table}` closes `{status}`"))
def fires_run_closes(shop: Shop, table: str, status: str) -> None:
    assert shop.run(table).status == status
    assert len(shop.manifests(table=table)) == (status == "success")


@then(parsers.parse("the fire never pulls table `{table}`"))
def fire_never_pulls(shop: Shop, table: str) -> None:
    assert table not in {pull.table for pull in shop.fired.pulls}


@then(parsers.parse("the run of table `{table}` has the error kind `{kind}`"))
def table_run_has_error_kind(shop: Shop, table: str, kind: str) -> None:
    assert shop.run(table).error_kind == kind


@then(parsers.parse("every request of table `{table}` is settled in the ledger"))
def requests_are_settled(shop: Shop, table: str) -> None:
    """Each was abandoned, and says so."""
    ledger = f"{shop.stored(table)}__requests"
    settled = shop.ask(f"SELECT outcome, idempotency_key FROM {ledger} WHERE run_id = '{shop.fired.run_id}'")
    assert [outcome for outcome, _ in settled] == [FailureTag.CANCELED]
    assert [key for _, key in settled] == shop.stage.sent[-len(shop.fired.pulls) :]


@then(parsers.parse("every received row of table `{table}` lands"))
def received_rows_land(shop: Shop, table: str) -> None:
    listed = [row["id"] for page in shop.listing.pages for row in page.rows]
    assert shop.select("SELECT id FROM it ORDER BY id") == [(row_id,) for row_id in listed]


@then(parsers.parse("the run of table `{table}` keeps its mark"))
def table_run_keeps_its_mark(shop: Shop, table: str) -> None:
    assert shop.run(table).stop is not None


@then(parsers.parse("table `{table}` keeps its owner"))
def keeps_its_owner(stage: Stage, shop: Shop, table: str) -> None:
    assert stage.owner(shop.scope(table)) is not None


@then(parsers.parse("table `{table}` has no owner"))
def has_no_owner(stage: Stage, shop: Shop, table: str) -> None:
    assert stage.owner(shop.scope(table)) is None


@then(parsers.parse("the next attempt replays {count:d} pulls of table `{table}`"))
def next_attempt_replays(shop: Shop, count: int, table: str) -> None:
    stopped = shop.run(table)
    shop.next_fire()
    assert shop.run(table).execution_id == stopped.execution_id
    assert shop.fired.replayed == count
    assert [pull.page for pull in shop.fired.pulls] == list(range(count + 1, len(shop.listing.pages) + 1))


@given(
    parsers.re(r"a run awaiting `(?P<what>a pull|a retry sleep|an awakeable|a subprocess)`"), target_fixture="awaits"
)
def run_awaiting(stage: Stage, what: str) -> Simulation:
    stage.label = what
    return Simulation(stage)


@given(parsers.parse("its process group takes {ends_ms:d} ms to end"))
def process_group_takes(awaits: Simulation, ends_ms: int) -> None:
    awaits.world.child_ends_ms = ends_ms


@given(parsers.parse("the poll {after_ms:d} ms after the first await fails"))
def poll_fails(awaits: Simulation, after_ms: int) -> None:
    awaits.rows.fails_at_look = 1 + after_ms // 500


@when(parsers.parse("a stop comes {after_ms:d} ms after the first await"))
def stop_comes_after(stage: Stage, shop: Shop, awaits: Simulation, after_ms: int) -> None:
    stage.begin(AWAITS)
    awaits.stops(AWAITS, after_ms)
    stage.outcome = awaits.play(lambda: _await(stage, shop, awaits))


@then(parsers.parse("the await ends `Canceled` {after_ms:d} ms after the first await"))
def await_ends(stage: Stage, awaits: Simulation, after_ms: int) -> None:
    assert isinstance(stage.outcome, Stopped | Canceled), stage.outcome
    assert awaits.ended_ms - awaits.began_ms == after_ms
    assert (stage.run().status, stage.run().error_kind) == (RunStatus.CANCELED, FailureTag.CANCELED)


@then(parsers.parse("the run reads `{status}` {after_ms:d} ms after the first await"))
def run_reads(stage: Stage, awaits: Simulation, status: str, after_ms: int) -> None:
    ended_ms = stage.run().ended_ms
    assert ended_ms is not None
    read = stage.run().status if ended_ms <= awaits.began_ms + after_ms else RunStatus.RUNNING
    assert read == status


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


def _await(stage: Stage, shop: Shop, awaits: Simulation) -> object:
    """The run comes to wait for what the scenario names, for minutes if it is left alone."""
    if stage.label == "a pull":
        shop.listing.number(1)
        shop.fire(AWAITS, at_pull={1: lambda: awaits.wait(SLEEPS.base_ms)})
        return shop.fired.outcomes[0]
    with stage.engine().execution(SCOPE, "plan", run_id=AWAITS) as run:
        if stage.label == "an awakeable":
            return run.wait("approve", hold="1h")
        if stage.label == "a subprocess":
            return run.step("train", run.child, ["train"])
        return run.step("fetch", _throttled, retry=SLEEPS)


def _throttled() -> None:
    raise contextful.Transient("later")
