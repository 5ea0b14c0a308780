"""Markdown tables: rows into cells that know their column."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from lark import Token

from codegen.findings import Notes
from codegen.model import Text
from codegen.parse import line

_CELL = re.compile(r"(?:[^|\\]|\\.)*\\?")
_RULE = re.compile(r"\|(?: *:?-+:? *\|)+")


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one line, by the header they stand under."""

    headers: tuple[Text, ...]
    cells: dict[str, Text]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their headers; those with another number of cells are noted and left out."""

    headers: tuple[Text, ...]
    rows: tuple[Row, ...]


def read_tables(tokens: Iterable[Token], notes: Notes) -> list[Table]:
    """The tables among some lines: rows right under one another are one table."""
    blocks: list[list[Text]] = []
    for token in tokens:
        if token.type == "TABLE_ROW":
            row = line(token)
            if blocks and blocks[-1][-1].line + 1 == row.line:
                blocks[-1].append(row)
            else:
                blocks.append([row])
    return [table for block in blocks for table in _read_table(block, notes)]


def _read_table(block: list[Text], notes: Notes) -> list[Table]:
    headers = tuple(_cells(block[0]))
    names = [cell.value for cell in headers]
    rule = block[1] if len(block) > 1 else Text("", block[0].line, block[0].column)
    if not _RULE.fullmatch(rule.value) or len(_cells(rule)) != len(headers):
        notes.add(rule, "table", "no | --- | for each cell under the header")
        return []
    for position, cell in enumerate(headers):
        if cell.value in names[:position]:
            notes.add(cell, "table", f"two columns are called {cell}")
    rows = []
    for text in block[2:]:
        cells = _cells(text)
        if len(cells) == len(headers) and text.value.endswith("|"):
            rows.append(Row(headers, dict(zip(names, cells, strict=True))))
        else:
            notes.add(text, "table", f"{len(cells)} cells under {len(headers)} headers, or no | at the end")
            notes.broken |= {cell.value for cell in cells[:1]}
    return [Table(headers, tuple(rows))]


def _cells(row: Text) -> list[Text]:
    cells, position = [], 1
    while position < len(row.value):
        match = _CELL.match(row.value, position)
        assert match is not None, "the pattern matches the empty cell"
        cell = row.part(position, match.end()).strip()
        cells.append(replace(cell, value=cell.value.replace(r"\|", "|")) if "\\" in cell.value else cell)
        position = match.end() + 1
    return cells
