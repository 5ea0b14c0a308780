"""A clause gets another name: on its page, in links, cites and marks, and in the snapshot; all of it or nothing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from codegen import load, naming, output, report
from codegen.render import render
from tools import lines, places, snapshot, units
from tools.command import Trouble
from tools.pages import Pages
from tools.places import Place

SUBJECT = re.compile("[a-z0-9-]+")


@dataclass(frozen=True, slots=True)
class Edit:
    """A place, and what is to be written there."""

    place: Place
    word: str


def target(pages: Pages, old: str, asked: str) -> str:
    """The full id to be; refused where it is no id, or of another operation, or taken."""
    operation = old.rpartition(".")[0]
    new = asked if "." in asked else f"{operation}.{asked}"
    if not SUBJECT.fullmatch(new.rpartition(".")[2]):
        raise Trouble(f"{asked} is no id: a subject is of a-z, 0-9 and -")
    if new.rpartition(".")[0] != operation:
        raise Trouble(f"{asked} is not of {operation}: move the clause's lines to the other page by hand")
    if new in pages.contract.by_id:
        raise Trouble(f"there is a clause {new} already")
    return new


def plan(root: Path, pages: Pages, old: str, new: str) -> tuple[Edit, ...]:
    """What is to be written where. The last part alone, where that stood, stays so if no other clause has it."""
    subject = new.rpartition(".")[2]
    others = pages.placed.resolve(subject)
    short = new if others else subject
    edits = [
        Edit(place, subject if place.kind == "clause" else new if place.word == old else short)
        for place in places.every(root, pages.placed, old)
    ]
    page = pages.contract.by_id[old].file
    for other in others:
        for place in places.on_pages(pages.placed, other):
            # these words would mean two clauses from now on
            if place.word == subject and (place.kind == "link" or (place.kind, place.file) == ("row", page)):
                edits.append(Edit(place, other))
    return tuple(sorted(edits, key=lambda edit: edit.place))


def apply(root: Path, edits: Sequence[Edit], pages: Pages, old: str, new: str) -> None:
    """Write the edits, then what follows from them; undo the edits where the pages would not be sound."""
    originals: dict[Path, bytes] = {}
    for file, group in groupby(edits, key=lambda edit: edit.place.file):
        path = root / file
        originals[path] = path.read_bytes()
        path.write_bytes(edited(originals[path].decode("utf-8"), list(group)).encode("utf-8"))
    placed, findings = load.load(root)
    if findings:
        for path, original in originals.items():
            path.write_bytes(original)
        raise Trouble(f"nothing is renamed, for then\n{report.text(findings, report.Count.of(placed))}", code=1)
    output.write(root / "generated", render(placed))
    _carry_words(root, {old: new}, pages, Pages(placed))
    _carry_evidence(root, old, new)


def edited(text: str, edits: Sequence[Edit]) -> str:
    """A text with each edit made, the last one first, so that the others stay where they are."""
    rows = text.split("\n")
    for edit in reversed(edits):
        at, row = edit.place.column - 1, rows[edit.place.line - 1]
        assert row.startswith(edit.place.word, at), edit
        rows[edit.place.line - 1] = row[:at] + edit.word + row[at + len(edit.place.word) :]
    return "\n".join(rows)


def _carry_words(root: Path, names: Mapping[str, str], before: Pages, after: Pages) -> None:
    """What was accepted as it stood stays accepted, though its id, or a link in it, reads otherwise now."""
    carried = []
    for line in snapshot.read(root).values():
        id = names.get(line.id, line.id)
        stood = before.contract.by_id.get(line.id)
        as_it_stood = stood is not None and stood.rev == line.rev
        carried.append(replace(line, id=id, rev=after.contract.by_id[id].rev if as_it_stood else line.rev))
    if carried:
        snapshot.write(root, carried)


def _carry_evidence(root: Path, old: str, new: str) -> None:
    """What ran under the old name is the same test under the new one."""
    names = re.compile(rf'(?<="){re.escape(old)}(?=")|(?<![a-z0-9]){naming.stem(old)}(?=__s[0-9])')
    for path in (root / units.WHERE, root / lines.WHERE):
        if path.exists():
            text = path.read_text(encoding="utf-8")
            path.write_text(
                names.sub(lambda found: new if found[0] == old else naming.stem(new), text), encoding="utf-8"
            )
