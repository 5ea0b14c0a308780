"""A report: the verdict on every clause, and the run that it rests on."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tools import contract, snapshot, units
from tools.units import Evidence, Session, Unit
from tools.verdict import STATES, Reason, Verdict, unknown_cites, verdicts


@dataclass(frozen=True)
class Report:
    """What every surface shows."""

    verdicts: tuple[Verdict, ...]
    whole_run: Session | None
    partial_run: Session | None
    stray: tuple[Reason, ...]

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

    @property
    def met(self) -> int:
        """How many clauses are met."""
        return self.totals.get("met", 0)


def read(root: Path, *, elsewhere: Iterable[Unit] = ()) -> Report:
    """The report on the contract under `root`: units as last seen, and those of elsewhere."""
    evidence = units.read(root)
    seen = (*evidence.latest(), *elsewhere)
    return over(contract.read(root), evidence, snapshot.read(root), seen)


def over(
    pages: contract.Contract, evidence: Evidence, accepted: snapshot.Snapshot, seen: tuple[Unit, ...]
) -> Report:
    """The report on `pages` from the units in `seen`."""
    return Report(
        verdicts=verdicts(pages, seen, accepted),
        whole_run=evidence.whole,
        partial_run=evidence.since,
        stray=unknown_cites(pages, seen),
    )


def _urgency(verdict: Verdict) -> int:
    return STATES.index(verdict.state)
