"""A caller's enumerations and dataclasses in recorded bytes: by the name that imports them, with all that they hold.

What was recorded can be read as long as the class is there, and has the member or the fields that it had.
"""

from __future__ import annotations

import dataclasses
import enum
import importlib
from collections.abc import Hashable
from functools import lru_cache
from types import MemberDescriptorType
from typing import cast

from contextful.kernel.failure import Failed, Failure
from contextful_contract.shapes import FailureTag


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


class Unreadable(Failed):
    """A recorded value whose class is gone, or is not what it was."""

    def __init__(self, reason: str) -> None:
        super().__init__(Failure(FailureTag.CONFIG, reason))

    def __reduce__(self) -> tuple[type[Unreadable], tuple[str]]:
        return Unreadable, (self.failure.message,)


def address(kind: type) -> str:
    """The name that imports the class. Raises Unrecordable where none does."""
    name = f"{kind.__module__}:{kind.__qualname__}"
    try:
        found = _imported(name)
    except Unreadable:
        found = None
    if found is not kind:
        raise Unrecordable("", f"is a {name}, which cannot be imported by that name")
    return name


def member_name(value: enum.Enum) -> str:
    """The name of an enumeration's member. Raises Unrecordable for a combination of flags, which has none."""
    if type(value).__members__.get(value.name) is not value:
        raise Unrecordable("", f"is {value!r:.80}, which is no member of {type(value).__qualname__} by name")
    return value.name


def field_names(value: object) -> tuple[str, ...]:
    """The fields of a dataclass's instance. Raises Unrecordable where it holds anything else."""
    layout = _layout(cast(Hashable, type(value)))
    strays = [slot.__name__ for slot in layout.slots if _is_set(slot, value)]
    strays += [name for name in _dict(value) if name not in layout.fields]
    if strays:
        raise Unrecordable(f".{min(strays)}", "is no field of its dataclass")
    return layout.fields


def read_member(inner: tuple[str, str]) -> object:
    """The member of that name in the enumeration at that address."""
    at, name = inner
    kind = _imported(at)
    if not isinstance(kind, enum.EnumType) or name not in kind.__members__:
        raise Unreadable(f"the value {name} of {at} is recorded, which is no enumeration with that name any more")
    return kind.__members__[name]


def read_dataclass(inner: tuple[str, dict[str, object]]) -> object:
    """An instance of the dataclass at that address with these fields, as it was left: nothing of its own is run."""
    at, fields = inner
    kind = _imported(at)
    if not isinstance(kind, type) or not dataclasses.is_dataclass(kind):
        raise Unreadable(f"a value of {at} is recorded, which is no dataclass any more")
    names = [field.name for field in dataclasses.fields(kind)]
    if fields.keys() != set(names):
        was, now = ", ".join(fields) or "none", ", ".join(names) or "none"
        raise Unreadable(f"a value of {at} is recorded with the fields {was}, and its fields are {now} now")
    value: object = object.__new__(kind)
    for name, field in fields.items():
        object.__setattr__(value, name, field)
    return value


@dataclasses.dataclass(frozen=True, slots=True)
class _Layout:
    """Where a dataclass's instances hold what: its fields, and slots that no field has."""

    fields: tuple[str, ...]
    slots: tuple[MemberDescriptorType, ...]


@lru_cache(maxsize=1_000)
def _layout(kind: type) -> _Layout:
    fields = tuple(field.name for field in dataclasses.fields(kind))
    try:
        object.__new__(kind)
    except TypeError:
        raise Unrecordable("", f"is a {kind.__qualname__}, which is a dataclass and a builtin type at once") from None
    members = (slot for each in kind.__mro__ for slot in vars(each).values() if isinstance(slot, MemberDescriptorType))
    return _Layout(fields, tuple(slot for slot in members if slot.__name__ not in fields))


def _dict(value: object) -> dict[str, object]:
    try:
        return cast(dict[str, object], object.__getattribute__(value, "__dict__"))
    except AttributeError:
        return {}


def _is_set(slot: MemberDescriptorType, value: object) -> bool:
    try:
        slot.__get__(value)
    except AttributeError:
        return False
    return True


def _imported(at: str) -> object:
    """What stands at the address. Importing a module runs it, so anything may be raised there."""
    module, _, names = at.partition(":")
    try:
        found: object = importlib.import_module(module)
        for name in names.split("."):
            found = getattr(found, name)
    except Exception as error:
        raise Unreadable(f"a value of {at} is recorded, which cannot be imported any more: {error}") from error
    return found
