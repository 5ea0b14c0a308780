"""run.land: what a pull's rows become on their way into a table."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from types import NoneType
from typing import Any, cast

import msgspec

from contextful.pipeline.pull import Record
from contextful.store import reconcile, reserve
from contextful.store.schema import Schema, Type
from contextful_contract.errors import PipelineTypeDeclaredLate, StoreColumnMissing, StoreSchemaIncompatible
from contextful_contract.shapes import DowngradeEvent

INT64 = range(-(1 << 63), 1 << 63)
EXACT_FLOAT_MAX = 1 << 53  # the largest integer below which every one is a float too
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
INTEGER = re.compile(r"-?[0-9]{1,19}")
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
MAP = re.compile(r"map of [a-z0-9]+")  # how a pull spells the type of a map, which may be inside a column
FRACTION = re.compile(r"[.,]([0-9]+)")
MICROSECOND = timedelta(microseconds=1)
_JSON = msgspec.json.Encoder()
Values = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Destined:
    """What landing has to know of a table: its name in the store, its key, the types and the order it declares.

    Of each row, `available_time` says from when on it could be known.
    """

    table: str
    key: tuple[str, ...] = ()
    types: Mapping[str, Type] = field(default_factory=dict)
    order_by: tuple[str, ...] = ()
    available_time: str | None = None
    name: str = ""  # as its pipeline calls it
    downgrades: tuple[DowngradeEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a batch. Timestamps are nanoseconds since 1970, nested values their JSON text."""

    name: str
    type: Type
    values: Values


@dataclass(frozen=True, slots=True)
class Shaped:
    """A batch as columns of equal length."""

    columns: tuple[Column, ...]
    row_count: int
    downgrades: tuple[DowngradeEvent, ...] = ()

    def schema(self) -> Schema:
        """The columns' types."""
        return Schema({column.name: column.type for column in self.columns})


def typed(table: Destined, types: Mapping[str, str], standing: Schema) -> Destined:
    """The table with the types that a pull declares. One that nobody can read is refused as one that does not fit."""
    read: dict[str, Type] = dict(table.types)
    downgrades: list[DowngradeEvent] = []
    for path, spelled in types.items():
        column = path
        if MAP.fullmatch(spelled):  # of keys that no schema lists: it lands as the text of its column
            column, spelled = path.partition(".")[0], Type.VARIANT.value
            downgrades.append(_downgrade(table, path, types[path]))
        ##= run.land.typed-pull
        if spelled not in _SPELLED:
            stored = standing.types.get(column, Type.NULL)
            raise StoreSchemaIncompatible(table=table.table, column=column, stored=stored.value, arriving=spelled)
        read[column] = reconcile.merged(table.table, column, read.get(column, Type.NULL), _SPELLED[spelled])
    return replace(table, types=read, downgrades=tuple(downgrades))


def _downgrade(table: Destined, path: str, source_type: str) -> DowngradeEvent:
    ##= run.record.schema-diff-shape
    return DowngradeEvent(
        table=table.name or table.table,
        path=path,
        source_type=source_type,
        landed_type=Type.UTF8.value,
        reason="a column's type lists its fields, and a map has keys of its own",
    )


def in_time(table: str, types: Mapping[str, str], undeclared: Set[str]) -> None:
    """A type may be declared until a column's first rows are staged: the schema that they made would not hold."""
    for column in types:
        if column in undeclared and not MAP.fullmatch(types[column]):
            raise PipelineTypeDeclaredLate(table=table, column=column)  ##= run.land.late-type


def shape(table: Destined, rows: Sequence[Record], standing: Schema) -> Shaped:
    """The rows as columns that fit what stands already; a column that cannot fit is refused by name."""
    turned = dict(_turned(rows))
    _complete(table, turned, standing)
    columns = [_column(table, name, values, standing) for name, values in turned.items()]
    return Shaped(tuple(columns), len(rows), table.downgrades)


def _complete(table: Destined, turned: Mapping[str, Values], standing: Schema) -> None:
    """Every row has its key and its date, and the table what its rows are ordered by."""
    ##= store.declare.declared-columns
    dated = () if table.available_time is None else (table.available_time,)
    missing = [column for column in (*table.key, *dated) if None in turned.get(column, [None])]
    if table.key:
        known = {*turned, *standing.types, *reserve.INJECTED}
        missing += [column for column in table.order_by if column not in known]
    for column in missing:
        raise StoreColumnMissing(table=table.table, column=column)


def _turned(rows: Sequence[Record]) -> Iterable[tuple[str, Values]]:
    """Names and their values, in the order in which rows bring them. Most often all rows have the same names."""
    shapes = set(map(tuple, rows))
    if len(shapes) == 1:
        return zip(shapes.pop(), map(list, zip(*(row.values() for row in rows), strict=True)), strict=True)
    names = dict.fromkeys(chain.from_iterable(rows))
    return [(name, [row.get(name) for row in rows]) for name in names]


def _column(table: Destined, name: str, values: Values, standing: Schema) -> Column:
    reserve.admit_column(name)
    arriving = table.types.get(name)
    found = set(map(type, values)) - {NoneType}
    if arriving is None:
        arriving = _type(table.table, name, found)
    kind = reconcile.merged(table.table, name, standing.types.get(name, Type.NULL), arriving, key=table.key)
    if kind in _AS_THEY_STAND and found <= {_AS_THEY_STAND[kind]} and _fit(kind, values):
        return Column(name, kind, values)
    try:
        return Column(name, kind, _read(_READERS[kind], values, found))
    except _Misfit as misfit:
        raise StoreSchemaIncompatible(
            table=table.table, column=name, stored=kind.value, arriving=misfit.arriving
        ) from None


def _read(read: Callable[[object], object], values: Values, found: set[type]) -> Values:
    if found == {str}:
        once = {value: None if value is None else read(value) for value in set(values)}
        return [once[value] for value in values]
    return [None if value is None else read(value) for value in values]


def _fit(kind: Type, values: Values) -> bool:
    """Whether values of the right Python type are all within the range of theirs."""
    if kind is not Type.INT64:
        return True
    numbers = [value for value in values if value is not None]
    return not numbers or (min(numbers) in INT64 and max(numbers) in INT64)


def _type(table: str, name: str, found: set[type]) -> Type:
    """The type that holds every value: integers beside floats are floats, texts beside nested values nested."""
    kind = Type.NULL
    for arriving in sorted({_TYPES[python] for python in found}, key=_ORDER.index):
        kind = reconcile.merged(table, name, kind, arriving)
    return kind


class _Misfit(Exception):
    """A value that its column's type cannot hold."""

    def __init__(self, value: object) -> None:
        super().__init__(value)
        wide = type(value) is int and value not in INT64
        self.arriving = f"{'wider integer' if wide else _TYPES[type(value)].value} {value!r:.80}"


def _boolean(value: object) -> bool:
    match value:
        case bool():
            return value
        case "true" | "false":
            return value == "true"
    raise _Misfit(value)


def _int64(value: object) -> int:
    read = int(value) if isinstance(value, str) and INTEGER.fullmatch(value) else value
    if type(read) is int and read in INT64:
        return read
    raise _Misfit(value)


def _float64(value: object) -> float:
    read = float(value) if isinstance(value, str) and NUMBER.fullmatch(value) else value
    if type(read) is float and (read is value or math.isfinite(read)):
        return read
    if type(read) is int and (abs(read) <= EXACT_FLOAT_MAX or int(float(read)) == read):
        return float(read)
    raise _Misfit(value)


def _utf8(value: object) -> str:
    if isinstance(value, str):
        return value
    raise _Misfit(value)


def _timestamp(value: object) -> int:
    """Nanoseconds since 1970, of an instant with its zone."""
    try:
        read = (datetime.fromisoformat(cast(str, value)) - EPOCH) // MICROSECOND * 1_000
    except (ValueError, TypeError):
        raise _Misfit(value) from None
    fraction = FRACTION.search(cast(str, value))
    beyond = fraction[1][6:].rstrip("0") if fraction else ""  # what a datetime leaves away
    read += int(beyond.ljust(3, "0"))
    if read in INT64 and len(beyond) <= 3:
        return read
    raise _Misfit(value)


def _variant(value: object) -> str:
    return _JSON.encode(value).decode()


_TYPES: dict[type, Type] = {
    bool: Type.BOOLEAN,
    int: Type.INT64,
    float: Type.FLOAT64,
    str: Type.UTF8,
    dict: Type.VARIANT,
    list: Type.VARIANT,
}
_ORDER = tuple(Type)
_SPELLED = {kind.value: kind for kind in Type if kind is not Type.NULL}
_AS_THEY_STAND: dict[Type, type] = {
    Type.NULL: NoneType,
    Type.BOOLEAN: bool,
    Type.INT64: int,
    Type.FLOAT64: float,
    Type.UTF8: str,
}
_READERS: dict[Type, Callable[[object], object]] = {
    Type.BOOLEAN: _boolean,
    Type.INT64: _int64,
    Type.FLOAT64: _float64,
    Type.UTF8: _utf8,
    Type.TIMESTAMP: _timestamp,
    Type.VARIANT: _variant,
}
