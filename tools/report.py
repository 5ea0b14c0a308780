"""A report: the verdict on every clause, and the run that it rests on."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tools import cites, contract, lines, snapshot, units, verdict
from tools.cites import Cite
from tools.contract import Clause, Contract
from tools.lines import Ran, Ranges
from tools.snapshot import Snapshot
from tools.state import STATES
from tools.units import Session, Unit
from tools.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Stray:
    """A test, or a line of the engine, that cites what is no clause."""

    place: str
    id: str


@dataclass(frozen=True)
class Report:
    """What every surface shows. A verdict is found when it is asked for, so that one clause costs little."""

    pages: Contract
    units: tuple[Unit, ...]
    accepted: Snapshot
    whole_run: Session | None
    partial_run: Session | None
    cites: tuple[Cite, ...]
    ran: Ran

    @cached_property
    def citing(self) -> Mapping[str, tuple[Unit, ...]]:
        """The units that cite each id."""
        return verdict.citing(self.units)

    def verdict(self, clause: Clause) -> Verdict:
        """The verdict on one clause."""
        return verdict.verdict(clause, self.pages, self.citing.get(clause.id, ()), self.accepted.get(clause.id))

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdict on every clause, in the order of the pages."""
        return tuple(self.verdict(clause) for clause in self.pages.clauses)

    @cached_property
    def strays(self) -> tuple[Stray, ...]:
        """The cites of what is no clause."""
        in_tests = [Stray(unit.id, id) for unit in self.units for id in unit.clauses]
        in_engine = [Stray(f"{cite.file}:{cite.line}", cite.clause) for cite in self.cites]
        return tuple(stray for stray in (*in_tests, *in_engine) if stray.id not in self.pages.by_id)

    @cached_property
    def operations(self) -> Mapping[str, tuple[Verdict, ...]]:
        """The verdicts of each operation, what is not met first."""
        grouped: dict[str, list[Verdict]] = {}
        for found in self.verdicts:
            grouped.setdefault(found.clause.operation, []).append(found)
        return {name: tuple(sorted(group, key=_urgency)) for name, group in grouped.items()}

    @cached_property
    def totals(self) -> Mapping[str, int]:
        """How many clauses stand in each state, worst first; states without clauses are left out."""
        counted = Counter(found.state for found in self.verdicts)
        return {state: counted[state] for state in STATES if counted[state]}

    def decided(self, id: str) -> tuple[Cite, ...]:
        """The lines that make a clause true."""
        return tuple(cite for cite in self.cites if cite.clause == id)

    def lines_run(self, found: Verdict) -> Mapping[str, Ranges]:
        """The lines of each file that the clause's tests and proofs ran."""
        files: dict[str, list[Ranges]] = {}
        for unit in found.units:
            for file, ranges in self.ran.get(unit.id, {}).items():
                files.setdefault(file, []).append(ranges)
        return {file: lines.union(files[file]) for file in sorted(files)}

    @property
    def met(self) -> int:
        """How many clauses are met."""
        return self.totals.get("met", 0)


def read(root: Path, *, elsewhere: Iterable[Unit] = (), subject: str = "") -> Report:
    """The report on the contract under `root`: units as last seen, and those of elsewhere.

    Where the subject is a clause, only the evidence of that one and of those it is linked with: that is all it takes.
    """
    pages = contract.read(root)
    evidence = units.read(root, _about(pages, subject))
    return Report(
        pages=pages,
        units=(*evidence.latest(), *elsewhere),
        accepted=snapshot.read(root),
        whole_run=evidence.whole,
        partial_run=evidence.since,
        cites=cites.read(root),
        ran=lines.read(root),
    )


def _about(pages: Contract, subject: str) -> set[str] | None:
    """A clause, those that it names and those that name it; none where the subject is no clause."""
    clause = pages.by_id.get(subject)
    if clause is None:
        return None
    return {subject, *clause.links, *(other.id for other in pages.clauses if subject in other.links)}


def _urgency(found: Verdict) -> int:
    return STATES.index(found.state)
