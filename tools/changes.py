"""What became of each clause between two states of the contract."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from codegen.as_json import revision
from tools.contract import Clause, Contract, Scenario


@dataclass(frozen=True, slots=True)
class Change:
    """One clause before and after. `old` is told in the ids of after, so that a renamed link is no rewording."""

    old: Clause | None
    new: Clause | None

    @property
    def clause(self) -> Clause:
        """The clause as it stands, or as it stood last."""
        clause = self.new or self.old
        assert clause is not None
        return clause

    @property
    def kinds(self) -> tuple[str, ...]:
        """What happened, in a word each."""
        if self.old is None:
            return ("added",)
        if self.new is None:
            return ("removed",)
        happened = {
            "renamed": self.old.id != self.new.id,
            "reworded": self.old.rev != self.new.rev,
            "evidence raised": self.new.asked.test > self.old.asked.test
            or self.new.asked.theorem > self.old.asked.theorem,
            "evidence lowered": self.new.asked.test < self.old.asked.test
            or self.new.asked.theorem < self.old.asked.theorem,
            "scenario lost": bool(self.lost),
            "scenario new": bool(self.gained),
            "why reworded": self.old.why != self.new.why,
            "table changed": bool(self.shapes),
        }
        return tuple(kind for kind, did in happened.items() if did)

    @property
    def stale(self) -> bool:
        """Whether its tests and proofs were written for other words."""
        return "reworded" in self.kinds or self.new is None

    @property
    def shapes(self) -> tuple[str, ...]:
        """What it owns in the tables and reads otherwise now, by name."""
        before, after = ({shape.name: shape for shape in each.shapes} if each else {} for each in (self.old, self.new))
        return tuple(sorted(name for name in before | after if before.get(name) != after.get(name)))

    @property
    def lost(self) -> tuple[Scenario, ...]:
        """The scenarios that it had and has no more."""
        return _missing(self.old, self.new)

    @property
    def gained(self) -> tuple[Scenario, ...]:
        """The scenarios that it has and had not."""
        return _missing(self.new, self.old)


def compare(old: Contract, new: Contract) -> tuple[Change, ...]:
    """Each clause that changed: those that stand, in page order, then those that are gone."""
    names = _renamed(old, new)
    before = {names.get(clause.id, clause.id): _told(clause, names) for clause in old.clauses}
    changes = [Change(before.pop(clause.id, None), clause) for clause in new.clauses]
    changes += [Change(clause, None) for clause in before.values()]
    return tuple(change for change in changes if change.kinds)


def _renamed(old: Contract, new: Contract) -> Mapping[str, str]:
    """The new id of each clause that stands under another one, word for word."""
    come = {clause.rev: clause.id for clause in new.clauses if clause.id not in old.by_id}
    return {clause.id: come[clause.rev] for clause in old.clauses if clause.id not in new.by_id and clause.rev in come}


def _told(clause: Clause, names: Mapping[str, str]) -> Clause:
    """An old clause with its links by their new names."""
    if names.keys().isdisjoint(clause.links):
        return clause
    statement, why = clause.statement, clause.why
    for old, new in names.items():
        statement, why = (text.replace(f"{{{{{old}}}}}", f"{{{{{new}}}}}") for text in (statement, why))
    return replace(clause, statement=statement, why=why, rev=revision(statement))


def _missing(of: Clause | None, than: Clause | None) -> tuple[Scenario, ...]:
    have = {scenario.steps for scenario in than.scenarios} if than else set()
    return tuple(scenario for scenario in of.scenarios if scenario.steps not in have) if of else ()
