"""Rows: the one storage verb."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contextful.kernel.change import Change, Survives
from contextful.kernel.table import Row, Scalar, Select, Table


class Rows(Protocol):
    """Typed rows under keys, changed all or none."""

    def get(self, table: Table, key: Sequence[Scalar]) -> Row | None:
        """The row whose key holds these values, in the key's order."""

    def select(self, select: Select) -> Sequence[Row]:
        """The rows that the selection names, in its order."""

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:
        """Apply every change, or none where one does not find what it expects. True: applied, and kept.

        No two of them may meet in one row, so that their order means nothing.
        """

    def now_ms(self, local_ms: int) -> int:
        """The instant by which leases are judged: the store's own, or `local_ms` where it has no clock."""

    def close(self) -> None:
        """Let go of what the store holds open."""
