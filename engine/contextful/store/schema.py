"""A table's columns and their types, and the Arrow JSON that `schema.json` spells them in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import cast


class Type(Enum):
    """What a column holds, as `columns` and refusals spell it."""

    NULL = "null"  # only nulls so far: any type may follow
    BOOLEAN = "boolean"
    INT64 = "int64"
    FLOAT64 = "float64"
    UTF8 = "utf8"
    TIMESTAMP = "timestamp"
    VARIANT = "variant"  # nested JSON, as its text


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of a table, in the order in which they were first seen."""

    types: Mapping[str, Type]


EMPTY = Schema({})

_ARROW: dict[Type, dict[str, str | int | bool]] = {
    Type.NULL: {"name": "null"},
    Type.BOOLEAN: {"name": "bool"},
    Type.INT64: {"name": "int", "bitWidth": 64, "isSigned": True},
    Type.FLOAT64: {"name": "floatingpoint", "precision": "DOUBLE"},
    Type.UTF8: {"name": "utf8"},
    Type.TIMESTAMP: {"name": "timestamp", "unit": "NANOSECOND", "timezone": "UTC"},
    Type.VARIANT: {"name": "utf8"},
}
_SPELLED = "contextful.type"


def to_json(schema: Schema) -> bytes:
    """The schema as `schema.json` holds it."""
    fields = [
        {
            "name": name,
            "nullable": True,
            "type": _ARROW[kind],
            "children": [],
            "metadata": [{"key": _SPELLED, "value": kind.value}],
        }
        for name, kind in schema.types.items()
    ]
    return json.dumps({"fields": fields}, indent=1, sort_keys=True).encode() + b"\n"


def from_json(content: bytes) -> Schema:
    """The schema that the bytes hold. Raises ValueError, KeyError or TypeError where they hold none."""
    fields = cast(list[dict[str, object]], json.loads(content)["fields"])
    return Schema({cast(str, field["name"]): _type(field) for field in fields})


def _type(field: dict[str, object]) -> Type:
    noted = {entry["key"]: entry["value"] for entry in cast(list[dict[str, str]], field["metadata"])}
    return Type(noted[_SPELLED])
