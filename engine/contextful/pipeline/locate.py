"""Where the keys of a manifest stand in its text, so that a fault can point at its line and column.

The text has been read by the standard library before, so it is known to be TOML: this only walks it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

Path = tuple[str | int, ...]

BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'", re.DOTALL)
BARE = re.compile(r"[A-Za-z0-9_-]+")
SCALAR = re.compile(r"[^,\]}#\n]+")


@dataclass(frozen=True, slots=True)
class Place:
    """A line and a column, each counted from one."""

    line: int
    column: int


def places(text: str) -> Mapping[Path, Place]:
    """The place of every key, and of every item of an array, by its path from the top."""
    walk = _Walk(text)
    walk.document()
    return walk.found


class _Walk:
    def __init__(self, text: str) -> None:
        self.found: dict[Path, Place] = {}
        self._text = text
        self._at = 0
        self._counts: dict[Path, int] = {}

    def document(self) -> None:
        table: Path = ()
        self._skip(BLANK)
        while self._at < len(self._text):  # ends: each round takes a header or a pair
            if self._text.startswith("[[", self._at):
                table = self._header(2)
                index = self._counts[table] = self._counts.get(table, -1) + 1
                table = (*table, index)
                self.found.setdefault(table, self._place(self._header_at))
            elif self._text.startswith("[", self._at):
                table = self._header(1)
            else:
                self._pair(table)
            self._skip(BLANK)

    def _header(self, width: int) -> Path:
        self._header_at = self._at
        self._at += width
        path = self._key((), whole=True)
        self._skip(BLANK)
        self._at += width
        return path

    def _pair(self, table: Path) -> None:
        path = self._key(table)
        self._skip(BLANK)
        self._at += 1  # the equals sign
        self._value(path)

    def _key(self, table: Path, *, whole: bool = False) -> Path:
        """A dotted key. In a header, the names of arrays stand for their latest item."""
        path = table
        while True:  # ends: with the last dot
            self._skip(BLANK)
            begin = self._at
            string = STRING.match(self._text, begin)
            name = string or BARE.match(self._text, begin)
            assert name is not None, "the text is TOML"
            self._at = name.end()
            path = (*path, _said(name[0]) if string else name[0])
            self.found.setdefault(path, self._place(begin))
            self._skip(BLANK)
            if not self._text.startswith(".", self._at):
                return path
            self._at += 1
            if whole and path in self._counts:
                path = (*path, self._counts[path])

    def _value(self, path: Path) -> None:
        self._skip(BLANK)
        opening = self._text[self._at]
        if opening == "[":
            self._items(path)
        elif opening == "{":
            self._pairs(path)
        else:
            self._skip(STRING if opening in "\"'" else SCALAR)

    def _items(self, path: Path) -> None:
        self._at += 1
        index = 0
        while not self._closes("]"):  # ends: each round takes an item
            self.found[(*path, index)] = self._place(self._at)
            self._value((*path, index))
            index += 1

    def _pairs(self, path: Path) -> None:
        self._at += 1
        while not self._closes("}"):  # ends: each round takes a pair
            self._pair(path)

    def _closes(self, bracket: str) -> bool:
        self._skip(BLANK)
        if self._text.startswith(",", self._at):
            self._at += 1
            self._skip(BLANK)
        if self._text.startswith(bracket, self._at):
            self._at += 1
            return True
        return False

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self._text, self._at)
        if match is not None:
            self._at = match.end()

    def _place(self, at: int) -> Place:
        line_begins = self._text.rfind("\n", 0, at) + 1
        return Place(self._text.count("\n", 0, at) + 1, at - line_begins + 1)


def _said(string: str) -> str:
    """What a quoted key says."""
    return cast(str, tomllib.loads(f"key = {string}")["key"])
