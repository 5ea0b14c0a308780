"""How history is cut into chunks, and what is asked of a chunk's row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contextful.adapters.memory import MemoryRows
from contextful.errors import PipelineRewindWindowInvalid
from contextful.kernel.failure import Transient
from contextful.run import backfill
from contextful.run.advance import Clock
from contextful.run.backfill import Chunk, Span, Status, Window
from contextful_contract.shapes import CursorKind

DAY_MS = 86_400_000
FIRST = Chunk("shop", "orders", 1, Window(0, 10))
JANUARY = Window("2026-01-01T00:00:00Z", "2026-01-04T12:00:00Z")


@pytest.mark.clause("run.backfill.chunk-plan")
@pytest.mark.parametrize(
    ("kind", "window", "step", "cut"),
    [
        (CursorKind.MONOTONIC, Window(0, 25), 10, ["[0, 10)", "[10, 20)", "[20, 25)"]),
        (CursorKind.SNAPSHOT_ID, Window(3, 5), 1, ["[3, 4)", "[4, 5)"]),
        (CursorKind.OPAQUE_TOKEN, Window(0, 25), 10, ["[0, 25)"]),
        (
            CursorKind.MONOTONIC,
            JANUARY,
            2 * DAY_MS,
            ["[2026-01-01T00:00:00Z, 2026-01-03T00:00:00Z)", "[2026-01-03T00:00:00Z, 2026-01-04T12:00:00Z)"],
        ),
    ],
    ids=["numbers, the last one short", "versions", "tokens", "instants"],
)
def test_the_kind_of_the_cursor_decides_the_cut(kind: CursorKind, window: Window, step: int, cut: list[str]) -> None:
    span = Span(window, step)

    assert [str(each) for each in backfill.plan(kind, span)] == cut
    assert backfill.count(kind, span) == len(cut)


def test_a_longer_backfill_cuts_what_is_beyond_the_chunks_that_stand() -> None:
    standing = [FIRST, Chunk("shop", "orders", 2, Window(10, 15))]

    beyond = backfill.extended(CursorKind.MONOTONIC, Span(Window(-5, 30), 10), standing)

    assert [str(each) for each in beyond] == ["[-5, 0)", "[15, 25)", "[25, 30)"]


def test_the_same_backfill_cuts_nothing_more() -> None:
    assert backfill.extended(CursorKind.MONOTONIC, Span(Window(0, 10), 3), [FIRST]) == []


@pytest.mark.clause("run.backfill.chunk-lease")
def test_a_chunk_passes_on_once_its_lease_has_lapsed_and_not_before() -> None:
    taken = backfill.claimed(FIRST, "one", 0)

    with pytest.raises(Transient):
        backfill.claimed(taken, "two", 299_999)
    assert backfill.claimed(taken, "two", 300_000) == replace(taken, attempt=2, holder="two", expires_ms=600_000)


@pytest.mark.clause("run.backfill.chunk-commit")
def test_a_worker_whose_chunk_was_taken_over_or_sent_back_cannot_say_that_it_is_done() -> None:
    rows = MemoryRows()
    rows.commit(backfill.planned(FIRST))
    one = _claimed(rows, FIRST, "one", 0)
    two = _claimed(rows, one, "two", 300_000)

    assert not rows.commit(backfill.done(one, 300_001))
    assert rows.commit(backfill.done(two, 300_001))
    assert not rows.commit(backfill.done(two, 300_002))
    assert _stands(rows).status is Status.DONE


@pytest.mark.clause("run.backfill.chunk-rewind")
def test_a_chunk_that_is_sent_back_writes_under_another_name() -> None:
    rows = MemoryRows()
    rows.commit(backfill.planned(FIRST))
    rows.commit(backfill.done(_claimed(rows, FIRST, "one", 0), 1))

    rows.commit(backfill.rewound(_stands(rows)))

    assert _stands(rows) == replace(FIRST, attempt=1, rewinds=1)
    assert _stands(rows).lane != FIRST.lane


@pytest.mark.clause("run.backfill.rewind-window-invalid")
@pytest.mark.parametrize(
    "window", ["[15, 5)", "15", "[a, b)", "[1, 2]", "[2026-01-01T00:00:00Z, 2026-02-01T00:00:00Z)", "[1, 2026)x", ""]
)
def test_what_is_no_window_of_this_cursor_is_refused(window: str) -> None:
    with pytest.raises(PipelineRewindWindowInvalid) as refusal:
        backfill.to_rewind(window, [FIRST])

    assert refusal.value.window == window


@pytest.mark.clause("run.backfill.chunk-rewind")
@pytest.mark.parametrize(
    ("begins", "ends", "overlaps"), [(0, 1, True), (9, 30, True), (10, 30, False), (-5, 0, False), (5, 5, False)]
)
def test_a_window_overlaps_a_chunk_where_they_share_something(begins: Clock, ends: Clock, overlaps: bool) -> None:
    assert bool(backfill.overlapping(Window(begins, ends), [FIRST])) == overlaps


def test_a_chunk_is_read_as_it_was_written() -> None:
    chunk = replace(FIRST, window=JANUARY, attempt=3, rewinds=2)
    rows = MemoryRows()

    rows.commit(backfill.planned(chunk))

    assert _stands(rows) == chunk


def _claimed(rows: MemoryRows, standing: Chunk, holder: str, now_ms: int) -> Chunk:
    taken = backfill.claimed(standing, holder, now_ms)
    assert rows.commit(backfill.claim(standing, taken, now_ms))
    return taken


def _stands(rows: MemoryRows) -> Chunk:
    row = rows.get(backfill.CHUNK, ("shop", "orders", 1))
    assert row is not None
    return backfill.from_row(row)
