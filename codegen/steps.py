"""From the words of a scenario to its steps: GIVEN, WHEN, THEN and the ANDs after each."""

from __future__ import annotations

import re

from codegen import inline
from codegen.findings import Notes
from codegen.model import Text

_WORD = re.compile(r"(?<![A-Za-z0-9_-])(GIVEN|WHEN|THEN|AND)(?![A-Za-z0-9_-])")
_ORDER = ("GIVEN", "WHEN", "THEN")

Steps = dict[str, tuple[str, ...]]


def read_steps(text: Text, notes: Notes) -> Steps | None:
    """The steps under each word, or None and a note at the word that is missing, misplaced or says nothing."""
    words = list(_WORD.finditer(inline.masked(text)))
    if not words or words[0].start() > 0:
        notes.add(text, "steps", "a scenario begins with GIVEN or WHEN")
        return None
    steps: dict[str, list[str]] = {word: [] for word in _ORDER}
    part = ""
    for word, following in zip(words, [*words[1:], None], strict=True):
        at = text.part(word.start())
        if word[0] != "AND":
            if word[0] in _ORDER[: _ORDER.index(part) + 1 if part else 0] or (word[0], part) == (
                "THEN",
                "GIVEN",
            ):
                notes.add(at, "steps", f"{word[0]} cannot follow {part}")
                return None
            part = word[0]
        elif not part:
            notes.add(at, "steps", "AND follows nothing")
            return None
        step = text.part(word.end(), following.start() if following else None)
        if following and not step.value.endswith(", "):
            notes.add(
                text.part(following.start()), "steps", f"a comma and a space stand before {following[0]}"
            )
            return None
        said = step.value.removesuffix(", ").removesuffix(".").strip(" ")
        if not said or not step.value.startswith(" "):
            notes.add(at, "steps", f"{word[0]} says nothing")
            return None
        steps[part].append(said)
    for word_needed in ("WHEN", "THEN"):
        if not steps[word_needed]:
            notes.add(text, "steps", f"the scenario has no {word_needed}")
            return None
    return {word: tuple(said) for word, said in steps.items()}
