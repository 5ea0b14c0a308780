"""Each line that is not well written is one finding, at the mark."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codegen.corpus import PAGE, edited, findings, marked, placed

CLAUSE = "- `seed` — Chance has a seed and no say in {{schedule}}.\n"
LAST = f"{CLAUSE}  *P6*\n"
SCENARIO = "- `run.retry.seed`: WHEN it fails twice, THEN it waits the same, AND the seed is 7\n"
WHY = "  *because a vendor asks for it*\n"
UNSETTLED = "unsettled: Is a seed ours? owner: run-path affects: run.retry\n"
PROSE = "What it is for.\n"

CASES = {
    # clauses
    "a subject in upper case": (CLAUSE, "- `¦Seed` — Chance.\n", "clause"),
    "a subject with an underscore": (CLAUSE, f"- `seed¦_one` — Chance.\n{CLAUSE}", "clause"),
    "a subject without ticks": (CLAUSE, f"¦- seed — Chance.\n{CLAUSE}", "list"),
    "a star for a dash": (CLAUSE, "¦* `seed` — Chance.\n", "clause"),
    "two spaces after the dash": (CLAUSE, "- ¦ `seed` — Chance.\n", "clause"),
    "a nested clause": (CLAUSE, "¦  - `seed` — Chance.\n", "clause"),
    "a hyphen for the em dash": (CLAUSE, "- `seed`¦ - Chance.\n", "clause"),
    "a badge in round brackets": (CLAUSE, "- `seed`¦ (test:1) — Chance.\n", "clause"),
    "a badge of no test": (CLAUSE, "- `seed` [¦test:0] — Chance.\n", "clause"),
    "a badge in another order": (CLAUSE, "- `seed` [¦theorem:1 test:1] — Chance.\n", "clause"),
    "an empty badge": (CLAUSE, "- `seed` [¦] — Chance.\n", "clause"),
    "no statement": (CLAUSE, "- `seed`¦ —\n", "clause"),
    "a clause wrapped at the margin": (LAST, "- `seed` — Chance\n¦has a seed.\n", "wrapped"),
    "a clause wrapped and indented": (LAST, "- `seed` — Chance\n¦  has a seed.\n", "indented"),
    "an open code span": (CLAUSE, "- `seed` — Chance has a ¦`seed.\n", "back-tick"),
    "HTML in a statement": (CLAUSE, "- `seed` — Chance has a ¦<seed>.\n", "html"),
    "a link without an end": (CLAUSE, "- `seed` — Chance, ¦{{schedule.\n", "link"),
    "a link of two parts": (CLAUSE, "- `seed` — Chance, ¦{{retry.schedule}}.\n", "link"),
    # whys
    "a why of three spaces": (WHY, "  ¦ *because a vendor asks*\n", "why"),
    "a why at the margin": (WHY, "¦*because a vendor asks*\n", "why"),
    "a why without an end": (WHY, "  *because a vendor asks¦\n", "why"),
    "a why that gives no reason": (WHY, "  *¦for a vendor asks*\n", "why"),
    "a why apart from its clause": (WHY, "\n¦  *because a vendor asks*\n", "why"),
    "a second why": (WHY, f"{WHY}¦  *P6*\n", "misplaced"),
    # scenarios
    "a scenario without a full id": (SCENARIO, "- `¦seed`: WHEN a, THEN b\n", "scenario"),
    "a scenario without a colon": (SCENARIO, "- `run.retry.seed¦` WHEN a, THEN b\n", "scenario"),
    "a scenario with a star": (SCENARIO, "¦* `run.retry.seed`: WHEN a, THEN b\n", "scenario"),
    "a scenario among the clauses": (LAST, f"{LAST}¦- `run.retry.seed`: WHEN c, THEN d\n", "misplaced"),
    "a clause among the scenarios": (SCENARIO, f"{SCENARIO}¦- `more` — More.\n", "misplaced"),
    "no WHEN": (SCENARIO, "- `run.retry.seed`: GIVEN a, ¦THEN b\n", "steps"),
    "no THEN": (SCENARIO, "- `run.retry.seed`: ¦WHEN a\n", "steps"),
    "no upper-case word at the start": (SCENARIO, "- `run.retry.seed`: ¦if a, WHEN b, THEN c\n", "steps"),
    "AND at the start": (SCENARIO, "- `run.retry.seed`: ¦AND a, WHEN b, THEN c\n", "steps"),
    "a second WHEN": (SCENARIO, "- `run.retry.seed`: WHEN a, ¦WHEN b, THEN c\n", "steps"),
    "GIVEN after WHEN": (SCENARIO, "- `run.retry.seed`: WHEN a, ¦GIVEN b, THEN c\n", "steps"),
    "no comma before THEN": (SCENARIO, "- `run.retry.seed`: WHEN a ¦THEN b\n", "steps"),
    "a step that says nothing": (SCENARIO, "- `run.retry.seed`: WHEN a, ¦THEN , AND b\n", "steps"),
    # unsettled lines
    "no question mark": (UNSETTLED, "unsettled: ¦Is a seed ours owner: me affects: run.retry\n", "unsettled"),
    "no owner": (UNSETTLED, "unsettled: ¦Is a seed ours? affects: run.retry\n", "unsettled"),
    "nothing affected": (UNSETTLED, "unsettled: Is it? owner: me¦ affects: retry\n", "unsettled"),
    "no colon": (UNSETTLED, "¦unsettled Is it? owner: me affects: run.retry\n", "unsettled"),
    # prose, lists and headings
    "a list": (PROSE, "¦- one\n", "list"),
    "a numbered list": (PROSE, "¦1. one\n", "list"),
    "a nested list": (PROSE, "Prose.\n\n¦  - one\n", "list"),
    "indented text": (PROSE, "Prose.\n¦ and more.\n", "indented"),
    "a block of HTML": (PROSE, "¦<!-- unseen -->\n", "html"),
    "HTML in prose": (PROSE, "Prose ¦<!-- unseen -->\n", "html"),
    "a quotation": (PROSE, "¦> quoted\n", "quote"),
    "a rule": (PROSE, "Prose.\n\n¦***\n", "rule"),
    "an underlined heading": (PROSE, "Prose.\n¦---\n", "rule"),
    "a link definition": (PROSE, "¦[a]: https://example.com\n", "reference"),
    "a heading of five": (PROSE, "¦##### Deep\n", "heading"),
    "a heading without a space": (PROSE, "¦##retry\n", "heading"),
    "another name for scenarios": (PROSE, "¦#### Examples\n", "heading"),
    "a sub-heading above the operation": (PROSE, "¦### part\n", "misplaced"),
    "a second title": (PROSE, "¦# Again\n", "misplaced"),
    "a clause above the operation": (PROSE, "¦- `a` — B.\n", "misplaced"),
    "a table of shapes outside Shapes": (PROSE, "¦### Limits\n", "misplaced"),
    "an unknown heading in Shapes": ("## Shapes\n", "## Shapes\n\n¦### Others\n", "misplaced"),
    "a table with a short row": (PROSE, "| a | b |\n| - | - |\n¦| 1 |\n", "table"),
    "a table without its rule": (PROSE, "¦| a | b |\n", "table"),
    "prose right under a table": (PROSE, "| a |\n| - |\n| 1 |\n¦and more.\n", "wrapped"),
    # fences
    "an open fence": (PROSE, "¦```\nopen\n", "fence"),
    "a fence met by another": (PROSE, "¦```mermaid\na\n```python\nb\n```\n", "fence"),
    "an indented fence": (PROSE, "Prose.\n\n¦ ```\n", "fence"),
}


@pytest.mark.parametrize(("old", "new", "code"), CASES.values(), ids=CASES)
def test_a_line_that_is_not_well_written(old: str, new: str, code: str, tmp_path: Path) -> None:
    page, places = marked(edited(old, new))

    found = findings(tmp_path, retry=page)

    assert [finding.code for finding in found] == [code]
    assert placed(found) == places


def test_the_page_itself_is_fine(tmp_path: Path) -> None:
    assert findings(tmp_path, retry=PAGE) == []
