"""run.advance: a position moves when rows commit, in the same act, and never by itself.

    stored --open--> floor --pull, pull, pull--> frontier --commit with the rows--> marker --cached--> stored

The marker decides and the cursor row caches it. What a crash left between the two is mended at the next open.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from contextful.kernel import pointer
from contextful.kernel.change import Change, Clear, Insert, Require, Update
from contextful.kernel.failure import Transient
from contextful.kernel.table import Kind, Row, Table
from contextful.run import record
from contextful.run.journal import journal
from contextful.run.own import own, staging_and_checkpoints
from contextful_contract.errors import CursorFieldMismatch, CursorPositionUnorderable
from contextful_contract.shapes import CursorKind

CURSOR = Table(
    "cursor",
    key=("scope",),
    columns={
        "scope": Kind.TEXT,
        "position": Kind.TEXT,
        "version": Kind.INTEGER,
        "marker_run_id": Kind.TEXT,
        "marker_committed_ms": Kind.INTEGER,
    },
)


@dataclass(frozen=True, slots=True)
class Marker:
    """A commit, as the position's cache knows it. `position` is JSON, the connector's own."""

    run_id: str
    committed_ms: int
    position: str | None


@dataclass(frozen=True, slots=True)
class Cursor:
    """The cached marker of a scope, and how often the cache has moved."""

    scope: str
    version: int = 0
    marker: Marker | None = None

    @property
    def position(self) -> str | None:
        """Where the next poll begins; none where nothing was committed yet."""
        return None if self.marker is None else self.marker.position


Clock = int | float | str


def cached(cursor: Cursor, marker: Marker) -> Change:
    """The cache moves to a marker that stands, unless it has moved meanwhile."""
    set_ = {
        "position": marker.position,
        "version": cursor.version + 1,
        "marker_run_id": marker.run_id,
        "marker_committed_ms": marker.committed_ms,
    }
    if cursor.version == 0:
        return Insert(CURSOR, {"scope": cursor.scope, **set_})
    return Update(CURSOR, {"scope": cursor.scope}, {"version": cursor.version}, set_)


def forgotten(scope: own.Scope) -> Change:
    """A position that nobody goes on from any more."""
    return Clear(CURSOR, {"scope": scope.key()})


def reconciled(
    cursor: Cursor, newest: Marker | None, owner: own.Owner | None, lease: record.Lease | None, *, now_ms: int
) -> Sequence[Change]:
    """What an open mends first. `lease` is the one that the owner's last attempt holds."""
    if newest is None or newest == cursor.marker:
        return ()
    if owner is None or not staging_and_checkpoints.made_by(newest.run_id, owner.attempts):
        return (cached(cursor, newest),)
    if lease is not None and now_ms < lease.expires_ms:
        return ()  # its attempt is alive, and about to do this itself
    ##= run.own.marker-reconciles
    return (
        own.retirement(owner),
        journal.collection(owner.execution_id),
        cached(cursor, newest),
        *(() if lease is None else (_lapsed(owner.attempts[-1], lease),)),
    )


def floor(position: str | None, field: str) -> Clock | None:
    """The clock value from which a poll reads, the value itself included."""
    held = _held(position)
    if held is None:
        return None  ##= run.advance.turning-incremental-on
    if held["field"] != field:
        raise CursorFieldMismatch(stored=held["field"], declared=field)  ##= run.advance.field-rename
    return cast(Clock, held["at"])


def watermark(field: str, at: Clock) -> str:
    """A frontier, as a position."""
    ##= run.advance.watermark-shape
    return json.dumps({"field": field, "at": at}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def published(kind: CursorKind, standing: str | None, position: str | None, *, seen: bool) -> str | None:
    """What a commit publishes beside the scope's newest one, which whoever commits has `seen`, or not.

    Of several writers the highest watermark stands. Every other position has one writer, who has seen all commits.
    """
    if seen:
        return position
    ##= run.advance.concurrency-by-kind
    if kind is not CursorKind.MONOTONIC:
        raise Transient(f"another writer has moved the position to {standing} since this run opened: run it again")
    if position is None:
        return standing  # a writer that has seen nothing takes nobody back
    held, came = _held(standing), _held(position)
    if held is None or came is None or held["field"] != came["field"]:
        return position
    return standing if before(came["field"], came["at"], held["at"]) else position


def eased(floor: Clock | None, lateness_ms: int) -> Clock | None:
    """The floor less a table's allowed lateness. A number is taken for seconds."""
    ##= run.advance.allowed-lateness
    match floor:
        case str() if lateness_ms and (at := _instant(floor)) is not None:
            return (at - timedelta(milliseconds=lateness_ms)).isoformat().replace("+00:00", "Z")
        case int() | float() if lateness_ms:
            return floor - lateness_ms / 1_000
        case _:
            return floor


def frontier(field: str, so_far: Clock | None, clocks: Sequence[object]) -> Clock | None:
    """The highest value seen: where the frontier stood, or one of these. It never goes back."""
    ##= run.advance.frontier
    for clock in clocks:
        if so_far is None or not before(field, clock, so_far):
            so_far = _clock(field, clock)
    return so_far


def bounds(field: str, clocks: Sequence[object]) -> tuple[Clock, ...]:
    """The lowest and the highest of the values; nothing where there are none."""
    lowest: Clock | None = None
    for each in clocks:
        if lowest is None or before(field, each, lowest):
            lowest = _clock(field, each)
    highest = frontier(field, None, clocks)
    return () if lowest is None or highest is None else (lowest, highest)


def clock(field: str, row: Mapping[str, object]) -> object:
    """A row's clock value. A field that opens with `/` is a pointer into the row."""
    if not field.startswith("/"):
        return row.get(field)
    return pointer.found(row, field)


def before(field: str, clock: object, other: object) -> bool:
    """Whether a clock value comes before another. Numbers have an order, and texts; a mixture has none."""
    left, right = _clock(field, clock), _clock(field, other)
    if isinstance(left, str) and isinstance(right, str):
        instants = _instant(left), _instant(right)
        if instants[0] is not None and instants[1] is not None:
            return instants[0] < instants[1]
        return left < right
    if isinstance(left, str) or isinstance(right, str):
        raise CursorPositionUnorderable(field=field, value=json.dumps(clock))
    return left < right


def beyond(field: str, frontier: Clock | None, clocks: Sequence[object]) -> bool:
    """Whether rows all come after the frontier: then no instant has rows on either side of a commit between."""
    return frontier is not None and all(before(field, frontier, clock) for clock in clocks)


def admitted(
    field: str, floor: Clock | None, clocks: Sequence[object], *, until: Clock | None = None
) -> Sequence[bool]:
    """Which rows land: those at the floor or after it, and before the end of a window."""
    ##= run.advance.inclusive-boundary
    return [
        (floor is None or not before(field, clock, floor)) and (until is None or before(field, clock, until))
        for clock in clocks
    ]


def from_row(row: Row | None, scope: own.Scope) -> Cursor:
    """The cursor of a scope; one that has never moved where there is no row."""
    if row is None:
        return Cursor(scope.key())
    marker = Marker(
        cast(str, row["marker_run_id"]), cast(int, row["marker_committed_ms"]), cast(str | None, row["position"])
    )
    return Cursor(scope.key(), cast(int, row["version"]), marker)


def _held(position: str | None) -> dict[str, Any] | None:
    """The watermark that a position is, if it is one."""
    held = None if position is None else json.loads(position)
    return held if isinstance(held, dict) and held.keys() == {"field", "at"} else None


def _clock(field: str, value: object) -> Clock:
    ##= run.advance.unorderable-position
    if isinstance(value, bool) or not isinstance(value, int | float | str) or value != value:
        raise CursorPositionUnorderable(field=field, value=json.dumps(value))
    return value


def _instant(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo is not None else None


def _lapsed(run_id: str, lease: record.Lease) -> Change:
    """An attempt that renews its lease after all keeps its owner."""
    return Require(record.RUN, {"run_id": run_id}, {"lease_expires_ms": lease.expires_ms})
