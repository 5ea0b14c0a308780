"""What holds of any bytes that are read as a page: they end as values or findings, and no line is lost between."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from codegen.findings import Notes
from codegen.lint import lint
from codegen.model import Contract, Page
from codegen.parse import Node, leaves, parse
from codegen.preflight import preflight
from codegen.read import read_page

PATH = "spec/run/retry.md"
FACTS = {"CLAUSE", "NEAR_ITEM", "SCENARIO", "UNSETTLED", "WHY"}


def account(raw: bytes) -> None:
    """Read some bytes as a page, and fail where a line is neither a value nor a finding, or a finding is nowhere."""
    notes = Notes(PATH)
    text = preflight(raw, notes)
    if text is None:
        assert notes.findings, "what cannot be read is a finding"
        return
    page = read_page(PATH, text, notes)
    lint(Contract((page,), {"P6": "Retries go where a retry may cure"}), {PATH: notes})
    found = {finding.line for finding in notes}
    tree, tokens = parse(text, Notes(PATH))
    lines = text.split("\n")

    covered = {number for token in tokens for number in range(token.line or 0, token.end_line or 0)}
    filled = {number for number, line in enumerate(lines, 1) if line.strip(" ")}
    assert filled <= covered, "every line that is not blank is one of the page's"
    inside = set(map(id, leaves(tree)))
    lost = [token for token in tokens if id(token) not in inside and token.line not in found]
    assert not lost, "a line that has no place is a finding"
    # of a clause that is not well written, the why is read and has nowhere to go
    known = (
        _read(page)
        | found
        | {token.line for above, token in pairwise(tokens) if token.type == "WHY" and above.line in found}
    )
    unread = [token for token in tokens if token.type in FACTS and token.line not in known]
    assert not unread, "a line that states a fact is read, or is a finding"
    dropped = [block for block in _tables(tree) if not found & set(block) and not set(block[2:]) <= _rows(page)]
    assert not dropped, "a row of a table becomes a shape, or its table has a finding"
    shown = raw.decode("utf-8").split("\n")
    for finding in notes:
        assert 1 <= finding.line <= len(shown), finding
        assert 1 <= finding.column <= len(shown[finding.line - 1]) + 1, finding


def _read(page: Page) -> set[int]:
    """The lines that became facts."""
    whys = [clause.why for clause in page.clauses if clause.why]
    facts = [clause.subject for clause in page.clauses] + [scenario.clause for scenario in page.scenarios]
    return {text.line for text in [*facts, *whys, *(unsettled.question for unsettled in page.unsettled)]}


def _tables(tree: Node) -> Iterator[list[int]]:
    """The lines of each table under `## Shapes`."""
    for node in tree.find_data("shapes"):
        lines = [token.line or 0 for token in leaves(node) if token.type == "TABLE_ROW"]
        for _, block in groupby(enumerate(lines), lambda numbered: numbered[1] - numbered[0]):
            yield [line for _, line in block]


def _rows(page: Page) -> set[int]:
    return {cell.line for cell in page.owned_by}
