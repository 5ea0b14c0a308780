"""From pytest's reports to a unit: phases fold into a row, rows into one piece of evidence.

A setup, a call and a teardown are one row; the parameter rows of a function are one unit. The worst outcome
speaks for all, so a unit passes only where every phase of every row did.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tools.told import Told
from tools.units import Kind, Outcome, Proof, Unit, sadness

GRADES = ("confirmed", "exhaustive", "sampled")
UNDETERMINED = "theorem-timeout"


@dataclass(frozen=True, slots=True)
class Phase:
    """What one report of a row said."""

    when: str
    outcome: str
    expected_failure: bool
    detail: str
    seconds: float


def row(told: Told, phases: Iterable[Phase]) -> Unit:
    """One row of a unit, from its phases."""
    seen = list(phases)
    spoken = [unit for phase in seen if (unit := _of_phase(told, phase)) is not None]
    worst = min(spoken, key=sadness, default=_unit(told, "not-run", "unit-not-run"))
    return _judged(replace(worst, seconds=round(sum(phase.seconds for phase in seen), 3)))


def unit(rows: Sequence[Unit]) -> Unit:
    """One unit, from its rows: the worst of them, and how many there were."""
    clauses = tuple(sorted({id for row in rows for id in row.clauses}))
    seconds = round(sum(row.seconds for row in rows), 3)
    return replace(min(rows, key=sadness), clauses=clauses, rows=len(rows), seconds=seconds)


def unrun(told: Told) -> Unit:
    """A row that exists and was left out of the run."""
    return _unit(told, "not-run", "unit-deselected")


def unwritten(told: Told, step: str) -> Unit:
    """A scenario that cannot run yet, because a step of it has no definition."""
    return replace(_unit(told, "open", "scenario-open"), detail=step)


def _of_phase(told: Told, phase: Phase) -> Unit | None:
    """What one report says of the row; a setup or teardown that went well says nothing."""
    match phase.outcome, phase.when:
        case "failed", "setup":
            said = _unit(told, "error", "unit-setup-error")
        case "failed", "teardown":
            said = _unit(told, "error", "unit-teardown-error")
        case "failed", _:
            said = _unit(told, "failed", "unit-failed")
        case "skipped", _ if phase.expected_failure:
            said = _unit(told, "xfailed", "unit-xfail")
        case "skipped", _:
            said = _unit(told, "skipped", f"unit-skipped:{phase.detail or 'no reason'}")
        case "passed", "call" if phase.expected_failure:
            said = _unit(told, "xpassed", "unit-xpass")
        case "passed", "call":
            said = _unit(told, "passed", "")
        case _:
            return None
    return replace(said, detail=phase.detail)


def _judged(unit: Unit) -> Unit:
    """The row, once its proof has been looked at: a theorem needs the record that makes it one."""
    if unit.kind != "theorem" or unit.outcome == "error":
        return unit
    if unit.proof is not None and unit.proof.reason:
        outcome: Outcome = "undetermined" if unit.proof.reason == UNDETERMINED else "failed"
        return replace(unit, outcome=outcome, reason=unit.proof.reason)
    if unit.outcome != "passed":
        return unit
    code, detail = _wanting(unit.grade, unit.proof)
    return replace(unit, outcome="failed", reason=code, detail=detail) if code else unit


def _wanting(grade: str, proof: Proof | None) -> tuple[str, str]:
    """What a green theorem of this grade lacks: a reason code and a few words; empty where nothing."""
    if proof is None:
        return "theorem-unrecorded", ""
    if grade == "exhaustive" and not proof.cases:
        return "cases-uncounted", ""
    if grade == "confirmed" and not proof.mutants:
        return "mutants-unlisted", ""
    survivors = sorted(name for name, killed in proof.mutants.items() if not killed)
    return ("mutant-survived", ", ".join(survivors)) if survivors else ("", "")


def _unit(told: Told, outcome: Outcome, reason: str) -> Unit:
    kind: Kind = "theorem" if told.grade else "scenario" if told.scenario else "test"
    return Unit(
        id=told.unit,
        kind=kind,
        clauses=told.clauses,
        outcome=outcome,
        reason=reason,
        origin=told.origin,
        scenario=told.scenario,
        grade=told.grade,
        proof=told.proof,
    )
