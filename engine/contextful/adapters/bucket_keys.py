"""Keys as names that every bucket and every file system takes, and back."""

from __future__ import annotations

from urllib.parse import quote, unquote

EMPTY = "%"  # spells a segment that has no character; no other is spelled so
DOTS = {".": "%2E", "..": "%2E%2E"}


def spelled(key: str) -> str:
    """The key in plain characters, segment by segment."""
    return "/".join(DOTS.get(part, quote(part, safe="@ ")) or EMPTY for part in key.split("/"))


def read(name: str) -> str:
    """The key that is spelled so."""
    return "/".join("" if part == EMPTY else unquote(part) for part in name.split("/"))
