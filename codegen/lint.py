"""What must hold between the lines of a page and between the pages, once each line is well written."""

from __future__ import annotations

import re

from codegen import inline, lint_shapes, lint_unique
from codegen.findings import Notes
from codegen.model import Clause, Contract, Page


def lint(contract: Contract, notes: dict[str, Notes]) -> None:
    """Note, page by page, whatever does not hold."""
    for page in contract.pages:
        mine = notes[page.path]
        _check_path(page, mine)
        _check_operations(page, mine)
        _check_links(contract, page, mine)
        _check_scenarios(contract, page, mine)
        _check_names(contract, page, mine)
        for clause in page.clauses:
            _check_why(contract, clause, mine)
        lint_shapes.check(contract, page, mine)
    lint_unique.check(contract, notes)


def _check_path(page: Page, notes: Notes) -> None:
    parts = page.path.removesuffix(".md").split("/")
    owned = [name.value for name in page.owns]
    if len(parts) != 3 or parts[1] != page.contract.value:
        notes.add(page.contract, "page-path", f"the page is not in the folder spec/{page.contract}")
    elif len(owned) == 1 and parts[2] != owned[0]:
        notes.add(page.owns[0], "page-path", f"the page is not spec/{page.contract}/{owned[0]}.md")


def _check_operations(page: Page, notes: Notes) -> None:
    owned = [name.value for name in page.owns]
    written = [operation.name.value for operation in page.operations]
    for name in page.owns:
        if name.value not in written:
            notes.add(name, "operation", f"the page owns {name} and has no section ## {name}")
    for operation in page.operations:
        if operation.name.value not in owned:
            notes.add(operation.name, "operation", f"the page does not own {operation.name}")
        if not operation.clauses and not any(name.startswith(f"{operation.id}.") for name in page.broken):
            notes.add(operation.name, "empty-operation", f"{operation.id} has no clause")


def _check_links(contract: Contract, page: Page, notes: Notes) -> None:
    for link in page.links:
        candidates = contract.resolve(link.value)
        if not candidates:
            notes.add(link, "dangling-link", f"no clause is called {link}")
        elif len(candidates) > 1:
            notes.add(link, "ambiguous-link", f"{link} may be {' or '.join(candidates)}")
    operations = {operation.id for other in contract.pages for operation in other.operations}
    for unsettled in page.unsettled:
        for name in unsettled.affects:
            if name.value not in operations:
                notes.add(name, "dangling-link", f"no operation is called {name}")


def _check_scenarios(contract: Contract, page: Page, notes: Notes) -> None:
    for scenario in page.scenarios:
        id_ = scenario.clause.value
        if id_.rpartition(".")[0] != scenario.operation:
            notes.add(scenario.clause, "scenario-clause", f"{id_} is no clause of {scenario.operation}")
        elif id_ not in contract.clauses and id_ not in contract.broken:
            notes.add(scenario.clause, "scenario-clause", f"no clause is called {id_}")
    shown = {scenario.clause.value for scenario in page.scenarios} | page.broken
    for clause in page.clauses:
        if clause.id not in shown:
            notes.add(clause.subject, "no-scenario", f"{clause.id} has no scenario")


def _check_why(contract: Contract, clause: Clause, notes: Notes) -> None:
    if clause.why and not clause.why.value.startswith("because "):
        for match in re.finditer("P[0-9]+", clause.why.value):
            if match[0] not in contract.principles:
                notes.add(clause.why.part(*match.span()), "principle", f"there is no principle {match[0]}")


def _check_names(contract: Contract, page: Page, notes: Notes) -> None:
    """A name is in some table; a refusal is named by the statement of its own clause, and by no other."""
    known = contract.names | contract.refusals.keys() | contract.broken
    facts = [text for clause in page.clauses for text in (clause.statement, clause.why) if text]
    for text in (*facts, *(scenario.text for scenario in page.scenarios)):
        for name in inline.names(text):
            if name.value not in known:
                notes.add(name, "dangling-name", f"{name} is in no table")
    for clause in page.clauses:
        for name in inline.names(clause.statement):
            owners = contract.refusal_owners.get(name.value)
            if owners and clause.id not in owners and name.value not in contract.names:
                notes.add(name, "foreign-refusal", f"{name} is owned by another clause")
