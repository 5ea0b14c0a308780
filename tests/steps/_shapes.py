"""Whether a JSON document is of a shape of the contract: what it must have, no more than it may, each of its type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import EnumType

from contextful.kernel import instant
from contextful_contract import shapes

PLAIN: Mapping[str, type] = {"str": str, "int": int, "bool": bool}


def assert_of(name: str, held: object) -> None:
    """The document decodes as the shape of this name."""
    kind = getattr(shapes, name)
    if isinstance(kind, EnumType):
        kind(held)
        return
    assert is_dataclass(kind)
    assert isinstance(held, Mapping)
    known = {field.name.rstrip("_"): field for field in fields(kind)}
    assert held.keys() <= known.keys(), f"{name} has no {held.keys() - known.keys()}"
    for key, field in known.items():
        if key in held:
            _assert_typed(str(field.type), held[key])
        else:
            assert (field.default, field.default_factory) != (MISSING, MISSING), f"{name} must have {key}"


def _assert_typed(kind: str, held: object) -> None:
    if kind.endswith(" | None"):
        if held is not None:
            _assert_typed(kind.removesuffix(" | None"), held)
    elif kind == "Instant":
        assert instant.read(str(held)) is not None, held
    elif kind in PLAIN:
        assert type(held) is PLAIN[kind], (kind, held)
    elif items := re.fullmatch(r"tuple\[(.+), \.\.\.\]", kind):
        assert isinstance(held, list)
        for item in held:
            _assert_typed(items[1], item)
    elif values := re.fullmatch(r"Mapping\[str, (.+)\]", kind):
        assert isinstance(held, Mapping)
        for value in held.values():
            _assert_typed(values[1], value)
    elif kind != "Json":
        assert_of(kind, held)
