"""Reads recorded values ahead of a replay, a page at a time, in the order in which they were recorded."""

from __future__ import annotations

from itertools import count
from typing import cast

from contextful.kernel.table import Row, Select
from contextful.ports.rows import Rows
from contextful.run.journal import journal

PAGE_ROWS = 256  # of values up to 4 KiB, so a page is at most 1 MiB


class ReadAhead:
    """One attempt's window on what earlier attempts recorded. A value that it misses is read from its own row."""

    def __init__(self, rows: Rows, execution_id: str, *, resumed: bool) -> None:
        self._rows = rows
        self._execution_id = execution_id
        self._page: dict[tuple[str, str], journal.Recorded] = {}
        self.resumed = resumed
        self._ordinals = count(self._next() if resumed else 0)
        if resumed:
            self._load(0)

    def ordinal(self) -> int:
        """The next value's turn in a replay."""
        return next(self._ordinals)

    def take(self, step_label: str, input_hash: str) -> journal.Recorded | None:
        """The recorded value, if it has been read ahead; it is handed out once."""
        return self._page.pop((step_label, input_hash), None)

    def forget(self) -> None:
        """Nothing that was read ahead stands any more."""
        self._page.clear()

    def missed(self, row: Row | None) -> None:
        """A recorded value was read from its own row: read on from there, once the page is used up."""
        if row is not None and row["ahead"] not in (None, journal.BEHIND) and not self._page:
            self._load(cast(int, row["ahead"]) + 1)

    def _load(self, since: int) -> None:
        asked = Select(journal.ENTRY, {"execution_id": self._execution_id}, order="ahead", since=since, limit=PAGE_ROWS)
        for row in self._rows.select(asked):
            state = journal.from_row(row)
            assert isinstance(state, journal.Recorded), "only recorded values have a turn"
            self._page[(cast(str, row["step_label"]), cast(str, row["input_hash"]))] = state

    def _next(self) -> int:
        asked = Select(journal.ENTRY, {"execution_id": self._execution_id}, order="ahead", descending=True, limit=1)
        last = self._rows.select(asked)
        return cast(int, last[0]["ahead"]) + 1 if last else 0
