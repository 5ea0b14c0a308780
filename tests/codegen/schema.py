"""The part of JSON Schema that `contract.schema.json` uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
_KNOWN = {
    "$schema", "$defs", "$ref", "title", "type", "required", "properties", "additionalProperties",
    "items", "minItems", "pattern", "minimum", "enum", "const", "oneOf",
}  # fmt: skip


def faults(value: Any, schema: dict[str, Any], root: dict[str, Any], path: str = "$") -> Iterator[str]:
    """Where a value is not as a schema says; a keyword that is not known here is a fault too."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    yield from (f"{path}: keyword {word}" for word in schema.keys() - _KNOWN)
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(value, _TYPES[kind]) for kind in kinds):
        yield f"{path}: no {kinds}"
        return
    if ("const" in schema and value != schema["const"]) or ("enum" in schema and value not in schema["enum"]):
        yield f"{path}: {value!r}"
    if "oneOf" in schema and sum(not list(faults(value, one, root)) for one in schema["oneOf"]) != 1:
        yield f"{path}: not one of"
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield f"{path}: {value!r}"
    if isinstance(value, int) and value < schema.get("minimum", value):
        yield f"{path}: {value!r}"
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{path}: too few"
        for number, item in enumerate(value):
            yield from faults(item, schema.get("items", {}), root, f"{path}[{number}]")
    if isinstance(value, dict):
        yield from (f"{path}: no {key}" for key in schema.get("required", []) if key not in value)
        for key, item in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties", {}))
            if inner is False:
                yield f"{path}: {key} is too much"
            else:
                yield from faults(item, inner, root, f"{path}.{key}")
