"""The page that spec/README.md shows is a page, and says of a page all that there is to say."""

from __future__ import annotations

import re
from pathlib import Path

from codegen.findings import HINTS
from codegen.load import load
from codegen.model import Contract
from codegen.shape_columns import COLUMNS, PRESENCES, UNITS
from tests.codegen.corpus import project

README = (Path(__file__).parents[2] / "spec" / "README.md").read_text(encoding="utf-8")


def shown(folder: Path) -> Contract:
    """The contract that the page in the README is the whole of."""
    path, page = re.findall(r"whole of `(spec/\S+)`:\n\n```\n(.*?)```", README, re.DOTALL)[0]
    root = project(folder)
    (root / path).parent.mkdir()
    (root / path).write_text(page.rstrip("\n") + "\n", encoding="utf-8")
    (root / "spec" / "principles.md").write_text("# Principles\n\n## P2 — Refusals are typed\n", encoding="utf-8")
    contract, findings = load(root)
    assert findings == []
    return contract


def test_the_page_is_sound_and_has_one_of_each_kind(tmp_path: Path) -> None:
    [page] = shown(tmp_path).pages

    kinds = (page.clauses, page.scenarios, page.unsettled, page.refusals, page.limits, page.enumerations, page.records)
    assert all(kinds)
    assert len(page.operations[0].headings) == 1


def test_every_column_unit_and_presence_is_named() -> None:
    words = set(re.findall(r"[\w-]+", README))

    assert {*UNITS.split(), *PRESENCES.split(), *(name for columns in COLUMNS.values() for name in columns)} <= words


def test_a_hint_that_points_here_names_a_part_of_it() -> None:
    for hint in HINTS.values():
        for part in re.findall(r"see spec/README\.md, (?:the )?([^,]+)", hint):
            assert re.search(rf"^## .*{part}", README, re.MULTILINE | re.IGNORECASE), hint
