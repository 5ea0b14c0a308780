"""Types as the tables write them: `str`, `Owner?`, `list<FailureTag>`, `map<str, int>`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.model import Type

PRIMITIVES = {
    "str": "str",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "bytes": "bytes",
    "json": "Json",
    "instant": "Instant",
}
DEEPEST = 8
_OPEN = re.compile(r"(list)<|(map)<str, ")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")


def read_type(written: str) -> Type | None:
    """The type that a cell writes, or None where it writes none."""
    type_, end = _read(written, 0, 0)
    return type_ if end == len(written) else None


def names(type_: Type) -> Iterator[str]:
    """The enumerations and records that a type is made of."""
    if type_.item:
        yield from names(type_.item)
    elif type_.name not in PRIMITIVES:
        yield type_.name


def python_names(type_: Type) -> Iterator[str]:
    """What `annotation` takes from the generated shapes."""
    if type_.item:
        yield from python_names(type_.item)
    elif PRIMITIVES.get(type_.name, type_.name)[0].isupper():
        yield PRIMITIVES.get(type_.name, type_.name)


def annotation(type_: Type) -> str:
    """The type in Python; what a record holds does not change, so a list is a tuple."""
    if type_.item:
        item = annotation(type_.item)
        python = f"tuple[{item}, ...]" if type_.name == "list" else f"Mapping[str, {item}]"
    else:
        python = PRIMITIVES.get(type_.name, type_.name)
    return f"{python} | None" if type_.optional else python


def _read(written: str, position: int, depth: int) -> tuple[Type | None, int]:
    if depth > DEEPEST:
        return None, position
    opened = _OPEN.match(written, position)
    if opened:
        item, end = _read(written, opened.end(), depth + 1)
        if item is None or written[end : end + 1] != ">":
            return None, position
        name, end = opened[1] or opened[2], end + 1
    else:
        match = _NAME.match(written, position)
        if match is None:
            return None, position
        item, name, end = None, match[0], match.end()
    optional = written[end : end + 1] == "?"
    return Type(name, item, optional), end + optional
