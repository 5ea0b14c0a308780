"""A trace as lines for a terminal."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from textwrap import wrap

from tools.advice import next_step
from tools.lookup import Trace
from tools.render.text import age, because, counted, record, short
from tools.units import Unit
from tools.verdict import Verdict

WIDTH = 100


def whole(trace: Trace, *, now: datetime) -> str:
    """Everything about one clause."""
    return "\n".join(_sections(trace, now)) + "\n"


def brief(verdicts: Sequence[Verdict]) -> str:
    """A line a clause."""
    width = max(len(verdict.clause.id) for verdict in verdicts)
    return "".join(
        f"{verdict.state:<12} {verdict.clause.id:<{width}}  {short(verdict.clause.statement)}\n" for verdict in verdicts
    )


def _sections(trace: Trace, now: datetime) -> Iterator[str]:
    verdict, clause = trace.verdict, trace.verdict.clause
    yield f"{clause.id}  {verdict.state}"
    yield from wrap(clause.statement, WIDTH)
    if clause.why:
        yield from wrap(clause.why, WIDTH, initial_indent="  ", subsequent_indent="  ")
    yield f"{clause.file}:{clause.line} · rev {clause.rev} · {counted(verdict.passed, clause.asked)}"
    yield from _section("not met because", [because(reason) for reason in verdict.reasons])
    yield from _section("next", [step] if (step := next_step(verdict, trace.waiting)) else [])
    for scenario in clause.scenarios:
        yield from _section(f"scenario {scenario.name}", [f"{keyword:<5} {step}" for keyword, step in scenario.steps])
    links = [("to", other) for other in trace.outgoing] + [("from", other) for other in trace.incoming]
    yield from _section("links", [f"{way:<4} {other.clause.id}  {other.state}" for way, other in links])
    yield from _section("decided", [f"{cite.file}:{cite.line}  {short(cite.code)}" for cite in trace.decided])
    for title, kinds in (("tests", ("scenario", "test")), ("proofs", ("theorem",))):
        yield from _section(title, [_unit(unit, now) for unit in verdict.units if unit.kind in kinds])
    yield from _section("lines run", [f"{file}  {short(ranges)}" for file, ranges in trace.ran.items()])


def _section(title: str, rows: Sequence[str]) -> Iterator[str]:
    if rows:
        yield f"\n{title}"
        yield from (f"  {row}" for row in rows)


def _unit(unit: Unit, now: datetime) -> str:
    rows = f"  {unit.rows} rows" if unit.rows > 1 else ""
    detail = f"  {short(unit.detail)}" if unit.detail else ""
    proof = f"\n{'':15}{unit.grade}: {record(unit.proof)}" if unit.proof else ""
    return f"{unit.outcome:<12} {unit.id}{rows}  {age(unit.at, now)}{detail}{proof}"
