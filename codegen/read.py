"""From the lines of a page to its values, and the column at which a line is not what it should be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from lark import Token, Tree

from codegen import inline, shapes
from codegen.findings import Notes
from codegen.model import Clause, Evidence, Operation, Page, Scenario, Text, Unsettled
from codegen.parse import Node, leaves, line, parse
from codegen.pieces import CLAUSE, FRONT, SCENARIO, UNSETTLED, WHY, evidence, follow
from codegen.steps import read_steps
from codegen.tables import read_tables

_FACTS = {"CLAUSE", "NEAR_ITEM", "WHY", "SCENARIO", "UNSETTLED"}


def read_page(path: str, text: str, notes: Notes) -> Page:
    """The page as values, as far as its lines are well written."""
    tree, tokens = parse(text, notes)
    _check_neighbours(tokens, notes)
    links = tuple(link for token in tokens for link in _inline(token, notes))
    contract, owns = _front(path, tokens, notes)
    operations = tuple(_operation(contract.value, node, notes) for node in _below(tree, "operation"))
    written = shapes.read([token for node in _below(tree, "shapes") for token in leaves(node)], notes)
    _check_shapes_last(tree, notes)
    _check_free_tables(tree, notes)
    return Page(
        path=path,
        contract=contract,
        owns=owns or tuple(operation.name for operation in operations),
        title=_title(tree, tokens, notes),
        operations=operations,
        unsettled=tuple(u for token in tokens if token.type == "UNSETTLED" for u in _unsettled(token, notes)),
        refusals=written.refusals,
        limits=written.limits,
        enumerations=written.enumerations,
        records=written.records,
        links=links,
        owned_by=written.owners,
        broken=frozenset(notes.broken),
    )


def _front(path: str, tokens: list[Token], notes: Notes) -> tuple[Text, tuple[Text, ...]]:
    """Whose page it is; where the front matter does not say, the folder does."""
    front = next((token for token in tokens if token.type == "FRONT"), None)
    lines = [Text(value, number, 1) for number, value in enumerate(str(front or "").split("\n")[:-1], 1)]
    found: dict[str, Text] = {}
    if front is None:
        notes.add(Text("", 1, 1), "front-matter", "the page does not begin with front matter")
    for text, pieces in zip(lines, FRONT, strict=False):
        read = follow(text, pieces, "front-matter", notes)
        if read is None:
            break
        found |= read
    folder = Text(path.split("/")[-2], 1, 1)
    return found.get("contract", folder), tuple(_split(found["owns"]) if "owns" in found else ())


def _title(tree: Node, tokens: list[Token], notes: Notes) -> str:
    titles = [line(leaves(opening)[0]) for opening in _below(tree, "opening")]
    if not titles:
        first = next((line(token) for token in tokens if token.type != "FRONT"), Text("", 1, 1))
        notes.add(first, "title", "the page has no title")
    return titles[0].value.removeprefix("# ") if titles else ""


def _operation(contract: str, node: Node, notes: Notes) -> Operation:
    name = line(leaves(node)[0]).part(len("## "))
    id_ = f"{contract}.{name}"
    clauses: list[Clause] = []
    scenarios: list[Scenario] = []
    headings = [line(leaves(group)[0]).part(len("### ")) for group in _below(node, "group")]
    ledes = []
    for title, section in zip([name, *headings], _below(node, "section"), strict=True):
        ledes.append(_lede(section, title, notes))
        for item in _below(section, "clause"):
            clauses += _clause(id_, title.value, leaves(item), notes)
        for token in (token for group in _below(section, "scenarios") for token in leaves(group)):
            if token.type in ("SCENARIO", "NEAR_ITEM"):
                scenarios += _scenario(id_, token, notes)
    return Operation(id_, name, tuple(headings), ledes[0], tuple(clauses), tuple(scenarios))


def _lede(section: Node, title: Text, notes: Notes) -> str:
    lines: list[Text] = []
    for child in section.children:
        if not isinstance(child, Token) or child.type != "PROSE":
            break
        if lines and child.line != lines[-1].line + 1:
            break
        lines.append(line(child))
    if not lines:
        notes.add(title, "lede", f"{title} has no lede")
    return " ".join(text.value for text in lines)


def _clause(operation: str, heading: str, lines: list[Token], notes: Notes) -> list[Clause]:
    pieces = follow(line(lines[0]), CLAUSE, "clause", notes)
    why = None
    for below in lines[1:]:
        why = (follow(line(below), WHY, "why", notes) or {}).get("why")
        if below.line != lines[0].end_line:
            notes.add(line(below), "why", "a line stands between the clause and its why")
    if pieces is None:
        notes.broken |= {f"{operation}.{name}" for name in _ticked(lines[0])}
        return []
    return [
        Clause(
            id=f"{operation}.{pieces['subject']}",
            operation=operation,
            heading=heading,
            subject=pieces["subject"],
            evidence=evidence(pieces["badge"], notes) if "badge" in pieces else Evidence(test=1, theorem=0),
            statement=pieces["statement"],
            why=why,
        )
    ]


def _scenario(operation: str, token: Token, notes: Notes) -> list[Scenario]:
    pieces = follow(line(token), SCENARIO, "scenario", notes)
    steps = read_steps(pieces["steps"], notes) if pieces else None
    if pieces is None or steps is None:
        notes.broken |= {name if "." in name else f"{operation}.{name}" for name in _ticked(token)}
        return []
    given, when, then = (tuple(steps[word]) for word in ("GIVEN", "WHEN", "THEN"))
    return [Scenario(pieces["clause"], operation, pieces["steps"], given, when, then)]


def _unsettled(token: Token, notes: Notes) -> list[Unsettled]:
    pieces = follow(line(token), UNSETTLED, "unsettled", notes)
    return [Unsettled(pieces["question"], pieces["owner"], tuple(_split(pieces["affects"])))] if pieces else []


def _inline(token: Token, notes: Notes) -> list[Text]:
    """The links of a line, what stands in it that is none, and what Markdown would not show."""
    if token.type in {"FENCE", "FRONT"}:
        return []
    text = line(token)
    found, broken = inline.links(text)
    for at in broken:
        notes.add(at, "link", "{{ begins no link")
    tick = inline.open_tick(text) if token.type in _FACTS else None
    if tick:
        notes.add(tick, "back-tick", "a code span is not closed")
    html = inline.html(text) if token.type not in {"TABLE_ROW", "HTML"} else None
    if html:
        notes.add(html, "html", "a reader of Markdown takes this for HTML")
    return found


def _check_neighbours(tokens: list[Token], notes: Notes) -> None:
    """Markdown joins a line of prose to the item or row right above it; a page may not look like that."""
    for above, below in pairwise(tokens):
        joined = below.type in {"PROSE", "TABLE_ROW"} and above.type in _FACTS
        joined |= below.type == "PROSE" and above.type == "TABLE_ROW"
        if joined and below.line == above.end_line:
            notes.add(line(below), "wrapped", "this line would be shown as part of the one above")


def _check_shapes_last(tree: Node, notes: Notes) -> None:
    sections = [child for child in tree.children if isinstance(child, Tree)]
    for node in sections[:-1]:
        if node.data == "shapes":
            notes.add(line(leaves(node)[0]), "misplaced", "## Shapes is the last section, once")


def _check_free_tables(tree: Node, notes: Notes) -> None:
    """A table outside `## Shapes` says nothing to codegen; that it is a table is checked all the same."""
    for node in (child for child in tree.children if isinstance(child, Tree)):
        if node.data != "shapes":
            read_tables(leaves(node), notes)


def _below(node: Node, name: str) -> list[Node]:
    """The nearest nodes of one name."""
    found: list[Node] = []
    for child in node.children:
        if isinstance(child, Tree):
            found += [child] if child.data == name else _below(child, name)
    return found


def _ticked(token: Token) -> list[str]:
    return re.findall(r"`([a-z0-9.-]+)`", str(token).lower())[:1]


def _split(text: Text) -> Iterable[Text]:
    return (text.part(*match.span()) for match in re.finditer(r"[^, ]+", text.value))
