"""What to do next about a clause that is not met."""

from codegen import naming
from tools.verdict import Reason, Verdict


def next_step(verdict: Verdict) -> str:
    """One sentence, with the command to run; empty where the clause is met."""
    clause = verdict.clause
    if verdict.met:
        return ""
    first = verdict.reasons[0]
    match verdict.state:
        case "invalid":
            return f"mend {clause.file}:{clause.line}, then run `python -m codegen`"
        case "stale" if first.code == "rev-new":
            return f"`tools/spec accept {clause.id}`, or `tools/coverage --accept` of a whole run"
        case "stale":
            return f"hold its tests against the new words, then `tools/spec accept {clause.id}`"
        case "failed" | "undetermined":
            return f"`pytest '{first.unit}'`"
        case _:
            return _fill(verdict, first)


def _fill(verdict: Verdict, first: Reason) -> str:
    """How to come by the evidence that is wanting."""
    match first.code:
        case "scenario-open":
            return f"write the step `{first.detail}` under tests/steps/, then `pytest '{first.unit}'`"
        case "too-few-tests":
            return f'write a test marked `@pytest.mark.clause("{verdict.clause.id}")`'
        case "too-few-theorems":
            return f'write a proof marked `@pytest.mark.clause("{verdict.clause.id}")` under proofs/'
        case "scenario-unseen":
            return f"`pytest generated/tests/test_{naming.module(verdict.clause.operation)}.py`"
        case _:
            return f"`pytest '{first.unit}'`"
