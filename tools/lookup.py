"""From a question to the clauses it is about: by id, by part of an id, by place, by test."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tools import lines, report
from tools.cites import Cite
from tools.contract import Clause
from tools.lines import Ranges
from tools.report import Report
from tools.units import Unit
from tools.verdict import Verdict

PLACE = re.compile(r"(?P<file>[^:]+):(?P<line>\d+)")


@dataclass(frozen=True, slots=True)
class Trace:
    """All that is known of one clause."""

    verdict: Verdict
    outgoing: tuple[Verdict, ...]
    incoming: tuple[Verdict, ...]
    decided: tuple[Cite, ...]
    ran: Mapping[str, Ranges]


@dataclass(frozen=True, slots=True)
class Answer:
    """The clauses that a question is about, and how it came to them."""

    note: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Sources:
    """What questions are answered from."""

    report: Report
    ran: Mapping[str, Mapping[str, Ranges]]

    @property
    def by_id(self) -> Mapping[str, Clause]:
        """Each clause under its id."""
        return self.report.pages.by_id

    @cached_property
    def units(self) -> Mapping[str, Unit]:
        """Each unit that cites some clause."""
        return {unit.id: unit for unit in self.report.units if not self.by_id.keys().isdisjoint(unit.clauses)}


def read(root: Path) -> Sources:
    """The sources under `root`."""
    return Sources(report.read(root), lines.read(root))


def trace(clause: Clause, sources: Sources) -> Trace:
    """All that is known of the clause."""
    verdict = sources.report.verdict(clause)
    others = sources.report.pages.clauses
    outgoing = [sources.by_id[link] for link in clause.links if link in sources.by_id]
    incoming = [other for other in others if clause.id in other.links]
    files: dict[str, list[Ranges]] = {}
    for unit in verdict.units:
        for file, ranges in sources.ran.get(unit.id, {}).items():
            files.setdefault(file, []).append(ranges)
    return Trace(
        verdict=verdict,
        outgoing=tuple(sources.report.verdict(other) for other in outgoing),
        incoming=tuple(sources.report.verdict(other) for other in incoming),
        decided=sources.report.decided(clause.id),
        ran={file: lines.union(files[file]) for file in sorted(files)},
    )


def find(subject: str, sources: Sources) -> Answer | None:
    """What the question is about; nothing where it names what is not there."""
    if subject in sources.by_id:
        return Answer("", (sources.by_id[subject],))
    if "::" in subject:
        return _by_unit(subject.partition("[")[0], sources)
    if place := PLACE.fullmatch(subject):
        return _by_place(place["file"].removeprefix("./"), int(place["line"]), sources)
    return _by_part(subject, sources)


def near(subject: str, sources: Sources) -> list[str]:
    """What the question may have meant."""
    from difflib import get_close_matches

    names = {id.rpartition(".")[2]: id for id in sources.by_id}
    known = [*sources.by_id, *sources.report.pages.operations, *names, *sources.units]
    close = get_close_matches(subject, known, n=3, cutoff=0.6)
    return list(dict.fromkeys(names.get(name, name) for name in close))


def _by_part(subject: str, sources: Sources) -> Answer | None:
    """By the last part of an id, by operation, or by the beginning of an id."""
    ids = list(sources.by_id)
    found = (
        [id for id in ids if id.rpartition(".")[2] == subject]
        or [id for id in ids if id.startswith(f"{subject}.")]
        or [id for id in ids if id.startswith(subject)]
    )
    return Answer("", tuple(sources.by_id[id] for id in found)) if found else None


def _by_unit(id: str, sources: Sources) -> Answer | None:
    """By a node id, or by the end of one."""
    matching = [unit for unit in sources.units.values() if unit.id == id or unit.id.endswith(f"/{id}")]
    if not matching:
        return None
    unit = matching[0]
    cited = tuple(sources.by_id[clause] for clause in unit.clauses if clause in sources.by_id)
    note = f"{unit.id}  {unit.outcome}  {unit.detail}".rstrip()
    return Answer(note, cited)


def _by_place(file: str, line: int, sources: Sources) -> Answer | None:
    return _by_page(file, line, sources) or _by_code(file, line, sources)


def _by_page(file: str, line: int, sources: Sources) -> Answer | None:
    """The clause at a line of a page, or the one whose scenario stands there."""
    on_page = [clause for clause in sources.by_id.values() if clause.file == file]
    for clause in on_page:
        if line in {clause.line, *(scenario.line for scenario in clause.scenarios)}:
            return Answer("", (clause,))
    above = [clause for clause in on_page if clause.line < line]
    if not above:
        return None
    nearest = max(above, key=lambda clause: clause.line)
    note = f"no clause stands at {file}:{line}; the nearest above is at {nearest.line}"
    return Answer(note, (nearest,))


def _by_code(file: str, line: int, sources: Sources) -> Answer | None:
    """The clauses that are decided at a line of the engine; failing that, those whose tests ran it."""
    here = [cite.clause for cite in sources.report.cites if (cite.file, cite.line) == (file, line)]
    note = f"{file}:{line} decides"
    if not here:
        units = [id for id, files in sources.ran.items() if lines.within(line, files.get(file, ""))]
        cited = {clause for id in units if id in sources.units for clause in sources.units[id].clauses}
        here, note = sorted(cited), f"nothing is decided at {file}:{line}; the tests of these clauses run it"
    found = tuple(sources.by_id[id] for id in here if id in sources.by_id)
    return Answer(note, found) if found else None
