"""From the files under `spec/` to the contract, with what is wrong noted for each file."""

from __future__ import annotations

import re
from errno import EINVAL
from functools import lru_cache
from pathlib import Path

from codegen.findings import Finding, Notes
from codegen.lint import lint
from codegen.model import Contract, Page, Text
from codegen.preflight import preflight
from codegen.read import read_page

README = "spec/README.md"
PRINCIPLES = "spec/principles.md"
PAGES_MAX = 1024
_PRINCIPLE = re.compile(r"## (P[1-9][0-9]*) — (\S.*)")


def load(root: Path) -> tuple[Contract, list[Finding]]:
    """The contract under a project's root, and every finding of every page."""
    notes: dict[str, Notes] = {}
    pages = []
    for path in _paths(root):
        mine = notes[path] = Notes(path)
        raw = _bytes(root, mine)
        if raw is not None:
            page, found = _page(path, raw)
            mine.findings += found
            pages += [page] if page else []
    contract = Contract(tuple(pages), _principles(root, notes))
    lint(contract, notes)
    if not contract.clauses:
        notes["spec"] = Notes("spec")
        notes["spec"].add(Text("", 1, 1), "no-clauses", "no clause was read")
    return contract, sorted(finding for mine in notes.values() for finding in mine)


def paths(root: Path) -> list[str]:
    """Every file under `spec/`, but for those that are hidden or that an editor keeps as a copy."""
    found = (path for path in (root / "spec").rglob("*") if path.suffix == ".md" or not path.is_dir())
    return sorted(path.relative_to(root).as_posix() for path in found if path.name[0] != "." and path.name[-1] != "~")


def _paths(root: Path) -> list[str]:
    return [path for path in paths(root) if path not in (README, PRINCIPLES)]


@lru_cache(PAGES_MAX)
def _page(path: str, raw: bytes) -> tuple[Page | None, tuple[Finding, ...]]:
    """One page and its own findings; the same bytes are read once, for whoever looks at the pages again and again."""
    notes = Notes(path)
    if not path.endswith(".md"):
        notes.add(Text("", 1, 1), "page-path", "a file that is no page")
        return None, tuple(notes)
    text = preflight(raw, notes)
    page = None if text is None else read_page(path, text, notes)
    return page, tuple(notes)


def _bytes(root: Path, notes: Notes) -> bytes | None:
    path = root / notes.path
    try:
        if not path.is_file():  # a pipe or a device might have no end
            raise OSError(EINVAL, "it is no file of text")
        return path.read_bytes()
    except OSError as error:
        notes.add(Text("", 1, 1), "unreadable", error.strerror or "the file cannot be read")
        return None


def _principles(root: Path, notes: dict[str, Notes]) -> dict[str, str]:
    if not (root / PRINCIPLES).exists():
        return {}
    mine = notes[PRINCIPLES] = Notes(PRINCIPLES)
    principles: dict[str, str] = {}
    raw = _bytes(root, mine)
    text = None if raw is None else preflight(raw, mine)
    for number, value in enumerate((text or "").split("\n"), 1):
        if value.startswith("## "):
            match = _PRINCIPLE.fullmatch(value)
            if match is None:
                mine.add(Text(value, number, 1), "principle", "expected ## P<n> — title")
            elif match[1] in principles:
                mine.add(Text(value, number, 4), "duplicate", f"there is a principle {match[1]} above")
            else:
                principles[match[1]] = match[2]
    return principles
