"""run.backfill: history is cut into chunks, each of which is owned, leased and retired by itself.

pending --claim--> pending, leased --lands, its owner retires--> done
   ^                    |                                          |
   +-- fails, stops ----+                                          |
   +------------------- a rewind of a window that overlaps it -----+
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import cast

from contextful.kernel import instant
from contextful.kernel.change import Change, Insert, Update
from contextful.kernel.failure import Transient
from contextful.kernel.table import Kind, Row, Table
from contextful.run.advance import Clock
from contextful.run.own import own
from contextful_contract import limits
from contextful_contract.errors import PipelineChunkParallelism, PipelineRewindWindowInvalid
from contextful_contract.shapes import CursorKind

CHUNK = Table(
    "chunk",
    key=("pipeline_id", "table_name", "ordinal"),
    columns={
        "pipeline_id": Kind.TEXT,
        "table_name": Kind.TEXT,
        "ordinal": Kind.INTEGER,
        "begins": Kind.TEXT,
        "ends": Kind.TEXT,
        "status": Kind.TEXT,
        "attempt": Kind.INTEGER,
        "rewinds": Kind.INTEGER,
        "holder": Kind.TEXT,
        "expires_ms": Kind.INTEGER,
        "started_ms": Kind.INTEGER,
        "done_ms": Kind.INTEGER,
    },
)
SPELLING = re.compile(r"\[\s*([^,\s]+)\s*,\s*([^,\s]+)\s*\)")
NUMBER = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
FITS = 'whole numbers or UTC instants such as "2026-03-01T00:00:00Z", both of one kind'


class Status(Enum):
    """Where a chunk stands. Who is at work on it, its lease tells."""

    PENDING = "pending"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Window:
    """A half-open stretch of the cursor: what begins it is inside, what ends it is not."""

    begins: Clock
    ends: Clock

    def __str__(self) -> str:
        return f"[{self.begins}, {self.ends})"

    def overlaps(self, other: Window) -> bool:
        """Whether they have something in common."""
        return max(_at(self.begins), _at(other.begins)) < min(_at(self.ends), _at(other.ends))


@dataclass(frozen=True, slots=True)
class Span:
    """A backfill as it is declared: from where to where, and how much of it a chunk has at most.

    `step` is in units of the cursor; of instants, milliseconds.
    """

    window: Window
    step: int
    units: int = 1


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk as the catalog has it. `attempt` counts those who have claimed it, `rewinds` those who sent it back."""

    pipeline_id: str
    table: str
    ordinal: int
    window: Window
    status: Status = Status.PENDING
    attempt: int = 0
    rewinds: int = 0
    holder: str | None = None
    expires_ms: int | None = None

    @property
    def name(self) -> str:
        """What people call it."""
        return f"c-{self.ordinal}"

    @property
    def scope(self) -> own.ChunkScope:
        """What a run of it owns."""
        return own.ChunkScope(self.pipeline_id, self.table, self.name)

    @property
    def lane(self) -> str:
        """Under whose name its commits stand in the store, apart from those of the live pulls and of earlier rounds."""
        again = f"#{self.rewinds}" if self.rewinds else ""
        return f"{self.pipeline_id}/{self.window}{again}"

    @property
    def landed(self) -> str:
        """The position of the commit that completes it."""
        return json.dumps({"until": self.window.ends}, separators=(",", ":"), ensure_ascii=False)


def plan(kind: CursorKind, span: Span) -> Sequence[Window]:
    """The chunks that the span is cut into."""
    ##= run.backfill.chunk-plan
    if kind is CursorKind.OPAQUE_TOKEN:
        return (span.window,)  # a token says nothing of where another chunk would begin
    cuts: list[Window] = []
    begins = span.window.begins
    while _at(begins) < _at(span.window.ends):  # ends: each cut is a step further
        ends = min(_further(begins, span.step), span.window.ends, key=_at)
        cuts.append(Window(begins, ends))
        begins = ends
    return cuts


def extended(kind: CursorKind, span: Span, standing: Sequence[Chunk]) -> Sequence[Window]:
    """What the span has beyond the chunks on record, which stay as they were cut."""
    left: list[Window] = []
    begins = span.window.begins
    for chunk in sorted(standing, key=lambda each: _at(each.window.begins)):
        if _at(begins) < _at(chunk.window.begins):
            gap = Window(begins, min(chunk.window.begins, span.window.ends, key=_at))
            left += plan(kind, replace(span, window=gap))
        begins = max(begins, chunk.window.ends, key=_at)
    return [*left, *plan(kind, replace(span, window=Window(begins, span.window.ends)))]


def count(kind: CursorKind, span: Span) -> int:
    """How many chunks that are, for whoever would not want them all."""
    if kind is CursorKind.OPAQUE_TOKEN:
        return 1
    return math.ceil((_at(span.window.ends) - _at(span.window.begins)) / span.step)


def admit_units(pipeline_id: str, kind: CursorKind, units: int) -> int:
    """How many chunks are worked on at a time, if they may be."""
    if kind is CursorKind.OPAQUE_TOKEN and units > limits.CHUNK_SEQUENTIAL_UNITS:
        raise PipelineChunkParallelism(pipeline=pipeline_id, asked=units)  ##= run.backfill.chunk-parallelism
    return units


def planned(chunk: Chunk) -> Change:
    """The chunk as it is first on record."""
    return Insert(CHUNK, to_row(chunk))


def claimed(standing: Chunk, holder: str, now_ms: int) -> Chunk:
    """The chunk in the hands of another attempt, unless somebody is at work on it or it is done."""
    if standing.status is Status.DONE:
        raise Transient(f"chunk {standing.name} of {standing.table} was done meanwhile")
    if standing.expires_ms is not None and now_ms < standing.expires_ms:
        raise Transient(
            f"somebody is at work on chunk {standing.name} of {standing.table}, until"
            f" {instant.spell(standing.expires_ms)} unless they renew their lease"
        )
    ##= run.backfill.chunk-lease
    expires_ms = now_ms + limits.CHUNK_LEASE_TTL_MS
    return replace(standing, attempt=standing.attempt + 1, holder=holder, expires_ms=expires_ms)


def claim(standing: Chunk, taken: Chunk, now_ms: int) -> Change:
    """The chunk passes to the attempt, if it still stands as it was seen."""
    held: Row = {"attempt": taken.attempt, "holder": taken.holder, "expires_ms": taken.expires_ms}
    seen: Row = {"expires_ms": standing.expires_ms, **_standing(standing)}
    return Update(CHUNK, _key(standing), seen, {**held, "started_ms": now_ms})


def renewed(taken: Chunk, now_ms: int) -> Change:
    """Five more minutes, if the chunk is still this attempt's."""
    seen: Row = {"holder": taken.holder, **_standing(taken)}
    return Update(CHUNK, _key(taken), seen, {"expires_ms": now_ms + limits.CHUNK_LEASE_TTL_MS})


def done(taken: Chunk, now_ms: int) -> Change:
    """The chunk is done, if its attempt and its status are those that its worker began with."""
    set_: Row = {"status": Status.DONE.value, "holder": None, "expires_ms": None, "done_ms": now_ms}
    return Update(CHUNK, _key(taken), _standing(taken), set_)  ##= run.backfill.chunk-commit


def released(taken: Chunk) -> Change:
    """The chunk is free for the next attempt, and has the attempts that it had."""
    seen: Row = {"holder": taken.holder, **_standing(taken)}
    return Update(CHUNK, _key(taken), seen, {"holder": None, "expires_ms": None})


def rewound(standing: Chunk) -> Change:
    """The chunk is to be read again, from its beginning."""
    set_: Row = {
        "status": Status.PENDING.value,
        "rewinds": standing.rewinds + 1,
        "holder": None,
        "expires_ms": None,
        "done_ms": None,
    }
    seen: Row = {"holder": standing.holder, "rewinds": standing.rewinds, **_standing(standing)}
    return Update(CHUNK, _key(standing), seen, set_)  ##= run.backfill.chunk-rewind


def overlapping(window: Window, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """The chunks that the window has something of."""
    return [chunk for chunk in chunks if chunk.window.overlaps(window)]


def to_rewind(text: str, chunks: Sequence[Chunk]) -> Window:
    """The window that an operator names, in the units of the chunks that there are."""
    spelled = SPELLING.fullmatch(text.strip())
    begins, ends = (None, None) if spelled is None else (bound(spelled[1]), bound(spelled[2]))
    reason = None
    if begins is None or ends is None or not _like(begins, ends):
        reason = f"its bounds are not {FITS}, as in [0, 10)"
    elif _at(ends) < _at(begins):
        reason = "it ends before it begins"
    elif chunks and not _like(begins, chunks[0].window.begins):
        reason = f"the chunks are cut as {chunks[0].window} is"
    if reason is not None:
        raise PipelineRewindWindowInvalid(window=text, reason=reason)  ##= run.backfill.rewind-window-invalid
    assert begins is not None
    assert ends is not None
    return Window(begins, ends)


def bound(text: str) -> Clock | None:
    """The bound that a text spells: a number, or an instant; none where it is neither."""
    if NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return None if instant.read(text) is None else text


def measure(begins: Clock, step: int | str) -> int | None:
    """A step in the units of the bound: between instants a length of time, else a number; none where it is not that."""
    if isinstance(begins, str):
        return instant.span_ms(step)
    return step if isinstance(step, int) else None


def is_window(begins: Clock, ends: Clock) -> bool:
    """Whether both bounds are of one kind, and the end comes after the beginning."""
    return _like(begins, ends) and _at(begins) < _at(ends)


def to_row(chunk: Chunk) -> Row:
    """The chunk as the catalog keeps it."""
    return {
        **_key(chunk),
        "begins": json.dumps(chunk.window.begins),
        "ends": json.dumps(chunk.window.ends),
        "rewinds": chunk.rewinds,
        **_standing(chunk),
    }


def from_row(row: Row) -> Chunk:
    """The chunk that a row stands for."""
    return Chunk(
        pipeline_id=cast(str, row["pipeline_id"]),
        table=cast(str, row["table_name"]),
        ordinal=cast(int, row["ordinal"]),
        window=Window(json.loads(cast(str, row["begins"])), json.loads(cast(str, row["ends"]))),
        status=Status(row["status"]),
        attempt=cast(int, row["attempt"]),
        rewinds=cast(int, row["rewinds"]),
        holder=cast(str | None, row["holder"]),
        expires_ms=cast(int | None, row["expires_ms"]),
    )


def _key(chunk: Chunk) -> Row:
    return {"pipeline_id": chunk.pipeline_id, "table_name": chunk.table, "ordinal": chunk.ordinal}


def _standing(chunk: Chunk) -> Row:
    return {"attempt": chunk.attempt, "status": chunk.status.value}


def _further(begins: Clock, step: int) -> Clock:
    return instant.spell(int(_at(begins)) + step) if isinstance(begins, str) else begins + step


def _at(bound: Clock) -> int | float:
    """A bound as a number: an instant by its milliseconds."""
    if not isinstance(bound, str):
        return bound
    at_ms = instant.read(bound)
    assert at_ms is not None, "a bound is a number or an instant"
    return at_ms


def _like(bound: Clock, other: Clock) -> bool:
    return isinstance(bound, str) == isinstance(other, str)
