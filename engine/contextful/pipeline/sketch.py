"""A manifest's JSON Schema, for editors: drawn by the very code that reads one, from a block that holds nothing.

Where what is read depends on what was read before, the manifest is drawn once a way, all on one sheet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from contextful.pipeline import declare
from contextful.pipeline.block import ANY, Block, Faults, Member, Value
from contextful.pipeline.source import SOURCES
from contextful_contract.base import ContextfulError

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SPAN = {"type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$"}
VARIOUS = ("config", "transforms", "pagination", "job")  # what these must have depends on what they are
NAMES = {"type": "array", "items": {"type": "string"}, "minItems": 1}
Node = dict[str, Any]
WAYS: tuple[Mapping[str, str], ...] = (
    *({"source.name": name} for name in SOURCES),
    *({"source.name": "http", "pagination.by": by} for by in ("page", "cursor", "url", "link")),
    {"transforms.rename": "there"},
    {"transforms.drop": "there"},
    {"transforms.where": "there"},
    {"transforms.where": "there", "transforms.is_not": "there"},
)


def schema() -> Node:
    """The schema of `contextful.toml`."""
    drawn: Node = {"type": "object", "properties": {}}
    for way in WAYS:
        declare.project(Sketch(drawn, way))
    return {"$schema": DIALECT, "title": "contextful.toml", **drawn}


class Sketch(Block):
    """A block in which every key is missing, and which notes what each would have to be."""

    def __init__(self, node: Node, way: Mapping[str, str], name: str = "") -> None:
        super().__init__({}, (), Faults("", {}))
        self._node = node
        self._way = way
        self._called = name

    def text(self, key: str, default: str, *, shape: re.Pattern[str] | None = None, says: str = "") -> str:
        """A text."""
        self._note(key, _shaped(shape, says))
        return self._way.get(f"{self._called}.{key}", default)

    def optional(self, key: str) -> str | None:
        """A text, or none."""
        self._note(key, _shaped(None, ""))
        return None

    def required(self, key: str, *, shape: re.Pattern[str] | None = None, says: str = "") -> str:
        """A text that must be there."""
        self._require(key)
        return self.text(key, "", shape=shape, says=says)

    def checked(self, key: str, check: Callable[[str], None], *, shape: re.Pattern[str], says: str) -> str:  # noqa: ARG002
        """A text that must be there and that passes a check, which no schema can say."""
        return self.required(key, shape=shape, says=says)

    def integer(self, key: str, default: int, low: int, high: int) -> int:
        """A whole number in a range."""
        self._note(key, {"type": "integer", "minimum": low, "maximum": high})
        return default

    def whole(self, key: str) -> int | None:
        """A whole number, or none."""
        self._note(key, {"type": "integer"})
        return None

    def boolean(self, key: str, default: bool) -> bool:
        """True or false."""
        self._note(key, {"type": "boolean"})
        return default

    def span_ms(self, key: str, default: int, low: str, high: str) -> int:
        """A length of time."""
        self._note(key, {**SPAN, "description": f"from {low} to {high}"})
        return default

    def bound(self, key: str, default: int | float | str | None) -> int | float | str | None:
        """A number or an instant."""
        self._note(key, {"anyOf": [{"type": "number"}, {"type": "string", "format": "date-time"}]})
        return default

    def step(self, key: str) -> int | str | None:
        """A whole number, or a length of time."""
        self._note(key, {"anyOf": [{"type": "integer", "minimum": 1}, SPAN]})
        return None

    def choice(self, key: str, default: Member) -> Member:
        """One of an enumeration's values."""
        self._note(key, {"enum": [member.value for member in type(default)]})
        return default

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """A text, or a list of them."""
        self._note(key, {"anyOf": [{"type": "string"}, NAMES]})
        return default

    def values(self, key: str) -> tuple[str | int | float | bool, ...]:
        """A list of plain values."""
        self._note(key, {"type": "array", "minItems": 1})
        return ()

    def members(self, key: str, kind: type[Member], default: tuple[Member, ...]) -> tuple[Member, ...]:
        """A list of an enumeration's values."""
        self._note(key, {"type": "array", "items": {"enum": [member.value for member in kind]}})
        return default

    def mapping(
        self,
        key: str,
        item: Callable[[object], Value],  # noqa: ARG002 (what an item may be is for its reader to say)
        *,
        named: re.Pattern[str] = ANY,
        says: str = "",  # noqa: ARG002
    ) -> Mapping[str, Value]:
        """A table of further names."""
        names = {} if named is ANY else {"propertyNames": {"pattern": _anchored(named)}}
        self._note(key, {"type": "object", **names})
        return {}

    def block(self, key: str) -> Block:
        """A block within."""
        node = self._note(key, {"type": "object", "properties": {}})
        return Sketch(node, self._way, key)

    def blocks(self, key: str) -> Mapping[str, Block]:
        """A table of further names, of whose blocks one is drawn."""
        node = self._note(key, {"type": "object", "additionalProperties": {"type": "object", "properties": {}}})
        return {"": Sketch(node["additionalProperties"], self._way, key)}

    def has(self, key: str) -> bool:
        """Whether the key is there, on this way."""
        if self._called == "transforms":
            return f"{self._called}.{key}" in self._way
        return self._called != "job" or key == "max_in_flight"

    def items(self, key: str) -> Sequence[Block | str]:
        """A list of blocks, of which one is drawn; tables may be names alone."""
        block: Node = {"type": "object", "properties": {}}
        items: Node = {"anyOf": [{"type": "string"}, block]} if key == "tables" else block
        node = self._note(key, {"type": "array", "items": items})["items"]
        return [Sketch(node["anyOf"][1] if key == "tables" else node, self._way, key)]

    def fault(self, key: str, reason: str) -> None:
        """Nothing is there, so nothing is wrong with it."""

    def refuse(self, refusal: ContextfulError, *path: str | int) -> None:
        """Nothing is there, so nothing is wrong with it."""

    def end(self) -> None:
        """What was not drawn is unknown; but what a job may have depends on its kind."""
        if self._called != "job":
            self._node["additionalProperties"] = False

    def _note(self, key: str, node: Node) -> Node:
        held: Node = self._node["properties"].setdefault(key, node)
        return held

    def _require(self, key: str) -> None:
        required = self._node.setdefault("required", [])
        if key not in required and (key == "name" or self._called not in VARIOUS):
            required.append(key)


def _shaped(shape: re.Pattern[str] | None, says: str) -> Node:
    pattern = {} if shape is None else {"pattern": _anchored(shape)}
    return {"type": "string", "minLength": 1, **pattern, **({"description": says} if says else {})}


def _anchored(shape: re.Pattern[str]) -> str:
    return f"^(?:{shape.pattern})$"
