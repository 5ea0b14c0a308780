"""Recorded bytes: a value and back again, equal and of the same type, or refused with the path to what cannot be.

JSON carries what JSON carries exactly. Everything else is an object with one `$` key: `{"$tuple": [1, 2]}`; whatever
has one is read back before it is recorded.

    exact        none, bool, int, float, str, list, dict, tuple, set, frozenset, bytes, bytearray, Decimal, UUID,
                 date, time, datetime, timedelta, enumerations and dataclasses that can be imported by name
    by value     NaN comes back as NaN, -0.0 as -0.0, 10**5000 whole, a lone surrogate as it was
    refused      subclasses of the above, combined flags, dataclasses with more state than their fields or with less,
                 values that hold themselves, nesting past 200, anything else
"""

from __future__ import annotations

import base64
import dataclasses
import enum
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from json import JSONDecoder
from typing import Any, cast
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from contextful.kernel.classes import Unreadable as Unreadable
from contextful.kernel.classes import Unrecordable as Unrecordable
from contextful.kernel.classes import address, field_names, member_name, read_dataclass, read_member
from contextful.kernel.failure import Failed, said

DEPTH_MAX = 200
LEVEL_MAX = 1 << 20  # items side by side: with more of them, it may be that the value holds itself
_WRITTEN = msgspec.json.Encoder()
_SORTED = msgspec.json.Encoder(order="sorted")
_READ = msgspec.json.Decoder()
INTEGER_END = 1 << 63  # wider ones travel as hexadecimal: decimal text is slow and bounded by the interpreter

Form = None | bool | int | float | str | list["Form"] | dict[str, "Form"]


def encode(value: object, *, root: str = "value") -> bytes:
    """The bytes that stand for `value` in the journal. Raises Unrecordable, with the path from `root`."""
    recorded, _ = exchanged(value, root=root)
    return recorded


def exchanged(value: object, *, root: str = "value") -> tuple[bytes, object]:
    """The bytes that stand for `value`, and what everyone gets for it who reads them. Raises Unrecordable."""
    if _plain(value):
        try:
            recorded = _WRITTEN.encode(value)
        except UnicodeEncodeError:  # a lone surrogate, which is written in a way of its own
            pass
        else:
            return recorded, _READ.decode(recorded)
    form = _form(value, root, ordered=False)
    recorded = _WRITTEN.encode(form)
    return recorded, _back(recorded, form, root)


def decode(recorded: bytes) -> object:
    """The value that `recorded` stands for. Raises Unreadable where its class is gone, or has other fields."""
    try:
        return _TAGGED.decode(recorded.decode()) if b'"$' in recorded else _READ.decode(recorded)
    except Unreadable:
        raise
    except RecursionError:
        raise Unreadable("it is nested deeper than the stack that is left can follow") from None
    except Exception as error:
        raise Unreadable(
            f"it is damaged, or its class no longer takes it: {type(error).__name__}: {said(error)}"
        ) from error


def canonical(value: object, *, root: str = "value") -> bytes:
    """The bytes that identify `value`: as recorded, with no regard to the order of a dict's keys.

    Nothing else is folded: 1, 1.0 and True differ, as do 0.0 and -0.0, NFC and NFD, and one instant in two
    zones, for a step could tell each pair apart. NaN equals NaN.
    """
    if _plain(value):
        try:
            return _SORTED.encode(value)
        except UnicodeEncodeError:
            pass
    return _SORTED.encode(_form(value, root, ordered=True))


def _plain(value: object) -> bool:
    """Whether the value is its own form: JSON throughout, but for lone surrogates, at which its writer stops."""
    level: list[Any] = [value]
    for depth in range(DEPTH_MAX + 1):  # by levels, without a call an item: most of what is recorded is plain
        deeper: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is str or kind is bool or item is None:
                continue
            if kind is int:
                if not -INTEGER_END < item < INTEGER_END:
                    return False
            elif kind is float:
                if item - item != 0.0:
                    return False
            elif depth == DEPTH_MAX or len(deeper) > LEVEL_MAX:
                return False
            elif kind is list:
                deeper += item
            elif kind is dict:
                for key in item:
                    if type(key) is not str or key[:1] == "$":
                        return False
                deeper += item.values()
            else:
                return False
        if not deeper:
            return True
        level = deeper
    return False


def _form(value: object, root: str, *, ordered: bool) -> Form:
    try:
        return _write(value, 0, ordered)
    except Unrecordable as refusal:
        refusal.within(root)
        raise
    except RecursionError:
        raise Unrecordable(root, "is nested deeper than the stack that is left can follow") from None
    except Exception as error:  # a class may have any code behind a name
        raise Unrecordable(root, f"cannot be looked through: {type(error).__name__}") from error


def _back(recorded: bytes, form: Form, root: str) -> object:
    """What comes back for a form, before it is recorded: much of what makes values again is the caller's code."""
    try:
        back = decode(recorded)
        again = _form(back, root, ordered=False)
    except Exception as error:
        what = error if isinstance(error, Failed) else type(error).__name__
        raise Unrecordable(root, f"would not come back: {what}") from error
    if again != form:
        raise Unrecordable(root, "would come back as another value")
    return back


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
        name = member_name(value)
        return {"$enum": [address(kind), name]}
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
    fields: dict[str, Form] = {}
    for name in field_names(value):
        try:
            item = object.__getattribute__(value, name)
        except AttributeError:
            raise Unrecordable(f".{name}", "is not set") from None
        try:
            fields[name] = _write(item, depth + 1, ordered)
        except Unrecordable as refusal:
            refusal.within(f".{name}")
            raise
    return {"$dataclass": [address(type(value)), cast(Form, fields)]}


def _string(value: str) -> Form:
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return {"$str": base64.b64encode(value.encode("utf-8", "surrogatepass")).decode()}
    return value


def _integer(value: int) -> Form:
    return value if -INTEGER_END < value < INTEGER_END else {"$int": hex(value)}


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


def _read(written: dict[str, object]) -> object:
    """The value that an object stands for; what is in it has been read before it."""
    if len(written) == 1:
        for name, inner in written.items():
            if name in _READERS:
                return _READERS[name](inner)
    return written


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
            try:
                return ZoneInfo(zone)
            except KeyError:
                raise Unreadable(f"an instant in the zone {zone} is recorded, which is not known here") from None
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
    "$enum": read_member,
    "$dataclass": read_dataclass,
}
_TAGGED = JSONDecoder(object_hook=_read)
