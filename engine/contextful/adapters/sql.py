"""One compiler turns selections and changes into SQL for every database.

Statements depend on shapes alone, never on values, so that each shape is compiled and prepared once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from contextful.kernel.change import Change, Clear, Delete, Insert, Require, Update
from contextful.kernel.table import Kind, Row, Scalar, Select, Table

SHAPES_MAX = 1_024  # statements kept compiled; the engine's own shapes are some dozens


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a database spells a parameter, a column's type, a read that holds its row, a table kept by its key."""

    placeholder: str
    kinds: dict[Kind, str]
    holding: str = ""
    clustered: str = ""

    def __hash__(self) -> int:
        return id(self)


SQLITE = Dialect("?", {Kind.TEXT: "TEXT", Kind.INTEGER: "INTEGER", Kind.BYTES: "BLOB"}, clustered=" WITHOUT ROWID")


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL and its parameters. `exact` statements must touch one row, or the commit is refused."""

    sql: str
    parameters: list[Scalar]
    exact: bool = True


def schema(table: Table, dialect: Dialect) -> list[str]:
    """The statements that make the table and its indexes where they are missing."""
    columns = [f"{name} {dialect.kinds[kind]}" for name, kind in table.columns.items()]
    columns.append(f"PRIMARY KEY ({', '.join(table.key)})")
    made = [f"CREATE TABLE IF NOT EXISTS {table.name} ({', '.join(columns)}){dialect.clustered}"]
    for index in table.indexes:
        name = f"{table.name}_by_{'_'.join(index)}"
        over = f"{table.name} ({', '.join(index)}) WHERE {index[-1]} IS NOT NULL"
        made.append(f"CREATE INDEX IF NOT EXISTS {name} ON {over}")
    return made


@lru_cache(SHAPES_MAX)
def get(table: Table, dialect: Dialect) -> str:
    """Read one row by its key."""
    found = " AND ".join(f"{column} = {dialect.placeholder}" for column in table.key)
    return f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE {found}"


def select(asked: Select, dialect: Dialect) -> Statement:
    """Read a selection."""
    bounds = [(asked.since, ">="), (asked.before, "<")]
    found = [_where((_shape(asked.equal),), dialect)] if asked.equal else []
    found += [f"{asked.order} {sign} {dialect.placeholder}" for bound, sign in bounds if bound is not None]
    if asked.order is not None:
        found.append(f"{asked.order} IS NOT NULL")
    way = " DESC" if asked.descending else ""
    ordering = ", ".join(f"{column}{way}" for column in asked.ordering())
    columns = ", ".join(asked.table.columns)
    where = f" WHERE {' AND '.join(found)}" if found else ""
    sql = f"SELECT {columns} FROM {asked.table.name}{where} ORDER BY {ordering} LIMIT {asked.limit}"
    return Statement(sql, _given(asked.equal) + [bound for bound, _ in bounds if bound is not None])


def change(asked: Change, dialect: Dialect) -> Statement:
    """Make one change."""
    match asked:
        case Insert(table, row):
            return Statement(_insert(table, tuple(row), dialect), list(row.values()))
        case Update(table, key, expect, new):
            shape = (_shape(key), _shape(expect))
            return Statement(_update(table, shape, tuple(new), dialect), [*new.values(), *_given(key, expect)])
        case Delete(table, key, expect):
            return Statement(_delete(table, (_shape(key), _shape(expect)), dialect), _given(key, expect))
        case Require(table, key, expect):
            return Statement(_require(table, (_shape(key), _shape(expect)), dialect), _given(key, expect))
        case Clear(table, prefix):
            return Statement(_delete(table, (_shape(prefix),), dialect), _given(prefix), exact=False)


Shape = tuple[tuple[str, bool], ...]  # columns, and whether each is held against null


@lru_cache(SHAPES_MAX)
def _insert(table: Table, columns: tuple[str, ...], dialect: Dialect) -> str:
    held = ", ".join([dialect.placeholder] * len(columns))
    key = ", ".join(table.key)
    return f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({held}) ON CONFLICT ({key}) DO NOTHING"


@lru_cache(SHAPES_MAX)
def _update(table: Table, shapes: tuple[Shape, ...], columns: tuple[str, ...], dialect: Dialect) -> str:
    assigned = ", ".join(f"{column} = {dialect.placeholder}" for column in columns)
    return f"UPDATE {table.name} SET {assigned} WHERE {_where(shapes, dialect)}"


@lru_cache(SHAPES_MAX)
def _delete(table: Table, shapes: tuple[Shape, ...], dialect: Dialect) -> str:
    return f"DELETE FROM {table.name} WHERE {_where(shapes, dialect)}"


@lru_cache(SHAPES_MAX)
def _require(table: Table, shapes: tuple[Shape, ...], dialect: Dialect) -> str:
    return f"SELECT 1 FROM {table.name} WHERE {_where(shapes, dialect)}{dialect.holding}"


def _where(shapes: Iterable[Shape], dialect: Dialect) -> str:
    return " AND ".join(
        f"{column} IS NULL" if null else f"{column} = {dialect.placeholder}"
        for shape in shapes
        for column, null in shape
    )


def _shape(expected: Row) -> Shape:
    return tuple((column, value is None) for column, value in expected.items())


def _given(*expected: Row) -> list[Scalar]:
    """The parameters that fill the conditions, in their order."""
    return [value for row in expected for value in row.values() if value is not None]
