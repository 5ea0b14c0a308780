"""The store's own table of runs: appended to, and read from its beginning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from contextful.store.runs import Record


class RunTable(Protocol):
    """Rows that are appended and never changed."""

    def append(self, records: Sequence[Record]) -> None:
        """Append the rows, all or none; they outlast the process."""

    def batches(self) -> Iterator[Sequence[Record]]:
        """All rows, in the order in which they were appended, so many at a time."""

    def newest(self, *, pipeline: str | None, since_ms: int | None, as_of_ms: int, limit: int) -> Sequence[Record]:
        """Of each run the row that tells most as of the instant; those that started last come first."""
