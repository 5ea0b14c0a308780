"""Pieces of Python as the formatter would leave them."""

from __future__ import annotations

import re
from typing import cast

from codegen import type_names
from codegen.model import Type

WIDTH = 120
_DEFAULTS = {
    "omit-if-none": "None",
    "omit-if-zero": "0",
    "omit-if-false": "False",
}
_EMPTY = {"str": '""', "list": "()", "map": "dataclasses.field(default_factory=dict)"}


def literal(text: str) -> str:
    """A string, in double quotes unless single ones need fewer escapes."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    inner = text.replace("\\", "\\\\").replace(quote, "\\" + quote)
    return quote + re.sub(r"[^ -~]", _escaped, inner) + quote


def assignment(target: str, text: str) -> str:
    """A string given to a name, in parentheses where only that makes it fit."""
    flat = f"{target} = {literal(text)}"
    indent = " " * (len(target) - len(target.lstrip()))
    if len(flat) > WIDTH and len(indent) + 4 + len(literal(text)) <= WIDTH:
        return f"{target} = (\n{indent}    {literal(text)}\n{indent})"
    return flat


def import_of(module: str, names: list[str]) -> str:
    """An import of some names, one a line where they do not fit on one."""
    flat = f"from {module} import {', '.join(names)}"
    if len(flat) <= WIDTH:
        return flat
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")"


def annotation(written: str) -> str:
    """The annotation of a field that has this type in a table."""
    return type_names.annotation(cast(Type, type_names.read_type(written)))


def default(field: dict[str, str]) -> str:
    """` = ` and what a field is where its key is absent; nothing where the key is always there."""
    presence = field["presence"]
    if presence == "always":
        return ""
    kind = cast(Type, type_names.read_type(field["type"])).name
    return f" = {_EMPTY[kind] if presence == 'omit-if-empty' else _DEFAULTS[presence]}"


def _escaped(match: re.Match[str]) -> str:
    return match[0] if match[0].isprintable() else match[0].encode("unicode_escape").decode("ascii")
