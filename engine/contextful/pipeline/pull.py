"""Pulls: what a source is asked, what it answers, and whether it is asked again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from contextful_contract.errors import ConnectorPageLoop

Record = Mapping[str, Any]  # one row as its source told it
_ROWS = msgspec.json.Decoder(list[dict[str, Any]])
_WRITTEN = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class Ask:
    """Where a pull begins: the source's own position as JSON, and the clock value of a poll's floor."""

    position: str | None = None
    floor: int | float | str | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """What a pull answers, and the journal records: rows as the JSON of a list, and the position after them."""

    rows: bytes
    row_count: int
    position: str | None
    more: bool
    skipped: int = 0

    def records(self) -> list[dict[str, Any]]:
        """The rows, one dict each."""
        return _ROWS.decode(self.rows)


def batch(rows: list[dict[str, Any]], *, position: str | None, more: bool, skipped: int = 0) -> Batch:
    """The answer that holds these rows."""
    return Batch(_WRITTEN.encode(rows), len(rows), position, more, skipped)


def onward(asked: frozenset[str | None], ask: Ask, answer: Batch, *, monotonic: bool) -> bool:
    """Whether another pull follows, at a position that this walk has not asked yet."""
    if not answer.more:
        return False
    if monotonic and answer.position == ask.position:
        return False  ##= run.advance.walk-position
    if answer.position in asked:
        raise ConnectorPageLoop(url=str(answer.position))  ##= connector.source.page-loop
    return True
