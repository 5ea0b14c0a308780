"""Sweeps that are killed, that wait, that are given up: what is paid for, and what lands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.parquet import ParquetStore
from contextful.adapters.row_blobs import RowBlobs
from contextful.pipeline import compile
from contextful.pipeline.spec import JobSpec, TableSpec
from contextful.ports.read_face import NONE, Answer
from contextful.run.parts import Kind
from contextful.run.record import Run
from contextful.runner.bodies import Bodies
from contextful.runner.job import Fired, Jobs
from contextful.runner.land import Landings
from contextful.runner.row import Row
from contextful.testing import Crash, Crashes, CrashingBlobs, CrashingRows, SkippingWorld
from contextful_contract.errors import ExecutionPinMismatch
from contextful_contract.shapes import ConnectorPin, JobKind, RunStatus, Sweep, SweepState
from tests.steps.shop import Unsynced

PIN = ConnectorPin(id="body", version="1", world="native", hash="h")
START_MS, DAY_MS = 1_394_000_000_000, 86_400_000
HOUR_MS = 3_600_000
STRIDE = 7  # of the operations of which each is a process's last once


class Once:
    """A statement with one row, which is asked under some bounds."""

    def __init__(self) -> None:
        self.bounds: list[tuple[int | None, int | None]] = []

    def query(
        self,
        sql: str,
        *,
        rows_max: int,
        as_of_ms: int | None = None,
        available_as_of_ms: int | None = None,
        tables_as_of_ms: Mapping[str, int] = NONE,
    ) -> Answer:
        """The row."""
        self.bounds.append((as_of_ms, available_as_of_ms))
        return Answer(("id",), ("BIGINT",), [(1,)], truncated=False)


class Desk:
    """A sweep's stores; each fire is a process of its own."""

    def __init__(self, folder: Path, *, state: SweepState = SweepState.CARRIED, origins: int = 2) -> None:
        self.world = SkippingWorld()
        self.rows = MemoryRows()
        self.folder = folder
        self.reads = Once()
        self.sent: list[str] = []
        self.throttles = 0
        end = START_MS + (origins - 1) * DAY_MS
        self.sweep = Sweep(start=START_MS, end=end, step="1d", state=state)
        self.fires = 0

    def body(self, row: Row) -> None:
        """One paid call."""
        row.emit("notes", {"id": row.step("pay", self.pay)})

    def pay(self) -> int:
        """The vendor throttles as often as it is said to."""
        self.sent.append(contextful.idempotency_key())
        if self.throttles:
            self.throttles -= 1
            raise contextful.RateLimited("later", retry_after_ms=HOUR_MS)
        return len(self.sent)

    def fire(self, crashes: Crashes | None = None) -> Fired:
        """Fire the sweep, once the lease of whoever died has lapsed."""
        self.world.skip(31_000)
        self.fires += 1
        dying = crashes or Crashes()
        rows = CrashingRows(self.rows, dying)
        engine = contextful.Engine(rows, CrashingBlobs(RowBlobs(self.rows), dying), self.world)
        landings = Landings(engine, rows, self.world, self.store(), site_id="here", connectors=lambda _: PIN)
        bodies = Bodies()
        bodies.register("ask", effects=["pay"])(self.body)
        spec = JobSpec(
            "ask", JobKind.STORE_DRIVEN, body="ask", statement="it", tables=(TableSpec("notes"),), sweep=self.sweep
        )
        jobs = Jobs(engine, self.world, self.reads, landings)
        return jobs.fire(compile.job(spec), bodies.body("ask", job="ask"), run_id=f"f-{self.fires}")

    def store(self) -> ParquetStore:
        """Where it lands."""
        return ParquetStore(self.folder, self.world, node_id="node", disk=Unsynced())

    def landed(self) -> int:
        """How many rows."""
        parts = [path for made in self.store().manifests("ask_notes") for path in self.store().parts(made)]
        return sum(pq.read_metadata(path).num_rows for path in parts)

    def history(self) -> list[Run]:
        """Every run, the newest first."""
        return list(contextful.Engine(self.rows, RowBlobs(self.rows), self.world).history(limit=500))


@pytest.mark.clause("run.sweep.frozen-as-of", "run.sweep.cache-key")
def test_a_sweep_that_dies_anywhere_pays_for_each_origin_once_and_lands_it_once(tmp_path: Path) -> None:
    for at in range(0, 400, STRIDE):
        desk = Desk(tmp_path / str(at))
        try:
            desk.fire(Crashes(at))
        except Crash:
            if {run.run_id: run.status for run in desk.history()}.get("f-1") is RunStatus.SUCCESS:
                break  # it came through, and died of something else
            assert desk.fire().input_rows == 2, at
            assert len(set(desk.sent)) == 2, at
            assert len(desk.sent) <= 3, "at most the call that nobody heard back from is sent again"
            assert len({as_of for as_of, _ in desk.reads.bounds}) <= 1, at
            assert desk.landed() == 2, at
        else:
            break
    else:
        pytest.fail("it never came through")


def test_an_origin_that_waits_holds_up_a_carried_sweep_and_no_fresh_one(tmp_path: Path) -> None:
    calls = {}
    for state in SweepState:
        desk = Desk(tmp_path / state, state=state)
        desk.throttles = 1
        with pytest.raises(contextful.Suspended):
            desk.fire()
        calls[state] = len(desk.sent)
        desk.world.skip(HOUR_MS)

        assert desk.fire().rows == 2
        assert len(set(desk.sent)) == 2

    assert calls == {SweepState.FRESH: 2, SweepState.CARRIED: 1}


@pytest.mark.clause("run.sweep.origin-pin")
def test_a_sweep_that_is_given_up_leaves_nothing_that_another_goes_on_with(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.throttles = 1
    with pytest.raises(contextful.Suspended):
        desk.fire()
    desk.sweep = Sweep(start=START_MS, end=START_MS + DAY_MS, step="12h", state=SweepState.CARRIED)
    with pytest.raises(ExecutionPinMismatch):
        desk.fire()
    engine = contextful.Engine(desk.rows, RowBlobs(desk.rows), desk.world)
    pending = engine.pending("job:ask")
    assert pending is not None
    engine.stop("f-1")
    engine.rewind(pending.execution_id, reason="another step", force=True)

    assert desk.fire().rows == 3
    assert len(set(desk.sent)) == 4, "its first origin is asked anew, under a key of its own"


def test_a_stop_of_the_sweep_is_one_of_its_origin(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    engine = contextful.Engine(desk.rows, RowBlobs(desk.rows), desk.world)

    def stop(row: Row) -> None:
        engine.stop("f-1")
        desk.world.skip(1_000)
        row.step("pay", desk.pay)

    desk.body = stop  # type: ignore[method-assign]
    with pytest.raises(contextful.Stopped):
        desk.fire()

    by_id = {run.run_id: run.status for run in desk.history()}
    assert (by_id["f-1"], by_id["f-1.1"]) == (RunStatus.CANCELED, RunStatus.CANCELED)


@pytest.mark.clause("run.sweep.sweep-id")
def test_the_origins_of_one_sweep_are_told_from_those_of_another_and_each_by_its_last_run(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.fire()
    desk.throttles = 1
    with pytest.raises(contextful.Suspended):
        desk.fire()
    desk.world.skip(HOUR_MS)
    desk.fire()

    by_id = {run.run_id: run for run in desk.history()}
    engine = contextful.Engine(desk.rows, RowBlobs(desk.rows), desk.world)
    told = [engine.parts(by_id[fire].execution_id) for fire in ("f-1", "f-2", "f-3")]

    assert [part.run.run_id for part in told[0].found] == ["f-1.1", "f-1.2"]
    assert [part.run.run_id for part in told[1].found] == ["f-3.1", "f-3.2"]
    assert told[1] == told[2]
    assert told[0].counts() == {Kind.ORIGIN: {RunStatus.SUCCESS: 2}}
