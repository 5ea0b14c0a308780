"""The columns of the tables under `## Shapes`, and what a cell of each may hold."""

from __future__ import annotations

import re

from codegen.findings import Notes
from codegen.model import Text
from codegen.tables import Row, Table

EMPTY = "—"
UNITS = (
    "B KiB MiB GiB ms s min h d rows files parts calls requests chars entries attempts runs units percent digits levels"
)
PRESENCES = "always omit-if-none omit-if-zero omit-if-empty omit-if-false"
FIELD = r"[a-z][a-z0-9_]*"

_NAME = r"[A-Z][A-Za-z0-9]*"
_SUBJECT = r"[a-z0-9-]+(?:\.[a-z0-9-]+\.[a-z0-9-]+)?"
_WORDS = r".*[^ —].*"

_WRITTEN = {
    "Refusals": {
        "refusal": _NAME,
        "clause": _SUBJECT,
        "fields": rf"{EMPTY}|{FIELD}: .+",
        "tag": rf"{EMPTY}|[A-Za-z][A-Za-z0-9_-]*",
        "http": rf"{EMPTY}|[1-5][0-9][0-9]",
        "exit": r"[1-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5]",
        "sentence": _WORDS,
    },
    "Limits": {
        "limit": r"[a-z][a-z0-9-]*",
        "clause": _SUBJECT,
        "value": r"(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,9})?",
        "unit": UNITS.replace(" ", "|"),
    },
    "Enumerations": {
        "enumeration": _NAME,
        "clause": _SUBJECT,
        "value": _WORDS,
        "meaning": _WORDS,
    },
    "Records": {
        "record": _NAME,
        "clause": _SUBJECT,
        "field": r"[A-Za-z_][A-Za-z0-9_]*",
        "type": _WORDS,
        "presence": PRESENCES.replace(" ", "|"),
        "meaning": _WORDS,
    },
}
COLUMNS = {
    heading: {name: re.compile(pattern) for name, pattern in columns.items()} for heading, columns in _WRITTEN.items()
}
_FLAG = re.compile(rf"yes|no|{EMPTY}")
_ALLOWED = {"unit": UNITS, "presence": PRESENCES, "exit": "1 to 255", "http": f"a status or {EMPTY}"}


def check_headers(heading: str, table: Table, notes: Notes) -> bool:
    """Whether a table has the columns of its heading; enumerations may have further ones."""
    columns = list(COLUMNS[heading])
    written = [cell.value for cell in table.headers]
    further = table.headers[len(columns) :]
    if written[: len(columns)] != columns or (further and heading != "Enumerations"):
        notes.add(table.headers[0], "table", f"the columns of {heading} are {', '.join(columns)}")
        notes.broken |= {bare(row.cells[written[0]]).value for row in table.rows}
        return False
    unnamed = [cell for cell in further if not re.fullmatch(r"[a-z][a-z0-9]*(?:[ _-][a-z0-9]+)*", cell.value)]
    for cell in unnamed:
        notes.add(cell, "cell", f"{cell.value!r} is no name of a property")
    return not unnamed


def check_cells(heading: str, row: Row, notes: Notes) -> bool:
    """Whether each cell of a row is what its column holds."""
    columns = COLUMNS[heading]
    fine = True
    for name, cell in row.cells.items():
        if not columns.get(name, _FLAG).fullmatch(bare(cell).value):
            notes.add(cell, "cell", _complaint(name, cell.value))
            fine = False
    if not fine:
        notes.broken.add(bare(row.cells[next(iter(columns))]).value)
    return fine


def bare(cell: Text) -> Text:
    """A cell without its ticks, where the whole of it is code."""
    value = cell.value
    return cell.part(1, -1) if value[:1] == "`" and re.fullmatch("`[^`]+`", value) else cell


def _complaint(column: str, value: str) -> str:
    if not value:
        return f"the cell is blank; {EMPTY} says that it is empty"
    if not any(column in columns for columns in COLUMNS.values()):
        return f"{value!r} is not yes, no or {EMPTY}"
    allowed = _ALLOWED.get(column)
    return f"{value!r} is no {column}" + (f": {allowed}" if allowed else "")
