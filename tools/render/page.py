"""The report as one page that needs nothing but itself: searchable, for a phone as well as a desk."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from html import escape
from pathlib import Path
from string import Template

from tools.advice import next_step
from tools.contract import Clause
from tools.render.text import age, counted, record, runs, short, total
from tools.report import Report
from tools.state import STATES
from tools.units import Proof, Unit
from tools.verdict import Reason, Verdict

TEMPLATE = Path(__file__).with_name("page.html")
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\{\{([a-z0-9.-]+)\}\}")
SHORT = r"\1"


def coverage(report: Report, *, now: datetime) -> str:
    """The whole page."""
    template = Template(TEMPLATE.read_text(encoding="utf-8"))
    return template.substitute(
        headline=escape(total(report).partition(":")[0]),
        run=escape(runs(report, now)),
        bar=_bar(report.totals),
        filters="\n".join(_filters(report)),
        operations="\n".join(_operation(name, report, now) for name in report.operations),
    )


def _bar(counts: Mapping[str, int]) -> str:
    """A stripe a state, the best first, each as long as its share."""
    stripes = ((state, counts.get(state, 0)) for state in reversed(STATES))
    return "".join(
        f'<i style="--hue: var(--{state}); flex: {count}" title="{count} {state}"></i>'
        for state, count in stripes
        if count
    )


def _filters(report: Report) -> Iterator[str]:
    for state, count in report.totals.items():
        box = f'<input type="checkbox" value="{state}" checked>'
        yield f"<label>{box} {_state(state)} {count}</label>"


def _operation(name: str, report: Report, now: datetime) -> str:
    verdicts = report.operations[name]
    counts: Counter[str] = Counter(verdict.state for verdict in verdicts)
    rows = "\n".join(_clause(verdict, report, now) for verdict in verdicts)
    bar = f'<span class="bar">{_bar(counts)}</span>'
    met = f'<span class="faint">{counts["met"]} of {len(verdicts)} met</span>'
    return f'<details class="operation"><summary><h2>{escape(name)}</h2>{bar}{met}</summary>\n{rows}\n</details>'


def _clause(verdict: Verdict, report: Report, now: datetime) -> str:
    clause = verdict.clause
    first = next(iter(verdict.reasons), None)
    remark = f'<span class="remark">{_code(f"{first.code} {first.detail}")}</span>' if first else ""
    says = f'<span class="remark says">{_code(LINK.sub(SHORT, clause.statement))}</span>'
    summary = f"<summary>{_state(verdict.state)}<code>{clause.id}</code>{says}{remark}</summary>"
    body = "\n".join(_body(verdict, report, now))
    attributes = f'class="clause" id="{clause.id}" data-state="{verdict.state}"'
    return f"<details {attributes}>{summary}<div>\n{body}\n</div></details>"


def _body(verdict: Verdict, report: Report, now: datetime) -> Iterator[str]:
    clause = verdict.clause
    yield f"<p>{_prose(clause.statement, clause)}</p>"
    if clause.why:
        yield f"<p><em>{_prose(clause.why, clause)}</em></p>"
    asked = f"{counted(verdict.passed, clause.asked)} · rev {clause.rev}"
    yield f'<p class="faint"><code>{escape(clause.file)}:{clause.line}</code> · {asked}</p>'
    yield from _list("not met because", map(_reason, verdict.reasons))
    yield from _list("next", (_prose(step, clause) for step in [next_step(verdict)] if step))
    for scenario in clause.scenarios:
        yield from _list(f"scenario {scenario.name}", (f"{word} {_code(step)}" for word, step in scenario.steps))
    decided = (f"{cite.file}:{cite.line} {cite.code}" for cite in report.decided(clause.id))
    yield from _list("decided", (f"<code>{escape(line)}</code>" for line in decided))
    tests = [unit for unit in verdict.units if unit.kind != "theorem"]
    proofs = [unit for unit in verdict.units if unit.kind == "theorem"]
    yield from _list("tests", (_unit(unit, now) for unit in tests))
    yield from _list("proofs", (_unit(unit, now) + _proof(unit.proof) for unit in proofs))
    ran = (f"{file} {ranges}" for file, ranges in report.lines_run(verdict).items())
    yield from _list("lines run", (f"<code>{escape(line)}</code>" for line in ran))


def _reason(reason: Reason) -> str:
    unit = f"<code>{escape(reason.unit)}</code>" if reason.unit else ""
    return " ".join(part for part in (reason.code, unit, _code(short(reason.detail))) if part)


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

    return LINK.sub(link, _code(text))


def _code(text: str) -> str:
    """Escaped text with code spans."""
    return CODE.sub(r"<code>\1</code>", escape(text))
