"""From the bytes of a page to its text: what no line of a page may hold, found before any line is read."""

from __future__ import annotations

import re
import unicodedata

from codegen.findings import Notes
from codegen.model import Text

_UNSEEN = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_SUSPECT = re.compile(f"{_UNSEEN.pattern}|{_CONTROL.pattern}|\t| \n")


def preflight(raw: bytes, notes: Notes) -> str | None:
    """The page's text with `\\n` ends and the columns it has in an editor; None where it is no text."""
    text = _decode(raw, notes)
    if text is None:
        return None
    if text.startswith("\ufeff"):
        notes.add(Text("", 1, 1), "byte-order-mark", "the page begins with a byte order mark")
        text = text[1:]
    if "\r\n" in text:
        line, column = _place(text, text.index("\r\n"))
        notes.add(Text("", line, column), "line-end", "lines end with \\r\\n")
        text = text.replace("\r\n", "\n")
    if not text.endswith("\n"):
        line, column = _place(text, len(text))
        notes.add(Text("", line, column), "last-newline", "the last line has no end")
        text += "\n"
    if _SUSPECT.search(text):
        _characters(text, notes)
        text = re.sub(" +\n", "\n", text.replace("\t", " "))
    if not unicodedata.is_normalized("NFC", text):
        _compositions(text, notes)
    return text


def _decode(raw: bytes, notes: Notes) -> str | None:
    if b"\0" in raw:
        line = raw.count(b"\n", 0, raw.index(b"\0")) + 1
        notes.add(Text("", line, 1), "binary", "the file holds a zero byte")
        return None
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        start = raw.rfind(b"\n", 0, error.start) + 1
        line = raw.count(b"\n", 0, start) + 1
        column = len(raw[start : error.start].decode("utf-8")) + 1
        notes.add(Text("", line, column), "encoding", f"byte 0x{raw[error.start]:02x} is not UTF-8")
        return None


def _characters(text: str, notes: Notes) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        for match in _CONTROL.finditer(line):
            at = Text(match[0], number, match.start() + 1)
            notes.add(at, "control-character", f"U+{ord(match[0]):04X} is a control character")
        for match in _UNSEEN.finditer(line):
            at = Text(match[0], number, match.start() + 1)
            notes.add(at, "invisible-character", f"U+{ord(match[0]):04X} cannot be seen")
        if "\t" in line:
            notes.add(Text("", number, line.index("\t") + 1), "tab", "a tab")
        if line.endswith(" "):
            notes.add(Text("", number, len(line.rstrip(" ")) + 1), "trailing-space", "spaces end the line")


def _compositions(text: str, notes: Notes) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        composed = unicodedata.normalize("NFC", line)
        if composed != line:
            pairs = zip(line, composed, strict=False)
            column = next((i for i, (a, b) in enumerate(pairs, 1) if a != b), len(composed) + 1)
            notes.add(Text("", number, column), "not-nfc", "a character is written in parts")


def _place(text: str, offset: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1
