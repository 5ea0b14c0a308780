"""Where clauses are decided: the `##= run.retry.retry-after` at the line that makes each one true.

`#=` is read as well, though formatters put a space into it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

WHERE = Path("engine")
CITE = re.compile(r"##?=[ \t]*(\S.*)")
ID = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+){2,}")


@dataclass(frozen=True, slots=True)
class Cite:
    """A clause, the line that makes it true, and the line on which that is written."""

    clause: str
    file: str
    line: int
    code: str
    written: int


def read(root: Path) -> tuple[Cite, ...]:
    """Every cite in the engine, by file and line."""
    return tuple(cite for path in sorted((root / WHERE).rglob("*.py")) for cite in _of_file(root, path))


def _of_file(root: Path, path: Path) -> Iterator[Cite]:
    text = path.read_text(encoding="utf-8")
    if "#=" not in text:
        return
    file = path.relative_to(root).as_posix()
    for found in CITE.finditer(text):
        start = text.rfind("\n", 0, found.start()) + 1
        number = written = text.count("\n", 0, start) + 1
        code = text[start : found.start()].strip()
        if not code:
            # a cite on a line of its own speaks of the line below it
            number, code = number + 1, text[found.end() + 1 :].partition("\n")[0].strip()
        for id in ID.findall(found[1]):
            yield Cite(clause=id, file=file, line=number, code=code, written=written)
