"""Pulls: what a source is asked, what it answers, and whether it is asked again."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import msgspec

from contextful.kernel.failure import Permanent
from contextful_contract.errors import ConnectorPageLoop

QUICK = 1  # the level that takes the least time; rows of one table have much in common
Record = Mapping[str, Any]  # one row as its source told it
_ROWS = msgspec.json.Decoder(list[dict[str, Any]])
_WRITTEN = msgspec.json.Encoder()
NONE: Mapping[str, str] = {}
INFINITE = float("inf")
NO_NUMBER = "which JSON has no number for, so it cannot land: make it null, or a text"


class Inventory(Enum):
    """What a snapshot source says of what it lists, whatever the number of rows."""

    COMPLETE = "complete"  # that is all there is
    UNCHANGED = "unchanged"  # all is as it was, and none of it is told again


@dataclass(frozen=True, slots=True)
class Ask:
    """Where a pull begins: the source's own position as JSON, and the clock value of a poll's floor.

    What a chunk of a backfill asks for ends before `until`.
    """

    position: str | None = None
    floor: int | float | str | None = None
    until: int | float | str | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """What a pull answers, and the journal records: rows, packed, the position after them, types that it declares."""

    packed: bytes
    row_count: int
    position: str | None
    more: bool
    skipped: int = 0
    types: Mapping[str, str] = field(default_factory=dict)
    inventory: Inventory | None = None

    def records(self) -> list[dict[str, Any]]:
        """The rows, one dict each."""
        return _ROWS.decode(unpacked(self))


def pack(rows: Sequence[Record]) -> bytes:
    """Rows as a batch holds them. Raises Permanent where a text of one is no Unicode, or a number of one no number."""
    try:
        written = _WRITTEN.encode(rows)
    except UnicodeEncodeError:
        raise Permanent(f"{_halved(rows)}, in which a character is half of one: it cannot land") from None
    if b"null" in written:  # as which JSON has what is no number, too
        for number, row in enumerate(rows):
            for column, value in row.items():
                if not finite(value):
                    raise Permanent(
                        f"column {column!r:.80} of row {number} of this batch has {value!r:.80}, {NO_NUMBER}"
                    )
    return _squeezed(written)


def finite(value: object) -> bool:
    """Whether every number in the value is one: neither infinite nor NaN."""
    if isinstance(value, float):
        return -INFINITE < value < INFINITE
    if isinstance(value, Mapping):
        return all(map(finite, value.values()))
    return not isinstance(value, list | tuple) or all(map(finite, value))


def unpacked(batch: Batch) -> bytes:
    """The rows of a batch as the JSON of a list."""
    return zlib.decompress(batch.packed)


def batch(
    rows: list[dict[str, Any]],
    *,
    position: str | None,
    more: bool,
    skipped: int = 0,
    types: Mapping[str, str] = NONE,
    inventory: Inventory | None = None,
) -> Batch:
    """The answer that holds these rows."""
    return Batch(pack(rows), len(rows), position, more, skipped, dict(types), inventory)


def packed(rows: bytes, row_count: int, *, position: str | None, more: bool) -> Batch:
    """The answer that holds the rows of a JSON list."""
    return Batch(_squeezed(rows), row_count, position, more)


def onward(asked: Set[str | None], ask: Ask, answer: Batch, *, monotonic: bool) -> bool:
    """Whether another pull follows, at a position that this walk has not asked yet."""
    if not answer.more:
        return False
    if monotonic and answer.position == ask.position:
        return False  ##= run.advance.walk-position
    if answer.position in asked:
        raise ConnectorPageLoop(url=str(answer.position))  ##= connector.source.page-loop
    return True


def _halved(rows: Sequence[Record]) -> str:
    """The first column whose name or value cannot be written."""
    for number, row in enumerate(rows):
        for column, value in row.items():
            try:
                _WRITTEN.encode([column, value])
            except UnicodeEncodeError:
                return f"column {column!r:.80} of row {number} of this batch has {value!r:.80}"
    raise AssertionError("some row could not be written")


def _squeezed(rows: bytes) -> bytes:
    """A batch is recorded before it is landed, and rows are long."""
    return zlib.compress(rows, QUICK)
