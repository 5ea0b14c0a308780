"""The tables of proofs/README.md are the theorems that there are, under the grades that they have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PROOFS = Path(__file__).parents[2] / "proofs"
TABLE = re.compile(r"^\| `(\w+)` \| clause \| over \|\n\|[- |]+\n((?:\|.+\n)+)", re.MULTILINE)
CONFIRMED = re.compile(r"^@theorem\((?:.|\n)*?^def test_(\w+)", re.MULTILINE)
MARKED = re.compile(r'^@pytest\.mark\.theorem\("(\w+)"\)\n(?:@.+\n)*def test_(\w+)', re.MULTILINE)


def told() -> Iterator[tuple[str, str, str]]:
    for grade, rows in TABLE.findall((PROOFS / "README.md").read_text(encoding="utf-8")):
        for row in rows.splitlines():
            name, clause, _ = (cell.strip() for cell in row.strip("|").split("|"))
            yield grade, name, clause


def written() -> Iterator[tuple[str, str, str]]:
    for path in sorted(PROOFS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        for found in [*CONFIRMED.finditer(text), *MARKED.finditer(text)]:
            grade = found[1] if found.re is MARKED else "confirmed"
            yield grade, found[found.re.groups].replace("_", " "), found[0]


def test_the_tables_list_every_theorem_under_its_grade() -> None:
    assert sorted(row[:2] for row in told()) == sorted(row[:2] for row in written())


@pytest.mark.parametrize(("grade", "name", "clause"), list(told()))
def test_a_listed_clause_is_one_that_the_theorem_is_evidence_for(grade: str, name: str, clause: str) -> None:
    source = {row[:2]: row[2] for row in written()}

    assert f'"{clause}"' in source[grade, name]
