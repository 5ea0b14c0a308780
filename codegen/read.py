"""From the lines of a page to its values, and the column at which a line is not what it should be."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TypeVar

from lark import Token, Tree

from codegen import inline, shapes
from codegen.findings import Notes
from codegen.model import Clause, Evidence, Operation, Page, Scenario, Text, Unsettled
from codegen.parse import Node, line, parse
from codegen.steps import read_steps

_ID = r"[a-z0-9-]+"
_FACTS = {"CLAUSE", "NEAR_CLAUSE", "WHY", "SCENARIO", "UNSETTLED"}

Pieces = list[tuple[str, str]]
CLAUSE: Pieces = [
    (r"- ", "a dash and a space, at column 1"),
    (r"`", "the subject in back-ticks"),
    (rf"(?P<subject>{_ID})", "a subject of a-z, 0-9 and -"),
    (r"`", "the end of the subject, which is of a-z, 0-9 and -"),
    (r"(?: \[(?P<badge>[^\]]*)\])? — ", "a space, perhaps [test:1 theorem:1], and an em dash between spaces"),
    (r"(?P<statement>\S.*)", "the statement"),
]
WHY: Pieces = [
    (r"  \*(?=\S)", "two spaces and an asterisk"),
    (
        r"(?P<why>because .*\S|P[0-9]+(?:, P[0-9]+)*)(?=\*)",
        "because and a reason, or principles such as P2, P6",
    ),
    (r"\*$", "an asterisk that ends the line"),
]
SCENARIO: Pieces = [
    (r"- `", "a dash, a space and a back-tick, at column 1"),
    (rf"(?P<clause>{_ID}\.{_ID}\.{_ID})", "the clause's full id, contract.operation.subject"),
    (r"`: ", "a back-tick, a colon and a space"),
    (r"(?P<steps>\S.*)", "the steps"),
]
UNSETTLED: Pieces = [
    (r"unsettled: ", "unsettled: and a space, at column 1"),
    (r"(?P<question>\S.*?\?)(?= owner: )", "a question that ends in ?, then owner:"),
    (rf" owner: (?P<owner>{_ID})", "a name of a-z, 0-9 and -"),
    (
        rf" affects: (?P<affects>{_ID}\.{_ID}(?:, {_ID}\.{_ID})*)$",
        "affects: and contract.operation, at the end",
    ),
]
BADGE = re.compile(r"(?=t)(?:test:([1-9][0-9]*))?(?:(?:^| )theorem:([1-9][0-9]*))?")


def read_page(path: str, text: str, notes: Notes) -> Page | None:
    """The page as values, as far as its lines are well written; None where it does not say whose it is."""
    tree, tokens = parse(text, notes)
    _check_neighbours(tokens, notes)
    links = tuple(
        link for token in tokens if token.type not in {"FENCE", "FRONT"} for link in _inline(token, notes)
    )
    front = _front(tokens, notes)
    if front is None:
        return None
    contract, owns = front
    opening = next(iter(_subtrees(tree, "opening")), None)
    if opening is None:
        notes.add(Text("", 1, 1), "title", "the page has no title")
    tables = shapes.read([token for node in _subtrees(tree, "shapes") for token in _lines(node)], notes)
    _check_shapes_last(tree, notes)
    return Page(
        path=path,
        contract=contract,
        owns=owns,
        title=line(_lines(opening)[0]).value[2:] if opening else "",
        operations=tuple(_operation(contract.value, node, notes) for node in _subtrees(tree, "operation")),
        unsettled=tuple(u for token in tokens if token.type == "UNSETTLED" for u in _unsettled(token, notes)),
        refusals=tables.refusals,
        limits=tables.limits,
        enumerations=tables.enumerations,
        records=tables.records,
        links=links,
        broken=frozenset(notes.broken),
    )


def follow(text: Text, pieces: Pieces, code: str, notes: Notes) -> dict[str, Text] | None:
    """The named pieces of a line, or None and a note where it first differs from what was expected."""
    found: dict[str, Text] = {}
    position = 0
    for pattern, expected in pieces:
        match = re.compile(pattern).match(text.value, position)
        if match is None:
            notes.add(text.part(position), code, f"expected {expected}")
            return None
        found |= {
            name: text.part(*match.span(name))
            for name, value in match.groupdict().items()
            if value is not None
        }
        position = match.end()
    return found


def _front(tokens: list[Token], notes: Notes) -> tuple[Text, tuple[Text, ...]] | None:
    front = next((token for token in tokens if token.type == "FRONT"), None)
    if front is None:
        notes.add(Text("", 1, 1), "front-matter", "the page does not begin with front matter")
        return None
    lines = [Text(value, number, 1) for number, value in enumerate(str(front).split("\n")[:-1], 1)]
    expected: list[Pieces] = [
        [("---", "---")],
        [(rf"contract: (?P<contract>{_ID})$", "contract: and a name of a-z, 0-9 and -")],
        [(rf"owns: (?P<owns>{_ID}(?:, {_ID})*)$", "owns: and operations, set apart by a comma and a space")],
        [("---", "--- after contract: and owns:")],
    ]
    found: dict[str, Text] = {}
    for text, pieces in zip(lines, expected, strict=False):
        read = follow(text, pieces, "front-matter", notes)
        if read is None:
            return None
        found |= read
    if len(lines) != len(expected):
        notes.add(lines[-1], "front-matter", "front matter is contract: and owns:, a line each")
        return None
    return found["contract"], tuple(_split(found["owns"]))


def _operation(contract: str, node: Node, notes: Notes) -> Operation:
    name = line(_lines(node)[0]).part(3)
    id_ = f"{contract}.{name}"
    clauses: list[Clause] = []
    scenarios: list[Scenario] = []
    headings = [line(_lines(group)[0]).part(4) for group in _subtrees(node, "group")]
    sections = _subtrees(node, "section")
    ledes = [_lede(section, title, notes) for title, section in zip([name, *headings], sections, strict=True)]
    for title, section in zip([name, *headings], sections, strict=True):
        clauses += [
            clause for n in _subtrees(section, "clause") for clause in _clause(id_, title.value, n, notes)
        ]
        lines = [token for token in _lines(section) if token.type == "SCENARIO"]
        scenarios += [scenario for token in lines for scenario in _scenario(id_, token, notes)]
    return Operation(id_, name, tuple(headings), ledes[0], tuple(clauses), tuple(scenarios))


def _lede(section: Node, title: Text, notes: Notes) -> str:
    lines: list[Text] = []
    for child in section.children:
        if not (isinstance(child, Token) and child.type == "PROSE"):
            break
        if lines and child.line != lines[-1].line + 1:
            break
        lines.append(line(child))
    if not lines:
        notes.add(title, "lede", f"{title} has no lede")
    return " ".join(text.value for text in lines)


def _clause(operation: str, heading: str, node: Node, notes: Notes) -> list[Clause]:
    first, *rest = _lines(node)
    pieces = follow(line(first), CLAUSE, "clause", notes)
    why = follow(line(rest[0]), WHY, "why", notes) if rest else {}
    if rest and rest[0].line != (first.line or 0) + 1:
        notes.add(line(rest[0]), "why", "a line stands between the clause and its why")
    if pieces is None:
        notes.broken |= {f"{operation}.{name}" for name in _ticked(first)}
        return []
    subject = pieces["subject"]
    evidence = _evidence(pieces.get("badge"), notes)
    why_text = (why or {}).get("why")
    id_ = f"{operation}.{subject}"
    return [Clause(id_, operation, heading, subject, evidence, pieces["statement"], why_text)]


def _evidence(badge: Text | None, notes: Notes) -> Evidence:
    if badge is None:
        return Evidence(test=1, theorem=0)
    match = BADGE.fullmatch(badge.value)
    if match is None:
        notes.add(badge, "clause", "expected a badge such as [test:2 theorem:1], [test:2] or [theorem:1]")
        return Evidence(test=1, theorem=0)
    return Evidence(test=int(match[1] or 0), theorem=int(match[2] or 0))


def _scenario(operation: str, token: Token, notes: Notes) -> list[Scenario]:
    pieces = follow(line(token), SCENARIO, "scenario", notes)
    steps = read_steps(pieces["steps"], notes) if pieces else None
    if pieces is None or steps is None:
        notes.broken |= {name if "." in name else f"{operation}.{name}" for name in _ticked(token)}
        return []
    return [Scenario(pieces["clause"], operation, steps["GIVEN"], steps["WHEN"], steps["THEN"])]


def _unsettled(token: Token, notes: Notes) -> list[Unsettled]:
    pieces = follow(line(token), UNSETTLED, "unsettled", notes)
    if pieces is None:
        return []
    return [Unsettled(pieces["question"], pieces["owner"], tuple(_split(pieces["affects"])))]


def _inline(token: Token, notes: Notes) -> list[Text]:
    text = line(token)
    found, broken = inline.links(text)
    for at in broken:
        notes.add(at, "link", "{{ begins no link")
    tick = inline.code(text)[1] if token.type in _FACTS else None
    if tick:
        notes.add(tick, "back-tick", "a code span is not closed")
    html = inline.html(text) if token.type != "TABLE_ROW" else None
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
    kinds = [child for child in tree.children if isinstance(child, Tree)]
    for node in kinds[:-1]:
        if node.data == "shapes":
            notes.add(line(_lines(node)[0]), "misplaced", "## Shapes is the last section, once")


def _subtrees(node: Node, name: str) -> list[Node]:
    found: list[Node] = []
    for child in node.children:
        if isinstance(child, Tree):
            found += [child] if child.data == name else _subtrees(child, name)
    return found


def _lines(node: Node) -> list[Token]:
    return [token for token in node.scan_values(lambda value: isinstance(value, Token))]


def _ticked(token: Token) -> list[str]:
    return re.findall(r"`([a-z0-9.-]+)`", str(token))[:1]


def _split(text: Text) -> list[Text]:
    return [text.part(*match.span()) for match in re.finditer(r"[^, ]+", text.value)]
