"""Evidence from a JUnit file: a run elsewhere, by the properties that our marks leave in it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from tools import fold, told
from tools.command import Trouble
from tools.fold import Phase
from tools.units import Unit


def read(path: Path) -> tuple[Unit, ...]:
    """The units of a JUnit file, in order."""
    try:
        root = ElementTree.parse(path).getroot()
    except OSError as fault:
        raise Trouble(f"{path} cannot be opened: {fault.strerror}") from None
    except ElementTree.ParseError as fault:
        raise Trouble(f"{path} is no JUnit file: {fault}") from None
    grouped: dict[str, list[Unit]] = {}
    for row in _rows(root):
        grouped.setdefault(row.id, []).append(row)
    return tuple(fold.unit(grouped[id]) for id in sorted(grouped))


def _rows(root: Element) -> Iterator[Unit]:
    for suite in root.iter("testsuite"):
        for case in suite.iterfind("testcase"):
            row = told.read(_properties(case))
            if row is not None:
                yield replace(fold.row(row, [_phase(case)]), at=suite.get("timestamp", ""))


def _properties(case: Element) -> list[tuple[str, object]]:
    return [(each.get("name", ""), each.get("value", "")) for each in case.iterfind("properties/property")]


def _phase(case: Element) -> Phase:
    """All that JUnit keeps of a row's phases: the one that went wrong, or that all went well."""
    seconds = float(case.get("time") or 0)
    for found in case:
        text = found.get("message", "")
        match found.tag:
            case "failure":
                return Phase("call", "failed", False, text, seconds)
            case "error":
                when = "teardown" if text.startswith("failed on teardown") else "setup"
                return Phase(when, "failed", False, text, seconds)
            case "skipped":
                return Phase("call", "skipped", found.get("type") == "pytest.xfail", text, seconds)
    return Phase("call", "passed", False, "", seconds)
