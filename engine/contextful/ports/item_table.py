"""The store's own table of items: appended to, one row an item that has ended."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Protocol

from contextful_contract.shapes import ItemRow


class ItemTable(Protocol):
    """Rows that are appended and never changed."""

    def append(self, rows: Sequence[ItemRow]) -> None:
        """Append the rows, all or none; they outlast the process."""

    def holding(self, execution_ids: Sequence[str]) -> Set[str]:
        """Which of these executions have their row."""
