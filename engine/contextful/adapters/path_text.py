"""Values as parts of a path: any file system keeps them, and sorts them as the values sort.

text       0 to 9 and a to z stand for themselves, every other byte of its UTF-8 for two digits behind a sign that
           sorts where the byte does: `-20` a space, `=46` an F, `~c3~a9` an é
empty      `$`
null       `!`
integer    sixteen digits that count from the smallest
long       broken over folders: `aaa…^/aaa…^/aaa`
"""

from __future__ import annotations

import re

from contextful.kernel.table import Scalar

NAME = re.compile(r"[0-9a-z=~!$-]+\^?")
NAME_CHARS_MAX = 200  # a file system allows 255
MORE = "^"
NULL = "!"
EMPTY = "$"
FIRST, LAST = "", "\x7f"  # no spelling comes before the one, or after the other


def _sign(byte: int) -> str:
    return "-" if byte < ord("0") else "=" if byte < ord("a") else "~"


SPELLED = [
    chr(byte) if chr(byte) in "0123456789abcdefghijklmnopqrstuvwxyz" else f"{_sign(byte)}{byte:02x}"
    for byte in range(256)
]


def is_spelled(name: str) -> bool:
    """Whether a name can be part of a path: what else stands in a folder is somebody else's."""
    return NAME.fullmatch(name) is not None


def spelled(value: Scalar) -> str:
    """The value in characters that every file system tells apart."""
    match value:
        case None:
            return NULL
        case int():
            return f"{value + (1 << 63):016x}"
        case str():
            value = value.encode()
    return "".join([SPELLED[byte] for byte in value]) or EMPTY


def parts(spelling: str) -> str:
    """The spelling as a path, in names that are not too long."""
    names = [spelling[at : at + NAME_CHARS_MAX] for at in range(0, len(spelling), NAME_CHARS_MAX)]
    return f"{MORE}/".join(names)
