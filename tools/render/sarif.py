"""The report as SARIF 2.1.0, for whatever shows findings beside a file: here, clauses that are not met."""

from typing import Any

from tools.render.github import LEVELS
from tools.render.text import because
from tools.report import Report
from tools.verdict import Verdict

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MEANINGS = {
    "invalid": "the page contradicts itself about this clause",
    "failed": "evidence for this clause failed",
    "stale": "the wording is not the one that was accepted",
    "undetermined": "a proof ran out of budget",
    "partial": "there is less evidence than the clause asks for",
    "not-run": "there is evidence, and it did not run",
    "open": "there is no evidence yet",
}


def coverage(report: Report) -> dict[str, Any]:
    """One run, a result a clause that is not met."""
    rules = [{"id": state, "shortDescription": {"text": means}} for state, means in MEANINGS.items()]
    driver = {"name": "contextful coverage", "rules": rules}
    results = [_result(verdict) for verdict in report.verdicts if not verdict.met]
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _result(verdict: Verdict) -> dict[str, Any]:
    clause = verdict.clause
    level = LEVELS[verdict.state]
    reasons = "; ".join(because(reason) for reason in verdict.reasons)
    place = {"artifactLocation": {"uri": clause.file}, "region": {"startLine": clause.line}}
    return {
        "ruleId": verdict.state,
        "level": "note" if level == "notice" else level,
        "message": {"text": f"{clause.id} is {verdict.state}: {reasons}"},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"clause": clause.id},
    }
