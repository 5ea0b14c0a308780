"""The report and a trace as JSON documents. Shape: `tools/coverage.schema.json`."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from tools.advice import next_step
from tools.cites import Cite
from tools.contract import Scenario
from tools.lines import Ranges
from tools.lookup import Trace
from tools.report import Report
from tools.state import STATES
from tools.units import Unit, to_row
from tools.verdict import Verdict

VERSION = 1


def coverage(report: Report) -> dict[str, Any]:
    """The whole report."""
    return {
        "version": VERSION,
        "whole_run": to_row(report.whole_run) if report.whole_run else None,
        "partial_run": to_row(report.partial_run) if report.partial_run else None,
        "totals": {
            "clauses": len(report.verdicts),
            **{state: report.totals.get(state, 0) for state in STATES},
        },
        "operations": [
            {"id": name, "met": sum(verdict.met for verdict in group), "clauses": len(group)}
            for name, group in report.operations.items()
        ],
        "clauses": [
            clause(verdict, report.decided(verdict.clause.id), report.lines_run(verdict)) for verdict in report.verdicts
        ],
        "strays": [asdict(stray) for stray in report.strays],
    }


def clause(verdict: Verdict, decided: Iterable[Cite], ran: Mapping[str, Ranges]) -> dict[str, Any]:
    """One clause: what it asks, what it has, what is wanting."""
    stated = verdict.clause
    return {
        "id": stated.id,
        "operation": stated.operation,
        "file": stated.file,
        "line": stated.line,
        "statement": stated.statement,
        "rev": stated.rev,
        "verdict": verdict.state,
        "reasons": [asdict(reason) for reason in verdict.reasons],
        "next": next_step(verdict),
        "asked": asdict(stated.asked),
        "passed": asdict(verdict.passed),
        "decided": [{"file": cite.file, "line": cite.line, "code": cite.code} for cite in decided],
        "scenarios": [_scenario(scenario, verdict) for scenario in stated.scenarios],
        "units": [_unit(unit) for unit in verdict.units],
        "ran": dict(ran),
    }


def trace(trace: Trace) -> dict[str, Any]:
    """All that is known of one clause."""
    return {
        **clause(trace.verdict, trace.decided, trace.ran),
        "next": next_step(trace.verdict, trace.waiting),
        "why": trace.verdict.clause.why,
        "links": [other.clause.id for other in trace.outgoing],
        "linked_from": [other.clause.id for other in trace.incoming],
    }


def _scenario(scenario: Scenario, verdict: Verdict) -> dict[str, Any]:
    outcomes = [unit.outcome for unit in verdict.units if unit.scenario == scenario.name]
    return {
        "name": scenario.name,
        "line": scenario.line,
        "given": list(scenario.given),
        "when": list(scenario.when),
        "then": list(scenario.then),
        "outcome": next(iter(outcomes), "unseen"),
    }


def _unit(unit: Unit) -> dict[str, Any]:
    row = to_row(unit)
    return {key: row[key] for key in row if key not in ("clauses", "reason")} | {"reason": unit.reason}
