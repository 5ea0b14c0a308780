"""The report as lines for a terminal: what is not met stands first, the total last."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tools.contract import Count
from tools.report import Report
from tools.units import Proof, Session
from tools.verdict import Reason, Verdict

if TYPE_CHECKING:
    from tools.floor import Fall

SHORT_CHARS = 100
FALLEN_MAX = 20


def coverage(report: Report, *, now: datetime) -> str:
    """Every operation, every clause, the total."""
    return "\n".join([*_body(report), *_foot(report, now)]) + "\n"


def brief(report: Report, *, now: datetime) -> str:
    """A line an operation, what fell since the snapshot and how much else changed, the total."""
    return "\n".join([*_operations(report), "", *_since(report), *_foot(report, now)]) + "\n"


def fell(fall: "Fall") -> str:
    """A clause that is no longer met, and why."""
    if fall.verdict is None:
        return f"{fall.was.id}  was met; no page states it any more"
    return f"{fall.was.id}  was met, is {fall.verdict.state}: {because(fall.verdict.reasons[0])}"


def total(report: Report) -> str:
    """`3 of 5 clauses met (60%): 1 failed, 1 open`; without a run there is nothing to count."""
    if report.whole_run is None and report.partial_run is None:
        return f"{len(report.verdicts)} clauses"
    every = len(report.verdicts)
    others = ", ".join(f"{count} {state}" for state, count in report.totals.items() if state != "met")
    share = f" ({100 * report.met // every}%)" if every else ""
    return f"{report.met} of {every} clauses met{share}" + (f": {others}" if others else "")


def because(reason: Reason) -> str:
    """A reason in a line: its code, the unit, a few words."""
    return "  ".join(part for part in (reason.code, reason.unit, short(reason.detail)) if part)


def counted(passed: Count, asked: Count) -> str:
    """`2 tests (1 asked), 0 theorems (1 asked)`."""
    pairs = (("test", passed.test, asked.test), ("theorem", passed.theorem, asked.theorem))
    return ", ".join(f"{some(have, noun)} ({want} asked)" for noun, have, want in pairs if want or have)


def some(count: int, noun: str) -> str:
    """`1 test`, `2 tests`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def runs(report: Report, now: datetime) -> str:
    """Which runs this shows: of which sources, how long ago, and what narrowed the last one."""
    told = []
    if report.partial_run is not None:
        told.append(f"a partial run ({report.partial_run.partial}) {_run(report.partial_run, now)}")
    if report.whole_run is not None:
        told.append(f"a whole run {_run(report.whole_run, now)}")
    return " over ".join(told) or "no run has left evidence: run `make test`"


def record(proof: Proof) -> str:
    """What a theorem claims, over what, how hard it was tried, what it leaves open."""
    killed = f"{sum(proof.mutants.values())} of {len(proof.mutants)} mutants killed" if proof.mutants else ""
    parts = (
        f"{proof.claim.removesuffix('.')}, over {proof.domain}",
        f"{proof.cases} cases" if proof.cases else "",
        f"budget {proof.budget}" if proof.budget else "",
        killed,
        f"leaves open {proof.leaves_open}" if proof.leaves_open else "",
    )
    return "; ".join(part for part in parts if part)


def age(at: str, now: datetime) -> str:
    """`4 min ago`."""
    seconds = max(0, int((now - datetime.fromisoformat(at)).total_seconds())) if at else 0
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return "just now"


def now() -> datetime:
    """The instant that ages are counted from."""
    return datetime.now(UTC)


def short(text: str) -> str:
    """The text, cut where a line would grow too long."""
    return text if len(text) <= SHORT_CHARS else text[: SHORT_CHARS - 1] + "…"


def _run(session: Session, now: datetime) -> str:
    changed = " with changes" if session.dirty else ""
    return f"of {session.commit[:10] or 'no commit'}{changed}, {age(session.at, now)}"


def _body(report: Report) -> Iterator[str]:
    width = max((len(verdict.clause.id) for verdict in report.verdicts), default=0)
    for operation, verdicts in report.operations.items():
        met = sum(verdict.met for verdict in verdicts)
        yield f"{operation}  {met} of {len(verdicts)} met"
        for verdict in verdicts:
            yield f"  {verdict.state:<12} {verdict.clause.id:<{width}}  {_remark(verdict)}".rstrip()
        yield ""


def _operations(report: Report) -> Iterator[str]:
    width = max(map(len, report.operations), default=0)
    for operation, verdicts in report.operations.items():
        counted = Counter(verdict.state for verdict in verdicts)
        others = ", ".join(f"{count} {state}" for state, count in counted.items() if state != "met")
        yield f"{operation:<{width}}  {counted['met']:>3} of {len(verdicts):>3} met  {others}".rstrip()


def _since(report: Report) -> Iterator[str]:
    from tools import floor  # not for whoever asks about a clause

    if report.whole_run is None:
        yield "since the snapshot: nobody knows, for there has been no whole run: run `make test`"
        return
    since = floor.since(report.verdicts, report.accepted)
    counts = {
        "fell": len(since.fell),
        "rose": since.rose,
        "changed": since.changed,
        "new": since.new,
        "gone": since.gone,
    }
    told = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    yield from map(fell, since.fell[:FALLEN_MAX])
    if len(since.fell) > FALLEN_MAX:
        yield f"and {len(since.fell) - FALLEN_MAX} more; `tools/coverage --floor` names them all"
    yield f"since the snapshot: {told or 'nothing changed'}"


def _remark(verdict: Verdict) -> str:
    if verdict.met:
        return counted(verdict.passed, verdict.clause.asked)
    first, *others = verdict.reasons
    return because(first) + (f"  (and {len(others)} more)" if others else "")


def _foot(report: Report, now: datetime) -> Iterator[str]:
    yield f"{total(report)} · {runs(report, now)}"
