"""run.land, normalization and transforms: rows as their pipeline wants them, each by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from contextful.kernel.failure import Failed, Failure
from contextful_contract import limits
from contextful_contract.shapes import FailureTag

Row = dict[str, Any]
JOINT = "__"


@dataclass(frozen=True, slots=True)
class Rename:
    """Columns under other names."""

    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Drop:
    """Without these columns."""

    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """Only the rows whose column holds one of the values; or, turned round, none of them."""

    column: str
    values: tuple[str | int | float | bool, ...]
    turned: bool = False


Transform = Rename | Drop | Keep


def normalized(rows: Sequence[Row], nesting: int) -> list[Row]:
    """The rows, objects within them spread into columns of their own, so many levels deep."""
    assert 0 <= nesting <= limits.NORMALIZE_NESTING_DEPTH_LEVELS
    ##= run.land.normalize
    return [_spread(row, nesting) for row in rows] if nesting else list(rows)


def transformed(rows: Sequence[Row], chain: Sequence[Transform]) -> list[Row]:
    """The rows after each transform of the chain."""
    for transform in chain:
        rows = _transformed(rows, transform)  ##= run.land.transform
    return list(rows)


def lands_as(field: str, nesting: int, chain: Sequence[Transform]) -> set[str]:
    """The columns in which the values of a row's field may come to stand. One that opens with `/` is a pointer."""
    way = field.split("/")[1:] if field.startswith("/") else [field]
    columns = {JOINT.join(way[:depth]) for depth in range(1, min(len(way), nesting + 1) + 1)}
    for transform in chain:
        if isinstance(transform, Rename):
            columns |= {transform.names[column] for column in columns if column in transform.names}
    return columns


def retyped(types: Mapping[str, str], chain: Sequence[Transform]) -> Mapping[str, str]:
    """The types that a pull declares, under the names that its columns have then."""
    for transform in chain:
        if isinstance(transform, Rename):
            types = {transform.names.get(name, name): kind for name, kind in types.items()}
    return types


def _spread(row: Row, nesting: int) -> Row:
    spread: Row = {}
    for name, value in row.items():
        within = _spread(value, nesting - 1) if nesting and isinstance(value, dict) and value else None
        for joined, item in {name: value}.items() if within is None else _joined(name, within):
            if joined in spread:
                raise _twice(joined)
            spread[joined] = item
    return spread


def _joined(name: str, within: Row) -> list[tuple[str, Any]]:
    return [(f"{name}{JOINT}{inner}", item) for inner, item in within.items()]


def _transformed(rows: Sequence[Row], transform: Transform) -> Sequence[Row]:
    match transform:
        case Rename(names):
            return [_renamed(row, names) for row in rows]
        case Drop(columns):
            return [{name: value for name, value in row.items() if name not in columns} for row in rows]
        case Keep(column, values, turned):
            return [row for row in rows if _among(row.get(column), values) is not turned]
        case _:
            assert_never(transform)


def _renamed(row: Row, names: Mapping[str, str]) -> Row:
    renamed: Row = {}
    for name, value in row.items():
        called = names.get(name, name)
        if called in renamed:
            raise _twice(called)
        renamed[called] = value
    return renamed


def _among(value: object, values: Sequence[object]) -> bool:
    """Whether it is one of the values, of which true is none of the numbers."""
    return any(value == each and isinstance(value, bool) is isinstance(each, bool) for each in values)


def _twice(column: str) -> Failed:
    said = f"two columns of a row would be called {column}: rename one of them"
    return Failed(Failure(FailureTag.SCHEMA_INCOMPATIBLE, said))
