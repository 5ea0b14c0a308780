"""What the tables under `## Shapes` say: refusals, limits, enumerations and records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeVar

from lark import Token

from codegen.findings import Notes
from codegen.model import Enumeration, EnumerationValue, Field, Limit, Record, Refusal, Text
from codegen.parse import line
from codegen.shape_columns import COLUMNS, EMPTY, FIELD, bare, check_cells, check_headers
from codegen.tables import Row, read_tables
from codegen.type_names import read_type


@dataclass(frozen=True, slots=True)
class Shapes:
    """The rows of a page's tables, read."""

    refusals: tuple[Refusal, ...]
    limits: tuple[Limit, ...]
    enumerations: tuple[Enumeration, ...]
    records: tuple[Record, ...]
    owners: tuple[Text, ...]


def read(tokens: list[Token], notes: Notes) -> Shapes:
    """The shapes of a page, from the lines of its last section."""
    rows = _rows(tokens, notes)
    return Shapes(
        refusals=tuple(refusal for row in rows["Refusals"] for refusal in _refusal(row, notes)),
        limits=tuple(Limit(*_bare(row, "limit", "clause", "value", "unit")) for row in rows["Limits"]),
        enumerations=tuple(_by_name(rows["Enumerations"], "enumeration", _enumeration, notes)),
        records=tuple(_by_name(rows["Records"], "record", _record, notes)),
        owners=tuple(bare(row.cells["clause"]) for table in rows.values() for row in table),
    )


def _rows(tokens: list[Token], notes: Notes) -> dict[str, list[Row]]:
    """The rows whose cells look as they should, by the heading they stand under."""
    rows: dict[str, list[Row]] = {heading: [] for heading in COLUMNS}
    order = list(COLUMNS)
    current = ""
    for is_heading, group in groupby(tokens, lambda token: token.type == "TABLES"):
        for heading in map(line, group if is_heading else ()):
            name = heading.part(len("### "))
            if current and order.index(name.value) <= order.index(current):
                notes.add(name, "heading", f"### {name} stands once, in the order {', '.join(order)}")
            current = name.value
        for table in () if is_heading else read_tables(group, notes):
            if not current:
                notes.add(table.headers[0], "misplaced", "a table of ## Shapes stands under one of its headings")
            elif check_headers(current, table, notes):
                rows[current] += [row for row in table.rows if check_cells(current, row, notes)]
    return rows


def _refusal(row: Row, notes: Notes) -> Iterator[Refusal]:
    name, clause, written, tag, http, exit_code = _bare(row, "refusal", "clause", "fields", "tag", "http", "exit")
    parts = [] if written.value == EMPTY else _comma_parts(written)
    fields = [field for part in parts for field in _field(part, notes)]
    if len(fields) < len(parts):
        notes.broken.add(name.value)
        return
    yield Refusal(
        name=name,
        clause=clause,
        fields=tuple(fields),
        tag=None if tag.value == EMPTY else tag,
        http_status=None if http.value == EMPTY else int(http.value),
        exit_code=int(exit_code.value),
        sentence=row.cells["sentence"],
    )


def _field(text: Text, notes: Notes) -> Iterator[Field]:
    match = re.fullmatch(rf"({FIELD}): (.+)", text.value)
    type_ = read_type(match[2]) if match else None
    if match and type_:
        yield Field(text.part(*match.span(1)), type_, text.part(*match.span(2)))
    else:
        notes.add(text, "cell", f"{text.value!r} is no name: type")


def _comma_parts(text: Text) -> list[Text]:
    """The parts between the commas that stand outside `<…>`."""
    commas, depth = [-1], 0
    for position, character in enumerate(text.value):
        depth += (character == "<") - (character == ">")
        if character == "," and depth == 0:
            commas.append(position)
    return [text.part(start + 1, end).strip() for start, end in pairwise([*commas, len(text.value)])]


def _enumeration(rows: list[Row], notes: Notes) -> Enumeration:
    name, clause = _bare(rows[0], "enumeration", "clause")
    headers = {h.value: h for row in rows for h in row.headers if h.value not in COLUMNS["Enumerations"]}
    flags = []
    for header in headers.values():
        marks = [row.cells[header.value] for row in rows if header.value in row.cells]
        marked = [mark for mark in marks if mark.value != EMPTY]
        if marked and len(marked) < len(rows):
            unmarked = next((mark for mark in marks if mark.value == EMPTY), header)
            notes.add(unmarked, "flag", f"{name} says {header} of some of its values and not of all")
        if marked:
            flags.append(header)
    values = [
        EnumerationValue(
            value=bare(row.cells["value"]),
            meaning=row.cells["meaning"].value,
            flags=tuple(flag.value in row.cells and row.cells[flag.value].value == "yes" for flag in flags),
        )
        for row in rows
    ]
    return Enumeration(name, clause, tuple(flags), tuple(values))


def _record(rows: list[Row], notes: Notes) -> Record:
    name, clause = _bare(rows[0], "record", "clause")
    fields = []
    for row in rows:
        field, written, presence = _bare(row, "field", "type", "presence")
        type_ = read_type(written.value)
        if type_ is None:
            notes.add(written, "unknown-type", f"{written.value!r} is no type")
        else:
            fields.append(Field(field, type_, written, presence.value, row.cells["meaning"].value))
    return Record(name, clause, tuple(fields))


Built = TypeVar("Built", Enumeration, Record)


def _by_name(rows: list[Row], column: str, build: Callable[[list[Row], Notes], Built], notes: Notes) -> Iterator[Built]:
    """A shape for each run of rows that bear one name; they all name one clause."""
    for name, run in groupby(rows, lambda row: bare(row.cells[column]).value):
        same = list(run)
        clause = bare(same[0].cells["clause"]).value
        for row in same:
            if bare(row.cells["clause"]).value != clause:
                notes.add(row.cells["clause"], "owner", f"{name} is owned by {clause}, above")
        yield build(same, notes)


def _bare(row: Row, *columns: str) -> list[Text]:
    return [bare(row.cells[column]) for column in columns]
