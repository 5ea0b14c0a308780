"""Reading pytest: what an item's marks say, and what a report of it says."""

import pytest

from tools.fold import GRADES, Phase
from tools.told import Told

DETAIL_CHARS_MAX = 300


def describe(item: pytest.Item) -> Told:
    """The unit that the item is a row of, and the marks on it."""
    grade = _argument(item, "theorem")
    if grade and grade not in GRADES:
        raise pytest.UsageError(f"{item.nodeid}: theorem({grade!r}) is none of {', '.join(GRADES)}")
    return Told(
        unit=item.nodeid.partition("[")[0],
        clauses=tuple(sorted({id for mark in item.iter_markers("clause") for id in mark.args})),
        origin=_origin(item),
        scenario=_argument(item, "scenario"),
        grade=grade,
    )


def phase(report: pytest.TestReport) -> Phase:
    """What one report of pytest says."""
    return Phase(
        when=report.when or "",
        outcome=report.outcome,
        expected_failure=hasattr(report, "wasxfail"),
        detail=_detail(report),
        seconds=report.duration,
    )


def _argument(item: pytest.Item, name: str) -> str:
    mark = item.get_closest_marker(name)
    return str(mark.args[0]) if mark is not None and mark.args else ""


def _origin(item: pytest.Item) -> str:
    """Where the function is written, if its class only inherits it from a suite."""
    owner = getattr(item, "cls", None)
    name = getattr(item, "originalname", None)
    for ancestor in () if owner is None else owner.__mro__:
        if name in vars(ancestor):
            return "" if ancestor is owner else f"{ancestor.__module__}.{ancestor.__qualname__}::{name}"
    return ""


def _detail(report: pytest.TestReport) -> str:
    """The first line of what went wrong, or why the item was skipped."""
    if report.outcome == "passed":
        return ""
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2].removeprefix("Skipped: ")[:DETAIL_CHARS_MAX]
    crash = getattr(report.longrepr, "reprcrash", None)
    text = getattr(crash, "message", None) or getattr(report, "wasxfail", "") or report.longreprtext
    rows = str(text).strip().split("\n")
    # what has no crash is told in a block, its point behind an E
    return next((row[1:].strip() for row in rows if row.startswith("E  ")), rows[0])[:DETAIL_CHARS_MAX]
