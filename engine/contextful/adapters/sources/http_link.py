"""The Link header of RFC 8288: where an answer says that it goes on."""

from __future__ import annotations

import re

TOKEN = r"[\w!#$%&'*+.^`|~-]++"
PARAM = rf'\s*+;\s*+(?:({TOKEN})\s*+(?:=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s",;]*+)))?+)?+'  # nothing is tried twice
LINK = re.compile(rf"[\s,]*+<([^<>]*+)>((?:{PARAM})*+)\s*+(?=,|$)")
NAMED = re.compile(PARAM)
ESCAPED = re.compile(r"\\(.)")


def target(header: str, rel: str) -> str | None:
    """What the first link of that relation points to; none where there is none. Raises ValueError of no such header."""
    at, found = 0, None
    while header[at:].strip(", \t"):
        link = LINK.match(header, at)
        if link is None:
            raise ValueError(f"cannot be read from {header[at : at + 80]!r} on")
        at = link.end()
        if found is None and rel in _relations(link[2]):
            found = link[1]
    return found


def _relations(params: str) -> list[str]:
    """The relations of a link to this very answer. Only the first `rel` counts."""
    named: dict[str, str] = {}
    for name, quoted, bare in NAMED.findall(params):
        named.setdefault(name.lower(), ESCAPED.sub(r"\1", quoted) or bare)
    return [] if "anchor" in named else named.get("rel", "").lower().split()
