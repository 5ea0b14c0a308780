"""A table's columns and their types, and the Arrow JSON that `schema.json` spells them in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
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
    """The columns of a table, in the order in which they were first seen.

    A variant that was a column of texts before a commit has the sequence of that commit in `text_before`.
    """

    types: Mapping[str, Type]
    text_before: Mapping[str, int] = field(default_factory=dict)


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
_TEXT_BEFORE = "contextful.text_before"


def to_json(schema: Schema) -> bytes:
    """The schema as `schema.json` holds it."""
    fields = [
        {
            "name": name,
            "nullable": True,
            "type": _ARROW[kind],
            "children": [],
            "metadata": [{"key": _SPELLED, "value": kind.value}, *_noted(schema, name)],
        }
        for name, kind in schema.types.items()
    ]
    return json.dumps({"fields": fields}, indent=1, sort_keys=True).encode() + b"\n"


def from_json(content: bytes) -> Schema:
    """The schema that the bytes hold. Raises ValueError, KeyError or TypeError where they hold none."""
    fields = cast(list[dict[str, object]], json.loads(content)["fields"])
    noted = {cast(str, field["name"]): _metadata(field) for field in fields}
    return Schema(
        {name: Type(notes[_SPELLED]) for name, notes in noted.items()},
        {name: int(notes[_TEXT_BEFORE]) for name, notes in noted.items() if _TEXT_BEFORE in notes},
    )


def _noted(schema: Schema, name: str) -> list[dict[str, str]]:
    seq = schema.text_before.get(name)
    return [] if seq is None else [{"key": _TEXT_BEFORE, "value": str(seq)}]


def _metadata(field: dict[str, object]) -> dict[str, str]:
    return {entry["key"]: entry["value"] for entry in cast(list[dict[str, str]], field["metadata"])}
