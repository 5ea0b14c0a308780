"""Recorded bytes: a value and back again, equal and of the same type, or refused with the path to what cannot be.

JSON carries what JSON carries exactly. Everything else is an object with one `$` key: `{"$tuple": [1, 2]}`.

    exact        none, bool, int, float, str, list, dict, tuple, set, frozenset, bytes, bytearray, Decimal, UUID,
                 date, time, datetime, timedelta, enumerations and dataclasses that can be imported by name
    by value     NaN comes back as NaN, -0.0 as -0.0, 10**5000 whole, a lone surrogate as it was
    refused      subclasses of the above, values that hold themselves, nesting past 200, anything else
"""

from __future__ import annotations

import base64
import dataclasses
import enum
import importlib
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import cast
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

DEPTH_MAX = 200
_WRITTEN = msgspec.json.Encoder()
_SORTED = msgspec.json.Encoder(order="sorted")
_READ = msgspec.json.Decoder()
INTEGER_BITS_MAX = 63  # wider ones travel as hexadecimal: decimal text is slow and bounded by the interpreter

Form = None | bool | int | float | str | list["Form"] | dict[str, "Form"]


class Unrecordable(Exception):
    """A value that would not come back as it was, and where in the whole it stands."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path} {self.reason}"

    def within(self, place: str) -> None:
        """Say where the holder of what was refused stands itself."""
        self.path = place + self.path


def encode(value: object, *, root: str = "value") -> bytes:
    """The bytes that stand for `value` in the journal. Raises Unrecordable, with the path from `root`."""
    return _WRITTEN.encode(_form(value, root, ordered=False))


def decode(recorded: bytes) -> object:
    """The value that `recorded` stands for."""
    written = _READ.decode(recorded)
    return _read(written) if b'"$' in recorded else written


def canonical(value: object, *, root: str = "value") -> bytes:
    """The bytes that identify `value`: as recorded, with no regard to the order of a dict's keys.

    Nothing else is folded: 1, 1.0 and True differ, as do 0.0 and -0.0, NFC and NFD, and one instant in two
    zones, for a step could tell each pair apart. NaN equals NaN.
    """
    return _SORTED.encode(_form(value, root, ordered=True))


def _form(value: object, root: str, *, ordered: bool) -> Form:
    try:
        return _write(value, 0, ordered)
    except Unrecordable as refusal:
        refusal.within(root)
        raise


def _write(value: object, depth: int, ordered: bool) -> Form:
    """The JSON that stands for `value`; where `ordered`, pairs stand in the order of their text."""
    kind = type(value)
    if value is None or kind is bool:
        return cast(Form, value)
    if kind is str:
        return _string(cast(str, value))
    if kind is int:
        return _integer(cast(int, value))
    if kind is float:
        return _float(cast(float, value))
    if depth == DEPTH_MAX:
        raise Unrecordable("", f"is nested more than {DEPTH_MAX} deep, or holds itself")
    if kind is list:
        return _items(cast(list[object], value), depth, ordered)
    if kind is dict:
        return _dict(cast(dict[object, object], value), depth, ordered)
    if kind is tuple:
        return {"$tuple": _items(cast(tuple[object, ...], value), depth, ordered)}
    if kind is set or kind is frozenset:
        return {f"${kind.__name__}": sorted(_members(cast(set[object], value), depth, ordered), key=_SORTED.encode)}
    if isinstance(value, enum.Enum):
        return {"$enum": [_address(kind), value.name]}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _dataclass(value, depth, ordered)
    return _leaf(value)


def _items(value: Iterable[object], depth: int, ordered: bool) -> list[Form]:
    written: list[Form] = []
    try:
        for item in value:
            written.append(_write(item, depth + 1, ordered))
    except Unrecordable as refusal:
        refusal.within(f"[{len(written)}]")
        raise
    return written


def _members(value: Iterable[object], depth: int, ordered: bool) -> list[Form]:
    try:
        return [_write(item, depth + 1, ordered) for item in value]
    except Unrecordable as refusal:
        refusal.within("{…}")
        raise


def _dict(value: dict[object, object], depth: int, ordered: bool) -> Form:
    written: dict[str, Form] = {}
    for key, item in value.items():
        if type(key) is not str or key.startswith("$") or _string(key) is not key:
            return _pairs(value, depth, ordered)
        try:
            written[key] = _write(item, depth + 1, ordered)
        except Unrecordable as refusal:
            refusal.within(f"[{key!r}]")
            raise
    return written


def _pairs(value: dict[object, object], depth: int, ordered: bool) -> Form:
    pairs: list[Form] = []
    for key, item in value.items():
        try:
            pairs.append([_write(key, depth + 1, ordered), _write(item, depth + 1, ordered)])
        except Unrecordable as refusal:
            refusal.within(f"[{key!r:.40}]")
            raise
    return {"$dict": sorted(pairs, key=_SORTED.encode) if ordered else pairs}


def _dataclass(value: object, depth: int, ordered: bool) -> Form:
    names = [field.name for field in dataclasses.fields(value)]  # type: ignore[arg-type]
    strays = sorted(set(getattr(value, "__dict__", ())) - set(names))
    if strays:
        raise Unrecordable(f".{strays[0]}", "is no field of its dataclass")
    fields: dict[str, Form] = {}
    for name in names:
        try:
            fields[name] = _write(getattr(value, name), depth + 1, ordered)
        except Unrecordable as refusal:
            refusal.within(f".{name}")
            raise
    return {"$dataclass": [_address(type(value)), cast(Form, fields)]}


def _string(value: str) -> Form:
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return {"$str": base64.b64encode(value.encode("utf-8", "surrogatepass")).decode()}
    return value


def _integer(value: int) -> Form:
    return value if value.bit_length() <= INTEGER_BITS_MAX else {"$int": hex(value)}


def _float(value: float) -> Form:
    finite = value - value == 0.0
    return value if finite else {"$float": repr(value)}


def _leaf(value: object) -> Form:
    kind = type(value)
    if kind is bytes or kind is bytearray:
        return {f"${kind.__name__}": base64.b64encode(cast(bytes, value)).decode()}
    if kind is Decimal or kind is UUID:
        return {f"${kind.__name__}": str(value)}
    if kind is date:
        return {"$date": cast(date, value).isoformat()}
    if kind is timedelta:
        span = cast(timedelta, value)
        return {"$timedelta": [span.days, span.seconds, span.microseconds]}
    if kind is datetime or kind is time:
        moment = cast(datetime | time, value)
        naive = moment.replace(tzinfo=None).isoformat()
        return {f"${kind.__name__}": [naive, moment.fold, _zone(moment.tzinfo)]}
    raise Unrecordable("", f"is a {kind.__module__}.{kind.__qualname__}, which has no exact recorded form")


def _zone(zone: object) -> Form:
    if zone is None:
        return None
    if type(zone) is ZoneInfo and zone.key is not None:
        return zone.key
    if type(zone) is timezone:
        offset = zone.utcoffset(None)
        if zone.tzname(None) == timezone(offset).tzname(None):
            return offset // timedelta(microseconds=1)
    raise Unrecordable("", f"is in the zone {zone!r}, which has no exact recorded form")


def _address(kind: type) -> str:
    address = f"{kind.__module__}:{kind.__qualname__}"
    try:
        found = _import(address)
    except (ImportError, AttributeError):
        found = None
    if found is not kind:
        raise Unrecordable("", f"is a {address}, which cannot be imported by that name")
    return address


def _import(address: str) -> object:
    module, _, names = address.partition(":")
    found: object = importlib.import_module(module)
    for name in names.split("."):
        found = getattr(found, name)
    return found


def _read(written: object) -> object:
    """The value that a form stands for, from its leaves up."""
    if isinstance(written, list):
        return [_read(item) for item in written]
    if not isinstance(written, dict):
        return written
    inner = {key: _read(item) for key, item in written.items()}
    for name, item in inner.items() if len(inner) == 1 else ():
        if name in _READERS:
            return _READERS[name](item)
    return inner


def _read_dataclass(inner: tuple[str, dict[str, object]]) -> object:
    address, fields = inner
    value: object = object.__new__(cast(type, _import(address)))
    for name, field in fields.items():
        object.__setattr__(value, name, field)
    return value


def _read_enum(inner: tuple[str, str]) -> object:
    address, name = inner
    return cast(type[enum.Enum], _import(address))[name]


def _read_datetime(inner: tuple[str, int, str | int | None]) -> datetime:
    text, fold, zone = inner
    return datetime.fromisoformat(text).replace(fold=fold, tzinfo=_read_zone(zone))


def _read_time(inner: tuple[str, int, str | int | None]) -> time:
    text, fold, zone = inner
    return time.fromisoformat(text).replace(fold=fold, tzinfo=_read_zone(zone))


def _read_zone(zone: str | int | None) -> ZoneInfo | timezone | None:
    match zone:
        case None:
            return None
        case str():
            return ZoneInfo(zone)
        case int():
            return timezone(timedelta(microseconds=zone))


# One row a tag; each takes the tag's inner value, already decoded.
_READERS: dict[str, Callable[..., object]] = {
    "$tuple": tuple,
    "$set": set,
    "$frozenset": frozenset,
    "$dict": dict,
    "$str": lambda text: base64.b64decode(text).decode("utf-8", "surrogatepass"),
    "$int": lambda text: int(text, 16),
    "$float": float,
    "$bytes": base64.b64decode,
    "$bytearray": lambda text: bytearray(base64.b64decode(text)),
    "$Decimal": Decimal,
    "$UUID": UUID,
    "$date": date.fromisoformat,
    "$timedelta": lambda parts: timedelta(*parts),
    "$datetime": _read_datetime,
    "$time": _read_time,
    "$enum": _read_enum,
    "$dataclass": _read_dataclass,
}
