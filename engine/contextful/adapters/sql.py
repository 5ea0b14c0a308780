"""One compiler turns selections and changes into SQL for every database.

Statements depend on shapes alone, never on values, so that each shape is compiled and prepared once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from msgspec import Struct

from contextful.kernel.change import Change, Clear, Delete, Insert, Require, Update
from contextful.kernel.table import Kind, Row, Scalar, Select, Table

SHAPES_MAX = 1_024  # statements kept compiled; the engine's own shapes are some dozens


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """How a database spells a parameter, a column's type, a read that holds its row, a table kept by its key, a number
    that is read.
    """

    placeholder: str
    kinds: dict[Kind, str]
    holding: str = ""
    clustered: str = ""
    number: str = "{}"


SQLITE = Dialect("?", {Kind.TEXT: "TEXT", Kind.INTEGER: "INTEGER", Kind.BYTES: "BLOB"}, clustered=" WITHOUT ROWID")
# A number is written as text, too: the column's affinity makes it one again, in a row and in a comparison.
D1 = Dialect(SQLITE.placeholder, SQLITE.kinds, clustered=SQLITE.clustered, number="CAST({} AS TEXT)")
POSTGRES = Dialect(
    "%s",
    # Text is ordered by its bytes, as SQLite and Python order it, whatever language the database was made for.
    {Kind.TEXT: 'TEXT COLLATE "C"', Kind.INTEGER: "BIGINT", Kind.BYTES: "BYTEA"},
    holding=" FOR SHARE",
)


class Statement(Struct, frozen=True):
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
    return f"SELECT {_columns(table, dialect)} FROM {table.name} WHERE {found}"


def select(asked: Select, dialect: Dialect) -> Statement:
    """Read a selection."""
    bounds = [(asked.since, ">="), (asked.before, "<")]
    shape, parameters = _found(asked.equal, {})
    found = [_where(shape, dialect)] if asked.equal else []
    found += [f"{asked.order} {sign} {dialect.placeholder}" for bound, sign in bounds if bound is not None]
    if asked.order is not None:
        found.append(f"{asked.order} IS NOT NULL")
    way = " DESC" if asked.descending else ""
    ordering = ", ".join(f"{column}{way}" for column in asked.ordering())
    columns = _columns(asked.table, dialect)
    where = f" WHERE {' AND '.join(found)}" if found else ""
    sql = f"SELECT {columns} FROM {asked.table.name}{where} ORDER BY {ordering} LIMIT {asked.limit}"
    return Statement(sql, parameters + [bound for bound, _ in bounds if bound is not None])


def change(asked: Change, dialect: Dialect) -> Statement:
    """Make one change."""
    return _change(asked, dialect, "", [])


def commit(asked: Sequence[Change], dialect: Dialect) -> list[Statement]:
    """Make all of the changes, in as few statements as can be: the first to touch a row carries what is required."""
    required = [change for change in asked if type(change) is Require]
    writes = [change for change in asked if type(change) is not Require]
    if not required:
        return [_change(write, dialect, "", []) for write in writes]
    if not writes or type(writes[0]) is Clear:
        writes.insert(0, _untouched(required.pop()))
    given, held = "", []
    for require in required:
        shape, parameters = _found(require.key, require.expect)
        given += _given(require.table, shape, dialect)
        held += parameters
    first, *others = writes
    return [_change(first, dialect, given, held), *(_change(write, dialect, "", []) for write in others)]


def batch(asked: Sequence[Change], dialect: Dialect, *, refusal: str, parameters_max: int) -> list[Statement]:
    """Make all of the changes where no statement learns what another did, but one that fails undoes them all.

    One statement is told apart by what it touched. Ahead of several come others, which insert a nought into the table
    `refusal`, where it fails, if a row is not as it is expected to be.
    """
    alone = commit(asked, dialect)
    if len(alone) == 1 and len(alone[0].parameters) <= parameters_max:
        return alone
    statements: list[Statement] = []
    conditions: list[str] = []
    parameters: list[Scalar] = []
    for expected, held in (_expected(change, dialect) for change in asked if not isinstance(change, Clear)):
        if len(parameters) + len(held) > parameters_max:
            statements.append(_refused(refusal, conditions, parameters))
            conditions, parameters = [], []
        conditions.append(expected)
        parameters += held
    statements.append(_refused(refusal, conditions, parameters))
    writes = [_change(change, dialect, "", []) for change in asked if type(change) is not Require]
    return [*statements, *(Statement(write.sql, write.parameters, exact=False) for write in writes)]


def _refused(table: str, conditions: Sequence[str], parameters: list[Scalar]) -> Statement:
    sql = f"INSERT INTO {table} SELECT 0 WHERE NOT ({' AND '.join(conditions)})"
    return Statement(sql, parameters, exact=False)


def _expected(asked: Insert | Update | Delete | Require, dialect: Dialect) -> tuple[str, list[Scalar]]:
    """That the change's row is as the change expects it, as a condition."""
    if isinstance(asked, Insert):
        shape, parameters = _found({column: asked.row[column] for column in asked.table.key}, {})
        return f"NOT EXISTS ({_require(asked.table, shape, dialect)})", parameters
    shape, parameters = _found(asked.key, asked.expect)
    return f"EXISTS ({_require(asked.table, shape, dialect)})", parameters


def _change(asked: Change, dialect: Dialect, given: str, held: list[Scalar]) -> Statement:
    """Make one change, `given` what must also be found; `held` fills that."""
    match asked:
        case Insert(table, row):
            return Statement(_insert(table, tuple(row), given, dialect), [*row.values(), *held])
        case Update(table, key, expect, new):
            shape, parameters = _found(key, expect)
            return Statement(_update(table, shape, tuple(new), given, dialect), [*new.values(), *parameters, *held])
        case Delete(table, key, expect):
            shape, parameters = _found(key, expect)
            return Statement(_delete(table, shape, given, dialect), parameters + held)
        case Require(table, key, expect):
            shape, parameters = _found(key, expect)
            return Statement(_require(table, shape, dialect), parameters)
        case Clear(table, prefix):
            shape, parameters = _found(prefix, {})
            return Statement(_delete(table, shape, "", dialect), parameters, exact=False)


def _untouched(require: Require) -> Update:
    """What is required, as a write: the row keeps what it has."""
    return Update(require.table, require.key, require.expect, require.key)


# Columns held against values, and columns held against null: what a condition's text depends on.
Shape = tuple[tuple[str, ...], tuple[str, ...]]


@lru_cache(SHAPES_MAX)
def _columns(table: Table, dialect: Dialect) -> str:
    read = {Kind.INTEGER: dialect.number}
    return ", ".join(read.get(kind, "{}").format(name) for name, kind in table.columns.items())


@lru_cache(SHAPES_MAX)
def _insert(table: Table, columns: tuple[str, ...], given: str, dialect: Dialect) -> str:
    held = ", ".join([dialect.placeholder] * len(columns))
    source = f"SELECT {held} WHERE true{given}" if given else f"VALUES ({held})"
    key = ", ".join(table.key)
    return f"INSERT INTO {table.name} ({', '.join(columns)}) {source} ON CONFLICT ({key}) DO NOTHING"


@lru_cache(SHAPES_MAX)
def _update(table: Table, shape: Shape, columns: tuple[str, ...], given: str, dialect: Dialect) -> str:
    assigned = ", ".join(f"{column} = {dialect.placeholder}" for column in columns)
    return f"UPDATE {table.name} SET {assigned} WHERE {_where(shape, dialect)}{given}"


@lru_cache(SHAPES_MAX)
def _delete(table: Table, shape: Shape, given: str, dialect: Dialect) -> str:
    return f"DELETE FROM {table.name} WHERE {_where(shape, dialect)}{given}"


@lru_cache(SHAPES_MAX)
def _given(table: Table, shape: Shape, dialect: Dialect) -> str:
    return f" AND EXISTS ({_require(table, shape, dialect)})"


@lru_cache(SHAPES_MAX)
def _require(table: Table, shape: Shape, dialect: Dialect) -> str:
    return f"SELECT 1 FROM {table.name} WHERE {_where(shape, dialect)}{dialect.holding}"


def _where(shape: Shape, dialect: Dialect) -> str:
    valued, null = shape
    conditions = [f"{column} = {dialect.placeholder}" for column in valued] + [f"{column} IS NULL" for column in null]
    return " AND ".join(conditions)


def _found(key: Row, expect: Row) -> tuple[Shape, list[Scalar]]:
    """The shape of a condition, and the parameters that fill it."""
    parameters = [*key.values(), *expect.values()]
    if None not in parameters:
        return ((*key, *expect), ()), parameters
    expected = {**key, **expect}
    null = tuple(column for column, value in expected.items() if value is None)
    valued = {column: value for column, value in expected.items() if value is not None}
    return (tuple(valued), null), list(valued.values())
