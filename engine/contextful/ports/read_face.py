"""Read faces: questions in SQL about what is committed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

Cell = object
NONE: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Answer:
    """What a statement selected: the columns' names and types, the rows, and whether there were more.

    `snapshots` says of each table that it touched which of its snapshots, or else of its commits, is the newest in it.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    truncated: bool
    snapshots: Mapping[str, str] = field(default_factory=dict)


class ReadFace(Protocol):
    """Reads, and nothing else."""

    def query(
        self,
        sql: str,
        *,
        rows_max: int,
        as_of_ms: int | None = None,
        available_as_of_ms: int | None = None,
        tables_as_of_ms: Mapping[str, int] = NONE,
    ) -> Answer:
        """What one SELECT answers, up to a ceiling of rows, of the store as it stood at the first instant.

        Of tables that say when each row could be known, it takes in what could be at the second. A table that is named
        is read as it stood at an instant of its own.
        """
