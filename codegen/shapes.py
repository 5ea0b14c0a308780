"""What the tables under `## Shapes` say: refusals, limits, enumerations and records."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeVar

from lark import Token

from codegen.findings import Notes
from codegen.model import Enumeration, EnumerationValue, Field, Limit, Record, Refusal, Text
from codegen.parse import line
from codegen.tables import Row, Table, read_tables
from codegen.type_names import read_type

EMPTY = "—"
UNITS = "B KiB MiB GiB ms s min h d rows files parts calls requests chars entries attempts runs units percent digits"
PRESENCES = "always omit-if-none omit-if-zero omit-if-empty omit-if-false"

_NAME = r"[A-Z][A-Za-z0-9]*"
_SUBJECT = r"[a-z0-9-]+(?:\.[a-z0-9-]+\.[a-z0-9-]+)?"
_FIELD = r"[a-z][a-z0-9_]*"
_SOME = r".*[^ —].*"

# What each cell must look like, by heading and column; every column stands in every table, in this order.
COLUMNS = {
    "Refusals": {
        "refusal": _NAME,
        "clause": _SUBJECT,
        "fields": rf"{EMPTY}|{_FIELD}: .+",
        "tag": rf"{EMPTY}|[A-Za-z][A-Za-z0-9_-]*",
        "http": rf"{EMPTY}|[1-5][0-9][0-9]",
        "exit": r"[1-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5]",
        "sentence": _SOME,
    },
    "Limits": {
        "limit": r"[a-z][a-z0-9-]*",
        "clause": _SUBJECT,
        "value": r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?",
        "unit": UNITS.replace(" ", "|"),
    },
    "Enumerations": {"enumeration": _NAME, "clause": _SUBJECT, "value": _SOME, "meaning": _SOME},
    "Records": {
        "record": _NAME,
        "clause": _SUBJECT,
        "field": r"[A-Za-z_][A-Za-z0-9_]*",
        "type": _SOME,
        "presence": PRESENCES.replace(" ", "|"),
        "meaning": _SOME,
    },
}
FLAG = rf"yes|no|{EMPTY}"


@dataclass(frozen=True, slots=True)
class Shapes:
    """The rows of a page's tables, read."""

    refusals: tuple[Refusal, ...]
    limits: tuple[Limit, ...]
    enumerations: tuple[Enumeration, ...]
    records: tuple[Record, ...]


def read(tokens: list[Token], notes: Notes) -> Shapes:
    """The shapes of a page, from the lines of its last section."""
    rows: dict[str, list[Row]] = {heading: [] for heading in COLUMNS}
    heading = ""
    seen: list[str] = []
    for is_heading, group in groupby(tokens, lambda token: token.type == "TABLES"):
        for token in group if is_heading else ():
            heading = line(token).value[4:]
            if heading in seen:
                notes.add(line(token).part(4), "heading", f"a second ### {heading}")
            seen.append(heading)
        for table in () if is_heading else read_tables(group, notes):
            if _check_header(heading, table, notes):
                rows[heading] += [row for row in table.rows if _check_cells(heading, row, notes)]
    refusals = [_refusal(row, notes) for row in rows["Refusals"]]
    limits = [Limit(*_unquoted(row, "limit", "clause", "value", "unit")) for row in rows["Limits"]]
    enumerations = _runs(rows["Enumerations"], "enumeration", _enumeration, notes)
    records = _runs(rows["Records"], "record", _record, notes)
    return Shapes(tuple(r for r in refusals if r), tuple(limits), tuple(enumerations), tuple(records))


def _check_header(heading: str, table: Table, notes: Notes) -> bool:
    if not heading:
        notes.add(table.header[0], "misplaced", "a table of ## Shapes stands under one of its four headings")
        return False
    columns = list(COLUMNS[heading])
    written = [cell.value for cell in table.header]
    more = table.header[len(columns) :]
    if written[: len(columns)] != columns or (more and heading != "Enumerations"):
        notes.add(table.header[0], "table", f"the columns of {heading} are {', '.join(columns)}")
        notes.broken |= {row.cells[written[0]].value for row in table.rows}
        return False
    for cell in more:
        if not re.fullmatch(r"[a-z][a-z0-9]*(?:[ _-][a-z0-9]+)*", cell.value):
            notes.add(cell, "cell", f"{cell.value!r} is no name of a property")
            return False
    return True


def _check_cells(heading: str, row: Row, notes: Notes) -> bool:
    columns = COLUMNS[heading]
    wrong = [
        name
        for name, cell in row.cells.items()
        if not re.fullmatch(columns.get(name, FLAG), bare(cell).value)
    ]
    for name in wrong:
        notes.add(row.cells[name], "cell", _complaint(name, row.cells[name].value))
    if wrong:
        notes.broken.add(bare(next(iter(row.cells.values()))).value)
    return not wrong


def _complaint(column: str, value: str) -> str:
    allowed = {"unit": UNITS, "presence": PRESENCES, "exit": "1 to 255", "http": f"a status or {EMPTY}"}.get(
        column
    )
    if not value:
        return f"the cell is blank; {EMPTY} says that it is empty"
    return f"{value!r} is no {column}" + (f": {allowed}" if allowed else "")


def bare(cell: Text) -> Text:
    """A cell without the ticks, where the whole of it is code."""
    quoted = len(cell.value) > 2 and cell.value[0] == cell.value[-1] == "`" and cell.value.count("`") == 2
    return cell.part(1, -1) if quoted else cell


def _unquoted(row: Row, *columns: str) -> list[Text]:
    return [bare(row.cells[column]) for column in columns]


def _refusal(row: Row, notes: Notes) -> Refusal | None:
    name, clause, written, tag, http, exit_code = _unquoted(
        row, "refusal", "clause", "fields", "tag", "http", "exit"
    )
    fields = [] if written.value == EMPTY else [_field(text, notes) for text in _comma_parts(written)]
    if None in fields:
        notes.broken.add(name.value)
        return None
    return Refusal(
        name=name,
        clause=clause,
        fields=tuple(field for field in fields if field),
        tag=None if tag.value == EMPTY else tag,
        http_status=None if http.value == EMPTY else int(http.value),
        exit_code=int(exit_code.value),
        sentence=row.cells["sentence"],
    )


def _field(text: Text, notes: Notes) -> Field | None:
    match = re.fullmatch(rf"({_FIELD}): (.+)", text.value)
    type_ = read_type(match[2]) if match else None
    if match is None or type_ is None:
        notes.add(text, "cell", f"{text.value!r} is no `name: type`")
        return None
    return Field(text.part(*match.span(1)), type_, text.part(*match.span(2)))


def _comma_parts(text: Text) -> list[Text]:
    """The parts between the commas that stand outside `<…>`."""
    commas, depth = [-1], 0
    for position, character in enumerate(text.value):
        depth += (character == "<") - (character == ">")
        if character == "," and depth == 0:
            commas.append(position)
    return [text.part(start + 1, end).strip() for start, end in pairwise([*commas, len(text.value)])]


def _enumeration(name: str, rows: list[Row], notes: Notes) -> Enumeration:
    first = rows[0]
    columns = [column for column in first.cells if column not in COLUMNS["Enumerations"]]
    marks = {
        column: [row.cells.get(column, Text(EMPTY, row.at.line, 1)) for row in rows] for column in columns
    }
    for column, cells in marks.items():
        wrong = next((c for c in cells if (c.value == EMPTY) != (cells[0].value == EMPTY)), None)
        if wrong:
            notes.add(wrong, "flag", f"{name} says {column} of some values and not of others")
    flags = [column for column in columns if marks[column][0].value != EMPTY]
    values = tuple(
        EnumerationValue(
            bare(row.cells["value"]),
            row.cells["meaning"].value,
            tuple(marks[flag][position].value == "yes" for flag in flags),
        )
        for position, row in enumerate(rows)
    )
    named = bare(first.cells["enumeration"])
    return Enumeration(
        named, bare(first.cells["clause"]), tuple(Text(f, named.line, named.column) for f in flags), values
    )


def _record(name: str, rows: list[Row], notes: Notes) -> Record:
    fields = []
    for row in rows:
        field, written, presence = _unquoted(row, "field", "type", "presence")
        type_ = read_type(written.value)
        if type_ is None:
            notes.add(written, "unknown-type", f"{written.value!r} is no type")
            notes.broken.add(name)
        else:
            fields.append(Field(field, type_, written, presence.value, row.cells["meaning"].value))
    named, clause = _unquoted(rows[0], "record", "clause")
    return Record(named, clause, tuple(fields))


Shape = TypeVar("Shape", Enumeration, Record)


def _runs(
    rows: list[Row], column: str, build: Callable[[str, list[Row], Notes], Shape], notes: Notes
) -> list[Shape]:
    """One shape for each run of rows that bear its name; its rows name one clause."""
    shapes = []
    for name, run in groupby(rows, lambda row: bare(row.cells[column]).value):
        same = list(run)
        clause = bare(same[0].cells["clause"]).value
        for row in same[1:]:
            if bare(row.cells["clause"]).value != clause:
                notes.add(row.cells["clause"], "owner", f"{name} is owned by {clause}, above")
        shapes.append(build(name, same, notes))
    return shapes
