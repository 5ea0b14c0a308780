"""What stands within a line: code spans, links and HTML."""

from __future__ import annotations

import re

from codegen.model import Text

LINK = re.compile(r"\{\{([a-z0-9-]+(?:\.[a-z0-9-]+\.[a-z0-9-]+)?)\}\}")
_TICKS = re.compile(r"`+")
_HTML = re.compile(r"<(?!https?:)[A-Za-z/!?]")


def code(text: Text) -> tuple[list[Text], Text | None]:
    """The code spans of a line without their ticks, and the tick that opens one that is never closed."""
    spans: list[Text] = []
    opened: re.Match[str] | None = None
    rest = list(_TICKS.finditer(text.value))
    closers = {len(tick[0]): tick.start() for tick in rest}
    for tick in rest:
        if opened is None:
            if closers[len(tick[0])] == tick.start():
                return spans, text.part(tick.start(), tick.end())
            opened = tick
        elif len(tick[0]) == len(opened[0]):
            spans.append(text.part(opened.end(), tick.start()).strip())
            opened = None
    return spans, None


def masked(text: Text) -> str:
    """The line with the inside of its code spans blotted out, so that every column stays."""
    pieces, end = [], 0
    for span in code(text)[0]:
        start = span.column - text.column
        pieces += [text.value[end:start], "\0" * len(span.value)]
        end = start + len(span.value)
    return "".join([*pieces, text.value[end:]])


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
    """The first thing outside code that a reader of Markdown would take for HTML."""
    match = _HTML.search(masked(text)) if "<" in text.value else None
    return text.part(match.start(), match.end()) if match else None
