"""Changes of the contract as lines for a terminal."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap

from tools import words
from tools.changes import Change
from tools.contract import Count, Scenario
from tools.places import Place

WIDTH = 100
INDENT = " " * 4

Marks = Mapping[str, Sequence[Place]]


def told(changes: Sequence[Change], marks: Marks, since: str) -> str:
    """What happened to each clause and what that makes stale, then the totals."""
    lines = [line for change in changes for line in _change(change, marks)]
    return "\n".join([*lines, _total(changes, since)]) + "\n"


def paragraph(text: str) -> list[str]:
    """A statement in lines that fit."""
    return wrap(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)


def reworded(old: str, new: str) -> list[str]:
    """Two wordings as one paragraph."""
    return paragraph(words.diff(old, new))


def _change(change: Change, marks: Marks) -> Iterator[str]:
    clause, old = change.clause, change.old
    yield f"{clause.id}  {', '.join(change.kinds)}  {clause.file}:{clause.line}"
    if old is None or change.new is None:
        yield from paragraph(clause.statement)
    else:
        if "renamed" in change.kinds:
            yield f"{INDENT}was {old.id}"
        if "reworded" in change.kinds:
            yield from reworded(old.statement, clause.statement)
        if "why reworded" in change.kinds:
            yield from reworded(old.why, clause.why)
        if old.asked != clause.asked:
            yield f"{INDENT}asks for {_asked(clause.asked)}, before for {_asked(old.asked)}"
        yield from (f"{INDENT}table: {name}" for name in change.shapes)
        yield from (f"{INDENT}lost: {_steps(scenario)}" for scenario in change.lost)
        yield from (f"{INDENT}new:  {_steps(scenario)}" for scenario in change.gained)
    if change.stale:
        yield from (f"{INDENT}stale: {what}" for what in _stale(change, marks))


def _stale(change: Change, marks: Marks) -> Iterator[str]:
    """What was written for the old words: its scenarios, and whatever names it under tests/ and proofs/."""
    if change.new is not None:
        count = len(change.new.scenarios) - len(change.gained)
        yield from [f"{count} scenario{'' if count == 1 else 's'}, worded as before"] if count else []
    for place in marks.get(change.clause.id, ()):
        yield f"{place.file}:{place.line}"


def _asked(count: Count) -> str:
    return " and ".join(
        f"{many} {noun}{'' if many == 1 else 's'}"
        for many, noun in ((count.test, "test"), (count.theorem, "theorem"))
        if many
    )


def _steps(scenario: Scenario) -> str:
    return ", ".join(f"{word} {step}" for word, step in scenario.steps)


def _total(changes: Iterable[Change], since: str) -> str:
    counted = Counter(kind for change in changes for kind in change.kinds)
    told = ", ".join(f"{count} {kind}" for kind, count in counted.items())
    return f"{told or 'no clause changed'} since {since}"
