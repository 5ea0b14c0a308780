"""Backfills whose process dies anywhere, whose declaration changes, and which work on several chunks at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.parquet import ParquetStore
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.system import SystemWorld
from contextful.errors import ExecutionPinMismatch, ExecutionRewindNotPending, PipelineTableFailed
from contextful.pipeline import pull
from contextful.pipeline.pull import Ask, Batch
from contextful.pipeline.spec import PipelineSpec, PythonSource, TableSpec
from contextful.ports.world import World
from contextful.run.backfill import Span, Status, Window
from contextful.runner.backfill import Backfill, Busy
from contextful.runner.land import Landings
from contextful.store.lay_out import position
from contextful.testing import Crash, Crashes, CrashingBlobs, CrashingDisk, CrashingRows, SkippingWorld
from contextful.testing.clock import START_MS
from contextful_contract.shapes import CursorKind
from tests.runner.places import ADS, Unsynced

CHUNK_LAPSED_MS = 301_000
OPERATIONS_MAX = 400
SPEC = PipelineSpec(
    id="shop",
    source=PythonSource("shop:pages"),
    tables=(TableSpec("orders"),),
    cursor=CursorKind.MONOTONIC,
    incremental="at",
    backfill=Span(Window(0, 20), 10),
)


class Numbers:
    """Rows from the window that is asked for, and one on either side of it; five a page."""

    journaled = position_addressed = True
    pulls_max = 100
    host = None

    def __init__(self) -> None:
        self.fails_from: int | None = None

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        assert isinstance(ask.floor, int)
        assert isinstance(ask.until, int)
        if self.fails_from is not None and ask.floor >= self.fails_from:
            raise contextful.Permanent("gone")
        at = ask.floor - 1 if ask.position is None else int(ask.position)
        rows = [{"at": number} for number in range(at, min(at + 5, ask.until + 1))]
        return pull.batch(rows, position=position(at + 5), more=at + 5 <= ask.until)

    def close(self) -> None:
        """Nothing is held open."""


class Shop:
    """A project whose processes come and go."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.rows = MemoryRows()
        self.now_ms = START_MS
        self.source = Numbers()
        self._processes = 0

    def history(
        self, *, spec: PipelineSpec = SPEC, crashes: Crashes | None = None, world: World | None = None
    ) -> Backfill:
        """The backfill in the hands of a new process."""
        self._processes += 1  # no two draw the same ids
        crashes, world = crashes or Crashes(), world or SkippingWorld(now_ms=self.now_ms, seed=self._processes)
        rows = CrashingRows(self.rows, crashes)
        engine = contextful.Engine(rows, CrashingBlobs(RowBlobs(self.rows), crashes), world, site_id="here")
        store = ParquetStore(self.root, world, node_id="node", disk=CrashingDisk(crashes))
        landings = Landings(engine, rows, world, store, site_id="here", connectors=lambda _: ADS)
        return Backfill(spec, engine, rows, world, landings, lambda *_: self.source)

    def landed(self) -> Sequence[object]:
        """The clocks of every row that can be read."""
        import pyarrow.parquet as pq

        store = ParquetStore(self.root, SkippingWorld(), node_id="node", disk=Unsynced())
        parts = [part for manifest in store.manifests("shop_orders") for part in store.parts(manifest)]
        return sorted(at for part in parts for at in pq.read_table(part, columns=["at"])["at"].to_pylist())


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


@pytest.mark.clause("run.backfill.chunk-commit")
@pytest.mark.clause("run.own.marker-reconciles")
def test_a_backfill_that_dies_anywhere_lands_each_row_once(tmp_path: Path) -> None:
    for at in range(0, OPERATIONS_MAX, 7):
        shop, crashes = Shop(tmp_path / str(at)), Crashes(at)
        try:
            shop.history(crashes=crashes).run(run_id="dies")
            break
        except Crash:
            shop.now_ms += CHUNK_LAPSED_MS

        shop.history().run(run_id="again")

        assert shop.landed() == list(range(20)), f"killed at operation {at}"
        assert {chunk.status for chunk in shop.history().chunks()} == {Status.DONE}

    assert 50 < at < OPERATIONS_MAX - 7


@pytest.mark.clause("run.own.pin-mismatch-recovery")
@pytest.mark.clause("run.backfill.chunk-rewind")
def test_a_chunk_of_another_declaration_is_cleared_by_a_rewind_of_its_window_and_by_no_other(shop: Shop) -> None:
    changed = replace(SPEC, nesting=1)
    with pytest.raises(Crash):
        shop.history(crashes=_dies_in_the_second(shop)).run()
    shop.now_ms += CHUNK_LAPSED_MS
    with pytest.raises(PipelineTableFailed) as failure:
        shop.history(spec=changed).run()

    refusal = failure.value.__cause__
    assert isinstance(refusal, ExecutionPinMismatch)
    with pytest.raises(ExecutionRewindNotPending):
        contextful.Engine(shop.rows, RowBlobs(shop.rows), SkippingWorld()).rewind(refusal.execution_id, reason="no")
    shop.history().rewind("[15, 16)", reason="another declaration")
    shop.history(spec=changed).run()
    assert shop.landed() == list(range(20))


@pytest.mark.clause("run.own.pin-mismatch-recovery")
def test_a_chunk_goes_on_once_its_declaration_is_restored(shop: Shop) -> None:
    with pytest.raises(Crash):
        shop.history(crashes=_dies_in_the_second(shop)).run()
    shop.now_ms += CHUNK_LAPSED_MS
    with pytest.raises(PipelineTableFailed):
        shop.history(spec=replace(SPEC, nesting=1)).run()

    shop.history().run()

    assert shop.landed() == list(range(20))


@pytest.mark.clause("run.backfill.chunk-lease")
def test_a_chunk_that_somebody_is_at_work_on_is_left_to_them(shop: Shop) -> None:
    with pytest.raises(Crash):
        shop.history(crashes=_dies_in_the_second(shop)).run()

    worked = shop.history().run()

    assert [(each.chunk.name, type(each.outcome)) for each in worked] == [("c-2", Busy)]


def test_the_first_chunk_that_fails_halts_those_that_are_left(shop: Shop) -> None:
    shop.source.fails_from = 10
    spec = replace(SPEC, backfill=Span(Window(0, 40), 10))

    with pytest.raises(PipelineTableFailed):
        shop.history(spec=spec).run()

    attempts = {chunk.name: (chunk.status, chunk.attempt) for chunk in shop.history().chunks()}
    pending, done = Status.PENDING, Status.DONE
    assert attempts == {"c-1": (done, 1), "c-2": (pending, 1), "c-3": (pending, 0), "c-4": (pending, 0)}


@pytest.mark.clause("run.backfill.chunk-plan")
def test_several_chunks_are_worked_on_at_once(shop: Shop) -> None:
    spec = replace(SPEC, backfill=Span(Window(0, 40), 10, units=3))

    shop.history(spec=spec, world=SystemWorld()).run()

    assert shop.landed() == list(range(40))


def _dies_in_the_second(shop: Shop) -> Crashes:
    """The process dies as the second chunk is pulled."""
    crashes = Crashes()

    class Dying(Numbers):
        def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
            if ask.floor == 10 and ask.position is not None:
                shop.source = Numbers()
                crashes.die()
            return super().pull(ask, idempotency_key=idempotency_key)

    shop.source = Dying()
    return crashes
