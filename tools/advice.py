"""What to do next about a clause that is not met."""

from collections.abc import Sequence

from tools.verdict import Reason, Verdict

PYTEST = ".venv/bin/pytest"


def next_step(verdict: Verdict, waiting: Sequence[str] = ()) -> str:
    """One sentence, with the command to run; empty where it is met. `waiting` are marks that no run has seen."""
    clause = verdict.clause
    if verdict.met:
        return ""
    first = verdict.reasons[0]
    match verdict.state:
        case "invalid":
            return f"mend {clause.file}:{clause.line}, then run `tools/spec generate`"
        case "stale" if first.code == "rev-new":
            return f"`tools/spec accept {clause.id}`, or `tools/coverage --accept` of a whole run"
        case "stale":
            return f"hold its tests against the new words, then `tools/spec accept {clause.id}`"
        case "failed" | "undetermined":
            return f"`{PYTEST} {first.unit}`"
        case _:
            return _fill(verdict, first, waiting)


def _fill(verdict: Verdict, first: Reason, waiting: Sequence[str]) -> str:
    """How to come by the evidence that is wanting."""
    there = [place for place in waiting if place.startswith("proofs/") or first.code == "too-few-tests"]
    match first.code:
        case "too-few-tests" | "too-few-theorems" if there:
            return f"`{PYTEST} {there[0].partition(':')[0]}`, for {there[0]} is marked with it and was not run"
        case "scenario-open":
            return f'write the step "{first.detail}" under tests/steps/, then `{PYTEST} {first.unit}`'
        case "too-few-tests":
            return f'write a test marked `@pytest.mark.clause("{verdict.clause.id}")`'
        case "too-few-theorems":
            return f'write a proof marked `@pytest.mark.clause("{verdict.clause.id}")` under proofs/'
        case "scenario-unseen":
            from codegen import naming  # heavy, and seldom asked

            return f"`{PYTEST} generated/tests/test_{naming.module(verdict.clause.operation)}.py`"
        case _:
            return f"`{PYTEST} {first.unit}`"
