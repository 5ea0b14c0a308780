"""From the files under `spec/` to the contract, with what is wrong noted for each file."""

from __future__ import annotations

import re
from pathlib import Path

from codegen.findings import Finding, Notes
from codegen.lint import lint
from codegen.model import Contract, Text
from codegen.preflight import preflight
from codegen.read import read_page

PRINCIPLES = "spec/principles.md"
_PRINCIPLE = re.compile(r"## (P[1-9][0-9]*) — (\S.*)")


def load(root: Path) -> tuple[Contract, list[Finding]]:
    """The contract under a project's root, and every finding of every page."""
    notes: dict[str, Notes] = {}
    pages = []
    for path in _paths(root):
        mine = notes[path] = Notes(path)
        text = _text(root, mine)
        page = None if text is None else read_page(path, text, mine)
        if page:
            pages.append(page)
    contract = Contract(tuple(pages), _principles(root, notes))
    lint(contract, notes)
    if not contract.clauses:
        notes["spec"] = Notes("spec")
        notes["spec"].add(Text("", 1, 1), "no-clauses", "no clause was read")
    return contract, sorted(finding for mine in notes.values() for finding in mine)


def _paths(root: Path) -> list[str]:
    paths = (path for path in (root / "spec").rglob("*.md") if path.name != "README.md")
    return sorted({path.relative_to(root).as_posix() for path in paths} - {PRINCIPLES})


def _text(root: Path, notes: Notes) -> str | None:
    try:
        raw = (root / notes.path).read_bytes()
    except OSError as error:
        notes.add(Text("", 1, 1), "unreadable", error.strerror or "the file cannot be read")
        return None
    return preflight(raw, notes)


def _principles(root: Path, notes: dict[str, Notes]) -> dict[str, str]:
    if not (root / PRINCIPLES).exists():
        return {}
    mine = notes[PRINCIPLES] = Notes(PRINCIPLES)
    principles: dict[str, str] = {}
    for number, value in enumerate((_text(root, mine) or "").split("\n"), 1):
        if value.startswith("## "):
            match = _PRINCIPLE.fullmatch(value)
            if match is None:
                mine.add(Text(value, number, 1), "principle", "expected ## P<n> — title")
            elif match[1] in principles:
                mine.add(Text(value, number, 4), "duplicate", f"there is a principle {match[1]} above")
            else:
                principles[match[1]] = match[2]
    return principles
