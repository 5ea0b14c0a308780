"""The contract's records as JSON spells them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from typing import Any

from contextful.kernel import instant


def to_json(shape: Any) -> dict[str, object]:
    """The shape as JSON spells it. A field that has a default is absent where it has that value."""
    shown = [field for field in fields(shape) if getattr(shape, field.name) != _default(field)]
    return {field.name.rstrip("_"): _spelled(getattr(shape, field.name), str(field.type)) for field in shown}


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _spelled(value: object, kind: str) -> object:
    match value:
        case Enum():
            return value.value
        case int() if kind.startswith("Instant"):
            return instant.spell(value)
        case tuple():
            return [_spelled(item, "") for item in value]
        case Mapping():
            return dict(value)
        case _ if is_dataclass(value):
            return to_json(value)
        case _:
            return value
