"""From the words of a scenario to its steps: GIVEN, WHEN, THEN and the ANDs after each."""

from __future__ import annotations

import re

from codegen import inline
from codegen.findings import Notes
from codegen.model import Text

_WORD = re.compile(r"(?<![A-Za-z0-9_-])(GIVEN|WHEN|THEN|AND)(?![A-Za-z0-9_-])")
_NEXT = {"": ("GIVEN", "WHEN"), "GIVEN": ("WHEN", "AND"), "WHEN": ("THEN", "AND"), "THEN": ("AND",)}

Steps = dict[str, list[str]]


def read_steps(text: Text, notes: Notes) -> Steps | None:
    """The steps under each word, or None and a note at the first word that is missing or misplaced."""
    words = list(_WORD.finditer(inline.masked(text)))
    steps: Steps = {"GIVEN": [], "WHEN": [], "THEN": []}
    part, fault = "", _fault(text, words)
    for number, word in enumerate(words if fault is None else ()):
        if word[0] not in _NEXT[part]:
            fault = text.part(word.start()), f"{word[0]} where {' or '.join(_NEXT[part])} is expected"
            break
        part = part if word[0] == "AND" else word[0]
        end = words[number + 1].start() if number + 1 < len(words) else None
        steps[part].append(text.part(word.end(), end).value.removesuffix(", ").strip(" ").removesuffix("."))
    if fault is None and part != "THEN":
        fault = text, f"the scenario has no {'THEN' if part == 'WHEN' else 'WHEN'}"
    if fault:
        notes.add(fault[0], "steps", fault[1])
    return None if fault else steps


def _fault(text: Text, words: list[re.Match[str]]) -> tuple[Text, str] | None:
    """What is wrong around the words: they follow a comma and a space, and a step follows them."""
    if not words or words[0].start() > 0:
        return text, "a scenario begins with GIVEN or WHEN"
    for word, end in zip(words, [*[word.start() for word in words[1:]], len(text.value)], strict=True):
        if word.start() and not text.value.endswith(", ", 0, word.start()):
            return text.part(word.start()), f"no comma and space before {word[0]}"
        if not re.match(r" [^ ,.]", text.value[word.end() : end]):
            return text.part(word.start()), f"no step after {word[0]}"
    return None
