"""From a question to the clauses it is about: by id, by part of an id, by place, by test."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools import lines
from tools.cites import Cite
from tools.contract import Clause
from tools.lines import Ranges
from tools.report import Report
from tools.units import Unit
from tools.verdict import Verdict

TESTS = ("tests", "proofs")
APART = ("tests/tools/", "tests/codegen/")  # about clauses that are made up
TOO_FEW = ("too-few-tests", "too-few-theorems")
PLACE = re.compile(r"(?P<file>[^:]+):(?P<line>\d{1,9})")


@dataclass(frozen=True, slots=True)
class Trace:
    """All that is known of one clause."""

    verdict: Verdict
    outgoing: tuple[Verdict, ...]
    incoming: tuple[Verdict, ...]
    decided: tuple[Cite, ...]
    ran: Mapping[str, Ranges]
    waiting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The clauses that a question is about, and how it came to them."""

    note: str
    clauses: tuple[Clause, ...]


def trace(clause: Clause, report: Report, root: Path) -> Trace:
    """All that is known of the clause."""
    verdict = report.verdict(clause)
    outgoing = [report.pages.by_id[link] for link in clause.links if link in report.pages.by_id]
    incoming = [other for other in report.pages.clauses if clause.id in other.links]
    return Trace(
        verdict=verdict,
        outgoing=tuple(report.verdict(other) for other in outgoing),
        incoming=tuple(report.verdict(other) for other in incoming),
        decided=report.decided(clause.id),
        ran=report.lines_run(verdict),
        waiting=tuple(_waiting(verdict, root)) if any(each.code in TOO_FEW for each in verdict.reasons) else (),
    )


def find(subject: str, report: Report, root: Path) -> Answer | None:
    """What the question is about; nothing where it names what is not there."""
    if subject in report.pages.by_id:
        return Answer("", (report.pages.by_id[subject],))
    if "::" in subject:
        return _by_unit(subject.partition("[")[0], report)
    if place := PLACE.fullmatch(subject):
        return _by_place(_from(root, place["file"]), int(place["line"]), report, root)
    return _by_part(subject, report)


def _waiting(verdict: Verdict, root: Path) -> Iterator[str]:
    """The marks that cite the clause in files where they are more than what a run has seen."""
    seen = Counter(unit.id.partition("::")[0] for unit in verdict.units)
    quoted = f'"{verdict.clause.id}"'
    for path in (path for folder in TESTS for path in sorted((root / folder).rglob("*.py"))):
        text = path.read_text(encoding="utf-8")
        if quoted in text:
            file = path.relative_to(root).as_posix()
            rows = [number for number, row in enumerate(text.split("\n"), 1) if quoted in row]
            if len(rows) > seen[file] and not file.startswith(APART):
                yield from (f"{file}:{row}" for row in rows)


def near(subject: str, report: Report) -> list[str]:
    """What the question may have meant."""
    from difflib import get_close_matches

    names = {id.rpartition(".")[2]: id for id in report.pages.by_id}
    known = [*report.pages.by_id, *report.pages.operations, *names, *_units(report)]
    close = get_close_matches(subject, known, n=3, cutoff=0.6)
    return list(dict.fromkeys(names.get(name, name) for name in close))


def _by_part(subject: str, report: Report) -> Answer | None:
    """By the last part of an id, by operation, or by the beginning of an id."""
    ids = list(report.pages.by_id)
    found = (
        [id for id in ids if id.rpartition(".")[2] == subject]
        or [id for id in ids if id.startswith(f"{subject}.")]
        or [id for id in ids if id.startswith(subject)]
    )
    return Answer("", tuple(report.pages.by_id[id] for id in found)) if found else None


def _by_unit(id: str, report: Report) -> Answer | None:
    """By a node id, or by the end of one."""
    matching = [unit for unit in _units(report).values() if unit.id == id or unit.id.endswith(f"/{id}")]
    return _of_unit(matching[0], report) if matching else None


def _of_unit(unit: Unit, report: Report) -> Answer:
    note = f"{unit.id}  {unit.outcome}  {unit.detail}".rstrip()
    return Answer(note, _clauses(unit.clauses, report))


def _by_place(file: str, line: int, report: Report, root: Path) -> Answer | None:
    if file.endswith(".py") and (root / file).is_file() and not file.startswith("engine/"):
        return _by_test(file, line, report, root) or _by_step(file, line, report, root)
    return _by_page(file, line, report) or _by_code(file, line, report)


def _by_page(file: str, line: int, report: Report) -> Answer | None:
    """The clause at a line of a page, or the one whose scenario stands there."""
    on_page = [clause for clause in report.pages.by_id.values() if clause.file == file]
    for clause in on_page:
        if line in {clause.line, *(scenario.line for scenario in clause.scenarios)}:
            return Answer("", (clause,))
    above = [clause for clause in on_page if clause.line < line]
    if not above:
        return None
    nearest = max(above, key=lambda clause: clause.line)
    note = f"no clause stands at {file}:{line}; the nearest above is at {nearest.line}"
    return Answer(note, (nearest,))


def _by_test(file: str, line: int, report: Report, root: Path) -> Answer | None:
    """The clauses of the test or proof that stands around a line."""
    import ast

    units = {unit.id.rpartition("::")[2]: unit for unit in _units(report).values() if unit.id.startswith(f"{file}::")}
    for node in ast.walk(ast.parse((root / file).read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min(piece.lineno for piece in (node, *node.decorator_list))
            if first <= line <= (node.end_lineno or node.lineno):
                if node.name in units:
                    return _of_unit(units[node.name], report)
                marks = (piece for mark in node.decorator_list for piece in ast.walk(mark))
                quoted = {str(piece.value) for piece in marks if isinstance(piece, ast.Constant)}
                if found := _clauses(sorted(quoted), report):
                    return Answer(f"{file}::{node.name}  no run has seen it yet", found)
    return None


def _by_step(file: str, line: int, report: Report, root: Path) -> Answer | None:
    """The clauses whose scenarios take the step that is defined around a line."""
    from tools import steps

    here = [found for found in steps.of_file(root, root / file) if found.first <= line <= found.last]
    taking = [
        clause.id
        for clause in report.pages.clauses
        for scenario in clause.scenarios
        for keyword, step in scenario.spoken
        if any(found.takes(keyword, step) for found in here)
    ]
    note = f"{here[0].keyword} {here[0].words}: the scenarios of these clauses take it" if here else ""
    return Answer(note, _clauses(dict.fromkeys(taking), report)) if taking else None


def _by_code(file: str, line: int, report: Report) -> Answer | None:
    """The clauses that are decided at a line of the engine; failing that, those whose tests ran it."""
    here = [cite.clause for cite in report.cites if cite.file == file and line in (cite.line, cite.written)]
    note = f"{file}:{line} decides"
    if not here:
        units = _units(report)
        ran = [units[id] for id, files in report.ran.items() if id in units and lines.within(line, files.get(file, ""))]
        here = sorted({clause for unit in ran for clause in unit.clauses})
        note = f"nothing is decided at {file}:{line}; the tests of these clauses run it"
    found = _clauses(here, report)
    return Answer(note, found) if found else None


def _clauses(ids: Iterable[str], report: Report) -> tuple[Clause, ...]:
    return tuple(report.pages.by_id[id] for id in ids if id in report.pages.by_id)


def _units(report: Report) -> Mapping[str, Unit]:
    """Each unit that cites some clause."""
    return {unit.id: unit for unit in report.units if not report.pages.by_id.keys().isdisjoint(unit.clauses)}


def _from(root: Path, file: str) -> str:
    """A file as the repository calls it, however the question did."""
    here = Path(file).resolve()
    return here.relative_to(root).as_posix() if here.exists() and here.is_relative_to(root) else file.removeprefix("./")
