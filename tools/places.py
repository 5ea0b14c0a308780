"""Every place that names a clause: on the pages by their model, everywhere else by its full id.

Code may say `run.own.claim` and mean an attribute, so of Python only comments and strings are read. The tools'
and the codegen's own tests are about pages that are made up, and generated code follows the pages.
"""

import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from codegen.model import Contract, Page, Text
from tools import cites, git, snapshot
from tools.command import Trouble

APART = ("generated/", "tests/tools/", "tests/codegen/", snapshot.WHERE.as_posix())
TESTS = ("tests", "proofs")
ID = r"[a-z0-9-]+\.[a-z0-9-]+\.[a-z0-9-]+"
QUOTED = re.compile(rf"""(["'])(?P<id>{ID})\1""")

Kind = Literal["clause", "scenario", "row", "link", "cite", "mark", "mention"]


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A word that names a clause, where it stands (counted from 1) and how it is spelled there."""

    file: str
    line: int
    column: int
    word: str
    kind: Kind


def on_pages(pages: Contract, id: str) -> Iterator[Place]:
    """Where the pages name a clause, in full or by its last part."""
    for page in pages.pages:
        for clause in page.clauses:
            if clause.id == id:
                yield _place(page, clause.subject, "clause")
        for scenario in page.scenarios:
            if scenario.clause.value == id:
                yield _place(page, scenario.clause, "scenario")
        for cell in page.owned_by:
            if id in page.owners(cell):
                yield _place(page, cell, "row")
        for link in page.links:
            if id in pages.resolve(link.value):
                yield _place(page, link, "link")


def every(root: Path, pages: Contract, id: str) -> tuple[Place, ...]:
    """Every place that names a clause, each once, in the order of files and lines."""
    found = {(place.file, place.line, place.column): place for place in anywhere(root, id)}
    found |= {(place.file, place.line, place.column): place for place in on_pages(pages, id)}
    return tuple(found[at] for at in sorted(found))


def anywhere(root: Path, id: str) -> Iterator[Place]:
    """Where any file names a clause by its full id, pages too."""
    word = re.compile(rf"(?<![\w.-]){re.escape(id)}(?![\w-]|\.[a-z0-9])")
    for file, text in _kept(root):
        if id in text:
            for number, column, piece in _pieces(file, text):
                for found in word.finditer(piece):
                    above = piece.count("\n", 0, found.start())
                    start = piece.rfind("\n", 0, found.start()) + 1
                    at = found.start() - start + (1 if above else column)
                    yield Place(file, number + above, at, id, "mention")


def marks(root: Path) -> Iterator[Place]:
    """Every id that a test or a proof quotes: in a mark, or in a decorator that makes one."""
    for file, text in _python(root, *TESTS):
        for number, line in enumerate(text.split("\n"), 1):
            for found in QUOTED.finditer(line):
                yield Place(file, number, found.start("id") + 1, found["id"], "mark")


def by_id(found: Iterable[Place]) -> Mapping[str, tuple[Place, ...]]:
    """Places under the full ids that stand there."""
    grouped: dict[str, list[Place]] = {}
    for place in found:
        grouped.setdefault(place.word, []).append(place)
    return {id: tuple(places) for id, places in grouped.items()}


def cited(root: Path) -> Iterator[Place]:
    """Every id that a line of the engine cites."""
    for file, text in _python(root, cites.WHERE.as_posix()):
        for number, line in enumerate(text.split("\n"), 1):
            cite = cites.CITE.search(line)
            for found in cites.ID.finditer(line, cite.start(1)) if cite else ():
                yield Place(file, number, found.start() + 1, found[0], "cite")


def _kept(root: Path) -> Iterator[tuple[str, str]]:
    """Every text that git keeps and a person writes."""
    files = git.files(root)
    if files is None:
        raise Trouble("git cannot tell which files there are")
    return _texts(root, files)


def _python(root: Path, *folders: str) -> Iterator[tuple[str, str]]:
    """Every module of some folders that a person writes."""
    paths = (path for folder in folders for path in sorted((root / folder).rglob("*.py")))
    return _texts(root, (path.relative_to(root).as_posix() for path in paths))


def _texts(root: Path, files: Iterable[str]) -> Iterator[tuple[str, str]]:
    for file in files:
        if not file.startswith(APART):
            try:
                yield file, (root / file).read_bytes().decode("utf-8")
            except (OSError, UnicodeDecodeError):
                continue  # no text: gone, a link to nowhere, or binary


def _place(page: Page, text: Text, kind: Kind) -> Place:
    return Place(page.path, text.line, text.column, text.value, kind)


def _pieces(file: str, text: str) -> Iterator[tuple[int, int, str]]:
    """The parts of a file that may name a clause, and where each begins."""
    if not file.endswith(".py"):
        yield 1, 1, text
        return
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if tokenize.tok_name[token.type] in ("COMMENT", "STRING", "FSTRING_MIDDLE"):
                yield token.start[0], token.start[1] + 1, token.string
    except (tokenize.TokenError, SyntaxError) as fault:
        raise Trouble(f"{file} cannot be read as Python: {fault}") from None
