"""The catalog beside the store's table of runs: what the table did not take is appended later, and restored from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel.failure import StorageFailed
from contextful.runner.engine import Engine
from contextful.store.runs import Record
from contextful.testing import Crash, Crashes, CrashingRows, SkippingWorld
from contextful_contract.shapes import RunStatus


class Listed:
    """A table of runs that is a list, and that takes nothing while it is full."""

    def __init__(self) -> None:
        self.held: list[Record] = []
        self.full = False

    def append(self, records: Sequence[Record]) -> None:
        if self.full:
            raise StorageFailed("the disk is full")
        self.held += records

    def batches(self) -> Iterator[Sequence[Record]]:
        yield self.held

    def newest(self, *, pipeline: str | None, since_ms: int | None, as_of_ms: int, limit: int) -> Sequence[Record]:
        raise NotImplementedError


def phases(table: Listed) -> list[tuple[str, str]]:
    return [(row["run_id"], row["phase"]) for row in table.held]


@pytest.fixture
def table() -> Listed:
    return Listed()


@pytest.fixture
def rows() -> MemoryRows:
    return MemoryRows()


def engine(rows: MemoryRows | CrashingRows, world: SkippingWorld, table: Listed) -> Engine:
    return Engine(rows, RowBlobs(rows), world, run_table=lambda: table)


@pytest.mark.clause("run.record.reserved-table")
def test_a_run_is_two_rows_the_second_once_it_has_closed(rows: MemoryRows, table: Listed) -> None:
    with engine(rows, SkippingWorld(), table).execution("orders", "v1", run_id="r-1"):
        opened = phases(table)

    assert opened == [("r-1", "plan")]
    assert phases(table) == [("r-1", "plan"), ("r-1", "commit")]


def test_what_a_full_disk_did_not_take_is_appended_at_a_later_startup(rows: MemoryRows, table: Listed) -> None:
    world = SkippingWorld()
    table.full = True
    with engine(rows, world, table).execution("orders", "v1", run_id="r-1"):
        pass

    table.full = False
    world.skip(61_000)
    engine(rows, world, table).reap()

    assert phases(table) == [("r-1", "plan"), ("r-1", "commit")]


def test_a_run_that_was_lost_before_its_open_was_appended_has_both_rows_once_it_is_reaped(
    rows: MemoryRows, table: Listed
) -> None:
    world, at = SkippingWorld(), 0
    while True:  # ends: the process dies one operation later each time, until right after the run has opened
        crashing = CrashingRows(rows, Crashes(at))
        with pytest.raises(Crash):
            engine(crashing, world, table).execution("orders", "v1", run_id="r-1")
        if engine(rows, world, table).run("r-1") is not None:
            break
        at += 1

    world.skip(31_000)
    engine(rows, world, table).reap()

    assert phases(table) == [("r-1", "plan"), ("r-1", "commit")]
    assert table.held[-1]["status"] == "partial_failure"


def test_an_open_that_is_turned_away_is_on_record_too(rows: MemoryRows, table: Listed) -> None:
    opened = engine(rows, SkippingWorld(), table)
    held = opened.execution("orders", "v1", run_id="r-1")

    with pytest.raises(Exception, match="r-1"):
        opened.execution("orders", "v1", run_id="r-2")

    assert phases(table) == [("r-1", "plan"), ("r-2", "plan"), ("r-2", "commit")]
    held.drop()


def test_a_signal_that_comes_while_the_open_is_appended_closes_the_run(rows: MemoryRows, table: Listed) -> None:
    class Interrupted(Listed):
        def append(self, records: Sequence[Record]) -> None:
            if not self.held:
                self.held += records
                raise KeyboardInterrupt

    opened = engine(rows, SkippingWorld(), Interrupted())

    with pytest.raises(KeyboardInterrupt):
        opened.execution("orders", "v1", run_id="r-1")

    run = opened.run("r-1")
    assert run is not None
    assert run.status is RunStatus.CANCELED
