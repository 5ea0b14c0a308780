"""What stands within a line: code spans, links and HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass

from codegen.model import Text

LINK = re.compile(r"\{\{([a-z0-9-]+(?:\.[a-z0-9-]+\.[a-z0-9-]+)?)\}\}")
_TICKS = re.compile(r"`+")
_TYPE_LIKE = re.compile(r"[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")
_HTML = re.compile(r"<(?!https?:)[A-Za-z/!?]")


@dataclass(frozen=True, slots=True)
class _Spans:
    """Where the code spans of a line begin and end, and where one begins that does not end."""

    closed: list[tuple[int, int]]
    open: int | None


def code(text: Text) -> list[Text]:
    """The code spans of a line, without their ticks."""
    return [text.part(start, end).strip() for start, end in _spans(text.value).closed]


def names(text: Text) -> list[Text]:
    """The code spans that read like the name of a type: `BlobMissing`, not `SELECT`."""
    spans = _spans(text.value).closed
    return [text.part(start, end) for start, end in spans if _TYPE_LIKE.fullmatch(text.value, start, end)]


def open_tick(text: Text) -> Text | None:
    """The tick that opens a code span which the line does not close."""
    start = _spans(text.value).open
    return None if start is None else text.part(start)


def masked(text: Text) -> str:
    """The line with the inside of its code spans blotted out, so that every column stays."""
    pieces, done = [], 0
    for start, end in _spans(text.value).closed:
        pieces += [text.value[done:start], "\0" * (end - start)]
        done = end
    return "".join([*pieces, text.value[done:]])


def links(text: Text) -> tuple[list[Text], list[Text]]:
    """The ids that are linked to, and the `{{` that make no link."""
    found, broken = [], []
    for match in re.finditer(r"\{\{", text.value):
        link = LINK.match(text.value, match.start())
        if link:
            found.append(text.part(link.start(1), link.end(1)))
        else:
            broken.append(text.part(match.start(), match.end()))
    return found, broken


def html(text: Text) -> Text | None:
    """The first thing outside code that a reader of Markdown takes for HTML."""
    match = _HTML.search(masked(text)) if "<" in text.value else None
    return text.part(match.start(), match.end()) if match else None


def _spans(value: str) -> _Spans:
    """A span is closed by as many ticks as opened it; the last run of a length closes nothing."""
    ticks = list(_TICKS.finditer(value))
    if "``" not in value:
        ends = [tick.start() for tick in ticks]
        pairs = zip(ends[::2], ends[1::2], strict=False)
        return _Spans([(start + 1, end) for start, end in pairs], ends[-1] if len(ends) % 2 else None)
    closed: list[tuple[int, int]] = []
    last = {len(tick[0]): tick.start() for tick in ticks}
    opened: re.Match[str] | None = None
    for tick in ticks:
        if opened is None and last[len(tick[0])] == tick.start():
            return _Spans(closed, tick.start())
        if opened is None:
            opened = tick
        elif len(tick[0]) == len(opened[0]):
            closed.append((opened.end(), tick.start()))
            opened = None
    return _Spans(closed, None)
