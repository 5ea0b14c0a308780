"""The report as one page that needs nothing but itself: searchable, for a phone as well as a desk."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from html import escape
from pathlib import Path
from string import Template

from tools.advice import next_step
from tools.contract import Clause
from tools.render.text import age, because, counted, record, runs, total
from tools.report import Report
from tools.units import Proof, Unit
from tools.verdict import Verdict

TEMPLATE = Path(__file__).with_name("page.html")
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\{\{([a-z0-9.-]+)\}\}")


def coverage(report: Report, *, now: datetime) -> str:
    """The whole page."""
    template = Template(TEMPLATE.read_text(encoding="utf-8"))
    return template.substitute(
        headline=escape(total(report).partition(":")[0]),
        run=escape(runs(report, now)),
        bar="".join(_bar(report)),
        filters="\n".join(_filters(report)),
        operations="\n".join(_operation(name, report, now) for name in report.operations),
    )


def _bar(report: Report) -> Iterator[str]:
    for state, count in reversed(list(report.totals.items())):
        yield f'<i style="--hue: var(--{state}); flex: {count}" title="{count} {state}"></i>'


def _filters(report: Report) -> Iterator[str]:
    for state, count in report.totals.items():
        box = f'<input type="checkbox" value="{state}" checked>'
        yield f"<label>{box} {_state(state)} {count}</label>"


def _operation(name: str, report: Report, now: datetime) -> str:
    verdicts = report.operations[name]
    met = sum(verdict.met for verdict in verdicts)
    rows = "\n".join(_clause(verdict, report, now) for verdict in verdicts)
    heading = f"<h2>{escape(name)} <span>{met} of {len(verdicts)} met</span></h2>"
    return f"<section>\n{heading}\n{rows}\n</section>"


def _clause(verdict: Verdict, report: Report, now: datetime) -> str:
    clause = verdict.clause
    first = next(iter(verdict.reasons), None)
    remark = f'<span class="remark">{escape(f"{first.code} {first.detail}")}</span>' if first else ""
    says = f'<span class="remark says">{_prose(clause.statement, clause)}</span>'
    summary = f"<summary>{_state(verdict.state)}<code>{clause.id}</code>{says}{remark}</summary>"
    body = "\n".join(_body(verdict, report, now))
    return f'<details id="{clause.id}" data-state="{verdict.state}">{summary}<div>\n{body}\n</div></details>'


def _body(verdict: Verdict, report: Report, now: datetime) -> Iterator[str]:
    clause = verdict.clause
    yield f"<p>{_prose(clause.statement, clause)}</p>"
    if clause.why:
        yield f"<p><em>{_prose(clause.why, clause)}</em></p>"
    asked = f"{counted(verdict.passed, clause.asked)} · rev {clause.rev}"
    yield f'<p class="faint"><code>{escape(clause.file)}:{clause.line}</code> · {asked}</p>'
    yield from _list("not met because", (escape(because(reason)) for reason in verdict.reasons))
    yield from _list("next", (_prose(step, clause) for step in [next_step(verdict)] if step))
    for scenario in clause.scenarios:
        yield from _list(f"scenario {scenario.name}", (f"{word} {escape(step)}" for word, step in scenario.steps))
    decided = (f"{cite.file}:{cite.line} {cite.code}" for cite in report.decided(clause.id))
    yield from _list("decided", (f"<code>{escape(line)}</code>" for line in decided))
    tests = [unit for unit in verdict.units if unit.kind != "theorem"]
    proofs = [unit for unit in verdict.units if unit.kind == "theorem"]
    yield from _list("tests", (_unit(unit, now) for unit in tests))
    yield from _list("proofs", (_unit(unit, now) + _proof(unit.proof) for unit in proofs))
    ran = (f"{file} {ranges}" for file, ranges in report.lines_run(verdict).items())
    yield from _list("lines run", (f"<code>{escape(line)}</code>" for line in ran))


def _list(title: str, rows: Iterable[str]) -> Iterator[str]:
    items = "".join(f"<li>{row}</li>" for row in rows)
    if items:
        yield f"<h3>{escape(title)}</h3><ul>{items}</ul>"


def _unit(unit: Unit, now: datetime) -> str:
    rows = f", {unit.rows} rows" if unit.rows > 1 else ""
    return f"<code>{escape(unit.id)}</code> {unit.outcome}{rows}, {age(unit.at, now)}"


def _proof(proof: Proof | None) -> str:
    return f"<br>{escape(record(proof))}" if proof else ""


def _state(state: str) -> str:
    return f'<span class="state" style="--hue: var(--{state})">{state}</span>'


def _prose(text: str, clause: Clause) -> str:
    """Escaped text, with code spans, and links to the clauses it names."""

    def link(found: re.Match[str]) -> str:
        name = found[1]
        ends = (id for id in clause.links if id == name or id.endswith(f".{name}"))
        return f'<a href="#{next(ends, name)}">{name}</a>'

    return LINK.sub(link, CODE.sub(r"<code>\1</code>", escape(text)))
