"""authority.redact, as a pipeline performs it: a table's one canonical writer shapes and removes before the record.

pull --guard--> rows --normalize, transform, remove--> prepared --record--> staged     a table with rules
pull --guard--> rows --record--> normalize, transform, remove --> staged               any other
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

from contextful.authority import mask, redact
from contextful.kernel import digest
from contextful.kernel.failure import Failed, Failure
from contextful.pipeline import pull, reshape
from contextful.pipeline.pull import Ask, Batch
from contextful.pipeline.reshape import Row, Transform
from contextful.run import advance
from contextful_contract.shapes import FailureTag, RedactionRule

Passing = Callable[[str], object]
ENDS: tuple[object, ...] = (None, {"next": None})


def nobody(_: str) -> None:
    """Nobody is told what a batch has passed."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is recorded of a protected pull: the batch as it lands, whose it is, and the clocks of all that was fetched.

    Of the clocks the lowest and the highest are told, in that order.
    """

    batch: Batch
    writer: str
    clocks: tuple[advance.Clock, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A batch on its way into the table: its rows, the types of its columns, and the clocks of all that was fetched."""

    rows: list[Row]
    types: Mapping[str, str]
    clocks: tuple[advance.Clock, ...]


@dataclass(frozen=True, slots=True)
class Writer:
    """How a table's rows are shaped, and what is removed from them."""

    table: str
    nesting: int = 0
    transforms: tuple[Transform, ...] = ()
    rules: tuple[RedactionRule, ...] = ()
    removes: tuple[str, ...] = ()  # where nothing is recorded, nothing has to be prepared
    pepper: bytes | None = None

    @property
    def protects(self) -> bool:
        """Whether what is recorded has to be prepared."""
        return bool(self.rules)

    def identities(self, shape: object) -> Mapping[str, str]:
        """What a protected recording is bound to, by name, beside its plan."""
        if not self.protects:
            return {}
        ##= run.journal.prepared-owner
        return {
            "shape": digest.of([shape, [repr(transform) for transform in self.transforms]]),
            "declarations": digest.of([repr(rule) for rule in self.rules]),
            "normalization": digest.of(self.nesting),
            "pepper": mask.identity(self.pepper),
        }

    def written(self, batch: Batch, ask: Ask, *, field: str | None, passing: Passing) -> Written:
        """The batch as its table takes it. Rows before the floor are none of it, and count for their clocks.

        Rows past the window that was asked for count for nothing.
        """
        rows = batch.records()
        bounds: tuple[advance.Clock, ...] = ()
        if field is not None:
            clocks = [advance.clock(field, row) for row in rows]
            bounds = advance.bounds(field, clocks)  # first, for what has no order makes no part
            if ask.until is not None:
                within = advance.admitted(field, None, clocks, until=ask.until)
                rows, clocks = list(compress(rows, within)), list(compress(clocks, within))
                bounds = advance.bounds(field, clocks)
            rows = list(compress(rows, advance.admitted(field, ask.floor, clocks)))
        rows = reshape.normalized(rows, self.nesting)
        passing("normalize")
        rows = reshape.transformed(rows, self.transforms)
        passing("transform")
        removals = redact.removals(self.rules, self.pepper)
        rows = [_without(row, removals, self.removes) for row in rows] if removals or self.removes else rows
        passing("redact")
        return Written(rows, reshape.retyped(batch.types, self.transforms), bounds)

    def removed(self, row: Row) -> Row:
        """The row as it may be recorded, of a source that has no shape but its own."""
        return _without(row, redact.removals(self.rules, self.pepper), self.removes)

    def prepared(self, batch: Batch, ask: Ask, identity: str, *, field: str | None, passing: Passing) -> Prepared:
        """What is recorded instead of the batch."""
        self._continuation(batch)
        written = self.written(batch, ask, field=field, passing=passing)
        kept = replace(batch, packed=pull.pack(written.rows), row_count=len(written.rows), types=dict(written.types))
        return Prepared(kept, identity, written.clocks)  ##= authority.redact.before-the-record

    def admitted(self, recorded: Prepared, identity: str) -> Written:
        """What was recorded, if this writer prepared it."""
        if recorded.writer != identity:
            raise _foreign(self.table)  ##= run.journal.prepared-replay
        return Written(recorded.batch.records(), recorded.batch.types, recorded.clocks)

    def _continuation(self, batch: Batch) -> None:
        """See that a position, which is stored as it came, holds nothing that a rule removes."""
        held = None if batch.position is None else json.loads(batch.position)
        if held in ENDS:
            return
        removed = {rule.column.lower() for rule in self.rules if rule.match is None}
        values = {
            value
            for row in batch.records()
            for name, value in row.items()
            if name.lower() in removed and isinstance(value, str)
        }
        if any(text in values or redact.changes(self.rules, text) for text in _texts(held)):
            ##= authority.redact.continuation
            said = f"the source's position would keep what is removed from table {self.table}: have it give another"
            raise Failed(Failure(FailureTag.SCHEMA_INCOMPATIBLE, said))


def own_making(table: str, answer: object) -> Batch:
    """What a source answers, if it is a batch: nobody but the writer prepares."""
    if not isinstance(answer, Batch):
        raise _foreign(table)  ##= authority.redact.no-foreign-envelope
    return answer


def _foreign(table: str) -> Failed:
    said = f"what is to land in table {table} comes prepared, and not by the table's own writer"
    return Failed(Failure(FailureTag.SCHEMA_INCOMPATIBLE, said))


def _without(row: Row, removals: Mapping[str, redact.Removal], removes: Sequence[str]) -> Row:
    return {name: _left(value, removals.get(name.lower())) for name, value in row.items() if name not in removes}


def _left(value: Any, removal: redact.Removal | None) -> Any:
    return value if removal is None or value is None else removal(value)


def _texts(held: object) -> list[str]:
    """Every text that a position holds, and its numbers as text."""
    match held:
        case dict():
            return [text for pair in held.items() for each in pair for text in _texts(each)]
        case list():
            return [text for item in held for text in _texts(item)]
        case None:
            return []
        case _:
            return [str(held)]
