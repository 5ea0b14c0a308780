"""Positions: their order, their floor, their frontier, and the cache that a crash left behind."""

from __future__ import annotations

import pytest

from contextful.errors import CursorFieldMismatch, CursorPositionUnorderable
from contextful.kernel.change import Clear, Delete, Insert, Require, Update
from contextful.kernel.failure import Transient
from contextful.run import advance, record
from contextful.run.advance import CURSOR, Cursor, Marker
from contextful.run.journal.journal import ENTRY
from contextful.run.own import own
from contextful_contract.shapes import CursorKind

SCOPE = own.TableScope("shop", "orders")
OWNER = own.Owner(SCOPE, "exec-1", own.Pins("plan", {}), ("r-1", "r-2"), "holder-2", opened_ms=0)
OLD = Marker("r-0", 50, '{"page":1}')
NEW = Marker("r-1", 100, '{"page":2}')
CACHED = Cursor(SCOPE.key(), 3, OLD)
LEASE = record.Lease("holder-2", expires_ms=1_000)
MOVED = Update(
    CURSOR,
    {"scope": SCOPE.key()},
    {"version": 3},
    {"position": '{"page":2}', "version": 4, "marker_run_id": "r-1", "marker_committed_ms": 100},
)


@pytest.mark.clause("run.advance.watermark-shape")
def test_a_watermark_is_its_field_and_its_value() -> None:
    assert advance.watermark("updated_at", 7) == '{"at":7,"field":"updated_at"}'


@pytest.mark.parametrize(
    ("clock", "other", "before"),
    [
        (1, 2, True),
        (2, 2, False),
        (10**17, 10**17 + 1, True),
        (1, 1.5, True),
        ("2026-03-01T00:00:00Z", "2026-03-01T01:00:00+01:00", False),
        ("2026-03-01T00:00:00Z", "2026-03-01T00:30:00-01:00", True),
        ("a", "b", True),
        ("2026-03-01", "b", True),
        ("9", "10", False),
    ],
)
def test_numbers_have_an_order_and_instants_and_texts(clock: object, other: int | str, before: bool) -> None:
    assert advance.before("at", clock, other) is before


@pytest.mark.clause("run.advance.unorderable-position")
@pytest.mark.parametrize(
    ("clock", "other"), [(None, 1), ("a", 1), (1, "a"), (True, 1), ([1], 1), (float("nan"), 1.0)], ids=str
)
def test_a_mixture_has_no_order(clock: object, other: int | str) -> None:
    with pytest.raises(CursorPositionUnorderable) as refusal:
        advance.before("at", clock, other)

    assert refusal.value.field == "at"


@pytest.mark.clause("run.advance.unorderable-position")
def test_a_value_without_an_order_is_told_as_json_spells_it() -> None:
    told = []
    for clock in ("b", None):
        with pytest.raises(CursorPositionUnorderable) as refusal:
            advance.frontier("at", 1, [clock])
        told.append(refusal.value.value)

    assert told == ['"b"', "null"]


@pytest.mark.clause("run.advance.frontier")
@pytest.mark.parametrize(
    ("so_far", "clocks", "frontier"),
    [(None, [], None), (None, [2, 3, 1], 3), (5, [2, 3], 5), (5, [], 5), (5, [9], 9)],
)
def test_the_frontier_goes_forward_or_stays(so_far: int | None, clocks: list[int], frontier: int | None) -> None:
    assert advance.frontier("at", so_far, clocks) == frontier


@pytest.mark.clause("run.advance.inclusive-boundary")
def test_the_boundary_is_admitted() -> None:
    assert advance.admitted("at", 2, [1, 2, 3]) == [False, True, True]


@pytest.mark.clause("run.advance.turning-incremental-on")
@pytest.mark.parametrize("position", [None, '{"page":4}', '"eyJwYWdlIjo0N30="', "null", "[1]"])
def test_a_position_that_is_no_watermark_is_none_to_begin_from(position: str | None) -> None:
    assert advance.floor(position, "at") is None


@pytest.mark.clause("run.advance.field-rename")
def test_a_watermark_of_another_field_is_refused() -> None:
    with pytest.raises(CursorFieldMismatch) as refusal:
        advance.floor(advance.watermark("created", 3), "updated")

    assert vars(refusal.value) == {"stored": "created", "declared": "updated"}


@pytest.mark.clause("run.advance.allowed-lateness")
@pytest.mark.parametrize(
    ("floor", "eased"),
    [(None, None), (1_000, 910.0), ("2026-03-01T00:01:30Z", "2026-03-01T00:00:00Z"), ("no instant", "no instant")],
)
def test_a_poll_begins_by_the_lateness_earlier(floor: int | str | None, eased: int | str | None) -> None:
    assert advance.eased(floor, 90_000) == eased


def test_a_clock_may_stand_within_a_row() -> None:
    assert advance.clock("/meta/at", {"meta": {"at": 3}}) == 3
    assert advance.clock("meta/at", {"meta/at": 4}) == 4


def test_the_first_position_is_inserted() -> None:
    row = {"position": '{"page":1}', "version": 1, "marker_run_id": "r-0", "marker_committed_ms": 50}

    assert advance.cached(Cursor("s"), OLD) == Insert(CURSOR, {"scope": "s", **row})


@pytest.mark.parametrize("newest", [None, OLD], ids=["no commit", "the cached commit"])
def test_nothing_is_mended_where_nothing_is_newer(newest: Marker | None) -> None:
    assert advance.reconciled(CACHED, newest, OWNER, None, now_ms=0) == ()


@pytest.mark.parametrize(
    "owner", [None, own.Owner(SCOPE, "x", OWNER.pins, ("r-9",), "h", 0)], ids=["none", "another's"]
)
def test_a_newer_marker_is_cached_where_its_owner_is_gone(owner: own.Owner | None) -> None:
    assert advance.reconciled(CACHED, NEW, owner, None, now_ms=0) == (MOVED,)


@pytest.mark.clause("run.own.marker-reconciles")
def test_a_newer_marker_retires_the_owner_that_made_it() -> None:
    changes = advance.reconciled(CACHED, NEW, OWNER, LEASE, now_ms=1_000)

    assert changes == (
        Delete(own.OWNER, {"scope": SCOPE.key()}, {"holder": "holder-2"}),
        Clear(ENTRY, {"execution_id": "exec-1"}),
        MOVED,
        Require(record.RUN, {"run_id": "r-2"}, {"lease_expires_ms": 1_000}),
    )


def test_an_attempt_that_lives_caches_its_own_marker() -> None:
    assert advance.reconciled(CACHED, NEW, OWNER, LEASE, now_ms=999) == ()


WATERMARK_4, WATERMARK_9 = '{"at":4,"field":"at"}', '{"at":9,"field":"at"}'


@pytest.mark.clause("run.advance.concurrency-by-kind")
@pytest.mark.parametrize(
    ("standing", "position", "published"),
    [
        (WATERMARK_4, WATERMARK_9, WATERMARK_9),
        (WATERMARK_9, WATERMARK_4, WATERMARK_9),
        (None, WATERMARK_4, WATERMARK_4),
        ('{"page":1}', WATERMARK_4, WATERMARK_4),
        ('{"at":9,"field":"updated_at"}', WATERMARK_4, WATERMARK_4),
        (WATERMARK_4, None, WATERMARK_4),
    ],
)
def test_of_several_writers_the_highest_watermark_stands(
    standing: str | None, position: str | None, published: str | None
) -> None:
    assert advance.published(CursorKind.MONOTONIC, standing, position, seen=False) == published


@pytest.mark.clause("run.advance.concurrency-by-kind")
@pytest.mark.parametrize("kind", [CursorKind.OPAQUE_TOKEN, CursorKind.SNAPSHOT_ID])
def test_no_other_position_is_settled_by_who_came_last(kind: CursorKind) -> None:
    assert advance.published(kind, '"t4"', '"t7"', seen=True) == '"t7"'
    with pytest.raises(Transient):
        advance.published(kind, '"t4"', '"t7"', seen=False)
