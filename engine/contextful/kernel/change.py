"""What a commit asks of a row. A commit applies every change that it is given, or none.

Every step makes some of them, so those are named tuples: a frozen dataclass takes four times as long to make.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from contextful.kernel.table import Row, Table

NOTHING_MORE: Mapping[str, str | int | bytes | None] = {}


class Insert(NamedTuple):
    """The row must not stand yet."""

    table: Table
    row: Row


class Update(NamedTuple):
    """The row must stand and still hold what `expect` says; then it holds `set` too."""

    table: Table
    key: Row
    expect: Row
    set: Row


@dataclass(frozen=True, slots=True)
class Delete:
    """The row must stand and still hold what `expect` says; then it is gone."""

    table: Table
    key: Row
    expect: Row = field(default_factory=lambda: NOTHING_MORE)


class Require(NamedTuple):
    """The row must stand and hold what `expect` says; it is left alone."""

    table: Table
    key: Row
    expect: Row = NOTHING_MORE


@dataclass(frozen=True, slots=True)
class Clear:
    """Every row under the opening columns of a key is gone, however many stood there."""

    table: Table
    prefix: Row

    def __post_init__(self) -> None:
        assert self.prefix, "a table is never emptied whole"
        assert tuple(self.prefix) == self.table.key[: len(self.prefix)], "a prefix opens the key"


Change = Insert | Update | Delete | Require | Clear


class Survives(Enum):
    """What a commit outlives once it is answered."""

    PROCESS = "process"
    POWER_LOSS = "power loss"
