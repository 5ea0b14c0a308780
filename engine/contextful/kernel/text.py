"""Text that every store takes and every reader can show."""

from __future__ import annotations

import re

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL has no NUL, and UTF-8 no half of a pair
INSTEAD = "\ufffd"


def admitted(name: str, text: object) -> str:
    """The text as it is, if a store can hold it. Raises ValueError, which says whose it is."""
    if not isinstance(text, str) or UNSTORABLE.search(text):
        raise ValueError(f"{name} is {text!r:.80}, and must be text without NUL or lone surrogates")
    return text if type(text) is str else str.__str__(text)


def storable(text: str) -> bool:
    """Whether a store can hold the text, and so whether it can be what something is called."""
    return UNSTORABLE.search(text) is None


def mended(text: str) -> str:
    """The text with a sign in place of what no store can hold."""
    return UNSTORABLE.sub(INSTEAD, text)
