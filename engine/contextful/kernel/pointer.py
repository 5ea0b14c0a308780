"""Pointers into JSON, as RFC 6901 spells them."""

from __future__ import annotations

import re
from collections.abc import Mapping

INDEX = re.compile(r"0|[1-9]\d*")


def found(value: object, pointer: str) -> object:
    """What stands there, or none where nothing does. The empty pointer is the whole."""
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, list) and INDEX.fullmatch(name) and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value
