"""Pulls: what a source is asked, what it answers, and whether it is asked again."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import msgspec

from contextful_contract.errors import ConnectorPageLoop

QUICK = 1  # the level that takes the least time; rows of one table have much in common
Record = Mapping[str, Any]  # one row as its source told it
_ROWS = msgspec.json.Decoder(list[dict[str, Any]])
_WRITTEN = msgspec.json.Encoder()
NONE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Ask:
    """Where a pull begins: the source's own position as JSON, and the clock value of a poll's floor."""

    position: str | None = None
    floor: int | float | str | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """What a pull answers, and the journal records: rows, packed, the position after them, types that it declares."""

    packed: bytes
    row_count: int
    position: str | None
    more: bool
    skipped: int = 0
    types: Mapping[str, str] = field(default_factory=dict)

    def records(self) -> list[dict[str, Any]]:
        """The rows, one dict each."""
        return _ROWS.decode(zlib.decompress(self.packed))


def batch(
    rows: list[dict[str, Any]],
    *,
    position: str | None,
    more: bool,
    skipped: int = 0,
    types: Mapping[str, str] = NONE,
) -> Batch:
    """The answer that holds these rows."""
    return packed(_WRITTEN.encode(rows), len(rows), position=position, more=more, skipped=skipped, types=types)


def packed(
    rows: bytes,
    row_count: int,
    *,
    position: str | None,
    more: bool,
    skipped: int = 0,
    types: Mapping[str, str] = NONE,
) -> Batch:
    """The answer that holds the rows of a JSON list. It is squeezed, for it is recorded before it is landed."""
    return Batch(zlib.compress(rows, QUICK), row_count, position, more, skipped, dict(types))


def onward(asked: Set[str | None], ask: Ask, answer: Batch, *, monotonic: bool) -> bool:
    """Whether another pull follows, at a position that this walk has not asked yet."""
    if not answer.more:
        return False
    if monotonic and answer.position == ask.position:
        return False  ##= run.advance.walk-position
    if answer.position in asked:
        raise ConnectorPageLoop(url=str(answer.position))  ##= connector.source.page-loop
    return True
