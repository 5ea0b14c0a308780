"""The verdict on a clause: one function, used by every surface.

    invalid > failed > stale > undetermined > partial > not-run > open > met

The first that holds is the verdict; the reasons name everything that holds, in that order. A reason's code
stays the same from release to release.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tools.contract import Clause, Contract, Count
from tools.snapshot import Line, Snapshot
from tools.state import STATES, State
from tools.units import BROKEN, Unit


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a clause is not met: a stable code, the unit it is about, a few words."""

    code: str
    unit: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of one clause."""

    clause: Clause
    state: State
    reasons: tuple[Reason, ...]
    passed: Count
    units: tuple[Unit, ...]

    @property
    def met(self) -> bool:
        """Whether the clause has all the evidence it asks for."""
        return self.state == "met"


def verdicts(contract: Contract, units: Iterable[Unit], snapshot: Snapshot) -> tuple[Verdict, ...]:
    """The verdict on every clause, in the order of the pages."""
    cited = citing(units)
    return tuple(
        verdict(clause, contract, cited.get(clause.id, ()), snapshot.get(clause.id)) for clause in contract.clauses
    )


def citing(units: Iterable[Unit]) -> Mapping[str, tuple[Unit, ...]]:
    """The units that cite each id."""
    cited: dict[str, list[Unit]] = {}
    for unit in units:
        for id in unit.clauses:
            cited.setdefault(id, []).append(unit)
    return {id: tuple(found) for id, found in cited.items()}


def verdict(clause: Clause, contract: Contract, units: tuple[Unit, ...], accepted: Line | None) -> Verdict:
    """The verdict on one clause, from the units that cite it and the line that was accepted for it."""
    passed = count(units)
    found: dict[State, tuple[Reason, ...]] = {
        "invalid": tuple(_page_faults(clause, contract)),
        "failed": tuple(_about(units, *BROKEN)),
        "undetermined": tuple(_about(units, "undetermined")),
        **_shortage(clause, units, passed),
    }
    found["stale"] = tuple(_staleness(clause, accepted, complete=not any(found.values())))
    state: State = next((state for state in STATES if found.get(state)), "met")
    reasons = tuple(reason for state in STATES for reason in found.get(state, ()))
    return Verdict(clause, state, reasons, passed, units)


def count(units: Iterable[Unit]) -> Count:
    """The distinct passing tests and theorems; a suite that many adapters run is one function."""
    passing = [unit for unit in units if unit.outcome == "passed"]
    theorems = {unit.origin or unit.id for unit in passing if _is_theorem(unit)}
    tests = {unit.origin or unit.id for unit in passing if not _is_theorem(unit)}
    return Count(test=len(tests), theorem=len(theorems))


def _is_theorem(unit: Unit) -> bool:
    """`sampled` is good testing, and no more than that."""
    return unit.kind == "theorem" and unit.grade in ("confirmed", "exhaustive")


def _page_faults(clause: Clause, contract: Contract) -> Iterator[Reason]:
    if contract.by_id[clause.id] is not clause:
        yield Reason("clause-twice", detail=clause.id)
    if not clause.scenarios:
        yield Reason("scenario-missing")
    if clause.asked == Count(test=0, theorem=0):
        yield Reason("evidence-unasked")
    for link in clause.links:
        if link not in contract.by_id:
            yield Reason("link-dangling", detail=link)


def _staleness(clause: Clause, accepted: Line | None, *, complete: bool) -> Iterator[Reason]:
    """Words that evidence was accepted for and that read otherwise now, or evidence for words nobody has accepted."""
    if accepted is not None and accepted.rev != clause.rev:
        yield Reason("rev-mismatch", detail=f"accepted {accepted.rev}, now {clause.rev}")
    elif accepted is None and complete:
        yield Reason("rev-new", detail=f"{clause.rev} was never accepted")


def _shortage(clause: Clause, units: tuple[Unit, ...], passed: Count) -> Mapping[State, tuple[Reason, ...]]:
    """What is wanting, under the state that says how much there is."""
    unwritten = tuple(_about(units, "open"))
    unseen = tuple(_unseen(clause, units))
    too_few = tuple(_too_few(clause.asked, passed))
    if not (unwritten or unseen or too_few):
        return {}
    idle = (*_about(units, "xfailed", "xpassed", "skipped", "not-run"), *unseen)
    ran = any(unit.outcome not in ("skipped", "not-run", "open") for unit in units)
    state: State = "partial" if ran else "not-run" if idle else "open"
    return {state: (*unwritten, *idle, *too_few)}


def _unseen(clause: Clause, units: Iterable[Unit]) -> Iterator[Reason]:
    """The scenarios on the page that no run has come across, bound or not."""
    seen = {unit.scenario for unit in units}
    for scenario in clause.scenarios:
        if scenario.name not in seen:
            yield Reason("scenario-unseen", detail=scenario.name)


def _too_few(asked: Count, passed: Count) -> Iterator[Reason]:
    if passed.test < asked.test:
        yield Reason("too-few-tests", detail=f"{passed.test} of {asked.test}")
    if passed.theorem < asked.theorem:
        yield Reason("too-few-theorems", detail=f"{passed.theorem} of {asked.theorem}")


def _about(units: Iterable[Unit], *outcomes: str) -> Iterator[Reason]:
    for unit in units:
        if unit.outcome in outcomes:
            yield Reason(unit.reason, unit.id, unit.detail)
