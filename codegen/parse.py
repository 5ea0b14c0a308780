"""From the text of a page to its lines: what kind each is, and how they nest."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from codegen.findings import Notes
from codegen.model import Text

Node = Tree[Token]

_STRAYS = {
    "OPEN_FENCE": ("fence", "a fence that is indented, never closed, or met by its own mark before its end"),
    "HEADING": ("heading", "no heading of a page looks like this"),
    "RULE": ("rule", "a rule, or the underline of a heading"),
    "LIST": ("list", "a list that is neither of clauses nor of scenarios"),
    "HTML": ("html", "HTML"),
    "QUOTE": ("quote", "a quotation"),
    "REFERENCE": ("reference", "a link definition"),
    "INDENTED": ("indented", "indented text"),
}
_MISPLACED = {
    "FRONT": "front matter stands once, on the first line",
    "TITLE": "a page has one title, above all else",
    "CLAUSE": "a clause stands under its ## operation and above #### Scenarios",
    "NEAR_ITEM": "a list stands here where none can",
    "WHY": "a why stands on the line under its clause",
    "SCENARIO": "a scenario stands under #### Scenarios of its operation",
    "SCENARIOS": "#### Scenarios stands once under an operation or a sub-heading, after the clauses",
    "UNSETTLED": "an unsettled line stands under the operation it is about",
    "SUBHEADING": "a sub-heading stands under an operation; ## Shapes has four of its own",
    "TABLES": "this heading stands under ## Shapes",
    "PROSE": "prose stands under the title or a ## heading",
    "TABLE_ROW": "a table stands under the title or a ## heading",
    "FENCE": "a fence stands under the title or a ## heading",
}


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("contract.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", start=["start", "stray"], maybe_placeholders=False)


def parse(text: str, notes: Notes) -> tuple[Node, list[Token]]:
    """The tree of a page, and all its lines; those that cannot stand are noted and not in the tree."""
    stray: list[Token] = []

    def on_error(error: UnexpectedInput) -> bool:
        assert isinstance(error, UnexpectedToken), error
        token = error.token
        code, message = _STRAYS.get(token.type) or ("misplaced", _MISPLACED[token.type])
        notes.add(line(token), code, message)
        stray.append(token)
        return True

    tree = _parser().parse(text, start="start", on_error=on_error)
    tokens = sorted([*leaves(tree), *stray], key=lambda token: token.start_pos or 0)
    assert not _between(text, tokens).strip(" \n"), "every line is read or noted"
    return tree, tokens


def leaves(node: Node) -> list[Token]:
    """The lines below a node, in order."""
    return list(node.scan_values(lambda value: isinstance(value, Token)))


def line(token: Token) -> Text:
    """A line without its end, where it stands."""
    return Text(str(token)[:-1], cast(int, token.line), cast(int, token.column))


def _between(text: str, tokens: list[Token]) -> str:
    rest, end = [], 0
    for token in tokens:
        rest.append(text[end : token.start_pos])
        end = token.end_pos or 0
    return "".join([*rest, text[end:]])
