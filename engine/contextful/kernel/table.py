"""A table as the contract's operations declare it, and the one way to ask it for several rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

Scalar = str | int | bytes | None
Row = Mapping[str, Scalar]


class Kind(Enum):
    """What a column holds. A column that a row does not name is null."""

    TEXT = "text"
    INTEGER = "integer"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A name, the key that makes a row one of a kind, the columns, and what may be searched by.

    An index holds only the rows whose last indexed column is not null.
    """

    name: str
    key: tuple[str, ...]
    columns: Mapping[str, Kind]
    indexes: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        for column in (*self.key, *(name for index in self.indexes for name in index)):
            assert column in self.columns, f"{self.name} declares no column {column}"

    def key_of(self, row: Row) -> tuple[Scalar, ...]:
        """The key's values, in the key's order."""
        return tuple(row[column] for column in self.key)


@dataclass(frozen=True, slots=True)
class Select:
    """Up to `limit` rows equal in some columns, in the order of one more and then of the key.

    The columns must open the key, or be those of a declared index, so that no search can become a scan. Rows without
    a value to be ordered by are left out.
    """

    table: Table
    equal: Row
    order: str | None = None
    since: Scalar = None
    before: Scalar = None
    descending: bool = False
    limit: int = 1_000

    def __post_init__(self) -> None:
        assert self.path() is not None, f"{self.table.name} has no index over {[*self.equal, self.order]}"
        assert self.order is not None or (self.since is None and self.before is None), "a range needs an order"
        assert self.limit > 0, "a selection is bounded"

    def path(self) -> tuple[str, ...] | None:
        """The columns by which the rows are found: those of the key, or of an index that holds all of them."""
        equal_count, order = len(self.equal), () if self.order is None else (self.order,)
        for path in (self.table.key, *self.table.indexes):
            if set(path[:equal_count]) != set(self.equal) or path[equal_count:][: len(order)] != order:
                continue
            whole = len(path) == equal_count + len(order) and self.equal.get(path[-1], order) is not None
            if path is self.table.key or whole:
                return path
        return None

    def ordering(self) -> tuple[str, ...]:
        """The columns that decide the order: the asked one, then the key's."""
        first = () if self.order is None else (self.order,)
        return first + tuple(column for column in self.table.key if column != self.order)
