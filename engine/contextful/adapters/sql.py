"""One compiler turns selections and changes into SQL for every database.

Statements depend on shapes alone, never on values, so that each shape is compiled and prepared once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from contextful.kernel.change import Change, Clear, Delete, Insert, Require, Update
from contextful.kernel.table import Kind, Scalar, Select, Table

SHAPES_MAX = 1_024  # statements kept compiled; the engine's own shapes are some dozens


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a database spells a parameter, a column's type, and a read that holds its row until the commit."""

    placeholder: str
    kinds: dict[Kind, str]
    holding: str = ""

    def __hash__(self) -> int:
        return id(self)


SQLITE = Dialect("?", {Kind.TEXT: "TEXT", Kind.INTEGER: "INTEGER", Kind.BYTES: "BLOB"})


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
    made = [f"CREATE TABLE IF NOT EXISTS {table.name} ({', '.join(columns)})"]
    for index in table.indexes:
        name = f"{table.name}_by_{'_'.join(index)}"
        made.append(f"CREATE INDEX IF NOT EXISTS {name} ON {table.name} ({', '.join(index)})")
    return made


@lru_cache(SHAPES_MAX)
def get(table: Table, dialect: Dialect) -> str:
    """Read one row by its key."""
    return f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE {_equal(table.key, dialect)}"


def select(asked: Select, dialect: Dialect) -> Statement:
    """Read a selection."""
    found, parameters = _found(asked.equal.items(), dialect)
    for bound, sign in ((asked.since, ">="), (asked.before, "<")):
        if bound is not None:
            found.append(f"{asked.order} {sign} {dialect.placeholder}")
            parameters.append(bound)
    way = " DESC" if asked.descending else ""
    where = f" WHERE {' AND '.join(found)}" if found else ""
    ordering = ", ".join(f"{column}{way}" for column in asked.ordering())
    columns = ", ".join(asked.table.columns)
    sql = f"SELECT {columns} FROM {asked.table.name}{where} ORDER BY {ordering} LIMIT {asked.limit}"
    return Statement(sql, parameters)


def change(asked: Change, dialect: Dialect) -> Statement:
    """Make one change."""
    match asked:
        case Insert(table, row):
            return Statement(_insert(table, tuple(row), dialect), list(row.values()))
        case Update(table, key, expect, new):
            found, parameters = _found((*key.items(), *expect.items()), dialect)
            assigned = ", ".join(f"{column} = {dialect.placeholder}" for column in new)
            sql = f"UPDATE {table.name} SET {assigned} WHERE {' AND '.join(found)}"
            return Statement(sql, [*new.values(), *parameters])
        case Delete(table, key, expect):
            found, parameters = _found((*key.items(), *expect.items()), dialect)
            return Statement(f"DELETE FROM {table.name} WHERE {' AND '.join(found)}", parameters)
        case Require(table, key, expect):
            found, parameters = _found((*key.items(), *expect.items()), dialect)
            sql = f"SELECT 1 FROM {table.name} WHERE {' AND '.join(found)}{dialect.holding}"
            return Statement(sql, parameters)
        case Clear(table, prefix):
            found, parameters = _found(prefix.items(), dialect)
            return Statement(f"DELETE FROM {table.name} WHERE {' AND '.join(found)}", parameters, exact=False)


@lru_cache(SHAPES_MAX)
def _insert(table: Table, columns: tuple[str, ...], dialect: Dialect) -> str:
    held = ", ".join([dialect.placeholder] * len(columns))
    key = ", ".join(table.key)
    return f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({held}) ON CONFLICT ({key}) DO NOTHING"


def _equal(columns: Iterable[str], dialect: Dialect) -> str:
    return " AND ".join(f"{column} = {dialect.placeholder}" for column in columns)


def _found(expected: Iterable[tuple[str, Scalar]], dialect: Dialect) -> tuple[list[str], list[Scalar]]:
    """The conditions that hold these values, and the parameters that fill them."""
    found: list[str] = []
    parameters: list[Scalar] = []
    for column, value in expected:
        if value is None:
            found.append(f"{column} IS NULL")
        else:
            found.append(f"{column} = {dialect.placeholder}")
            parameters.append(value)
    return found, parameters
