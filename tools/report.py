"""A report: the verdict on every clause, and the run that it rests on."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tools import cites, contract, snapshot, units
from tools.cites import Cite
from tools.units import Session, Unit
from tools.verdict import STATES, Verdict, verdicts


@dataclass(frozen=True, slots=True)
class Stray:
    """A test, or a line of the engine, that cites what is no clause."""

    place: str
    id: str


@dataclass(frozen=True)
class Report:
    """What every surface shows."""

    verdicts: tuple[Verdict, ...]
    whole_run: Session | None
    partial_run: Session | None
    cites: tuple[Cite, ...]
    strays: tuple[Stray, ...]

    @cached_property
    def operations(self) -> Mapping[str, tuple[Verdict, ...]]:
        """The verdicts of each operation, what is not met first."""
        grouped: dict[str, list[Verdict]] = {}
        for verdict in self.verdicts:
            grouped.setdefault(verdict.clause.operation, []).append(verdict)
        return {name: tuple(sorted(group, key=_urgency)) for name, group in grouped.items()}

    @cached_property
    def totals(self) -> Mapping[str, int]:
        """How many clauses stand in each state, worst first; states without clauses are left out."""
        counted = Counter(verdict.state for verdict in self.verdicts)
        return {state: counted[state] for state in STATES if counted[state]}

    def decided(self, id: str) -> tuple[Cite, ...]:
        """The lines that make a clause true."""
        return tuple(cite for cite in self.cites if cite.clause == id)

    @property
    def met(self) -> int:
        """How many clauses are met."""
        return self.totals.get("met", 0)


def read(root: Path, *, elsewhere: Iterable[Unit] = ()) -> Report:
    """The report on the contract under `root`: units as last seen, and those of elsewhere."""
    pages, evidence, cited = contract.read(root), units.read(root), cites.read(root)
    seen = (*evidence.latest(), *elsewhere)
    return Report(
        verdicts=verdicts(pages, seen, snapshot.read(root)),
        whole_run=evidence.whole,
        partial_run=evidence.since,
        cites=cited,
        strays=tuple(stray for stray in _cited(seen, cited) if stray.id not in pages.by_id),
    )


def _cited(seen: Iterable[Unit], cited: Iterable[Cite]) -> Iterator[Stray]:
    """Every cite, stray or not."""
    for unit in seen:
        yield from (Stray(unit.id, id) for id in unit.clauses)
    for cite in cited:
        yield Stray(f"{cite.file}:{cite.line}", cite.clause)


def _urgency(verdict: Verdict) -> int:
    return STATES.index(verdict.state)
