"""The verdict on a clause, as a table."""

from typing import Any

import pytest

from tools.contract import Clause, Contract, Count, Scenario
from tools.snapshot import Line
from tools.state import State
from tools.units import Outcome, Unit
from tools.verdict import Reason, verdicts

ID = "run.retry.a"
ACCEPTED = {ID: Line(ID, "aaaaaaaa", "met")}


def clause(test: int = 1, theorem: int = 0, **changes: Any) -> Clause:
    facts = {
        "id": ID,
        "file": "spec/run/retry.md",
        "line": 9,
        "statement": "It waits.",
        "why": "",
        "rev": "aaaaaaaa",
        "asked": Count(test=test, theorem=theorem),
        "scenarios": (Scenario("s1", (), ("it rains",), ("it is wet",), 20),),
    }
    return Clause(**{**facts, **changes})


def unit(id: str, outcome: Outcome = "passed", **changes: Any) -> Unit:
    reason = "" if outcome == "passed" else f"unit-{outcome}"
    return Unit(**{"id": id, "kind": "test", "clauses": (ID,), "outcome": outcome, "reason": reason, **changes})


def theorem(id: str, grade: str, outcome: Outcome = "passed") -> Unit:
    return unit(id, outcome, kind="theorem", grade=grade)


def scenario(outcome: Outcome = "passed") -> Unit:
    return unit("s", outcome, kind="scenario", scenario="s1")


Row = tuple[str, Clause, list[Unit], State, list[str]]
SUITE = {"origin": "Suite::t"}
BROKEN_LINK = ("run.gone.a",)
TABLE: list[Row] = [
    ("its scenario passed", clause(), [scenario()], "met", []),
    ("a scenario is a test", clause(2), [scenario(), unit("t")], "met", []),
    ("a sampled theorem is a test", clause(2), [scenario(), theorem("p", "sampled")], "met", []),
    ("a confirmed theorem", clause(1, 1), [scenario(), theorem("p", "confirmed")], "met", []),
    ("an exhaustive walk", clause(1, 1), [scenario(), theorem("p", "exhaustive")], "met", []),
    ("enough without the skipped one", clause(), [scenario(), unit("t", "skipped")], "met", []),
    (
        "a sampled theorem is no theorem",
        clause(1, 1),
        [scenario(), theorem("p", "sampled")],
        "partial",
        ["too-few-theorems"],
    ),
    (
        "a theorem is no test",
        clause(2),
        [scenario(), theorem("p", "confirmed")],
        "partial",
        ["too-few-tests"],
    ),
    (
        "a suite under two adapters is one function",
        clause(3),
        [scenario(), unit("t1", **SUITE), unit("t2", **SUITE)],
        "partial",
        ["too-few-tests"],
    ),
    (
        "what was expected to fail is no evidence",
        clause(),
        [unit("t", "xfailed"), scenario("skipped")],
        "partial",
        ["unit-xfailed", "unit-skipped", "too-few-tests"],
    ),
    ("one scenario is open", clause(), [unit("t"), scenario("open")], "partial", ["unit-open"]),
    ("a scenario that nothing binds", clause(), [unit("t")], "partial", ["scenario-unseen"]),
    ("no run at all", clause(), [], "not-run", ["scenario-unseen", "too-few-tests"]),
    ("all of it skipped", clause(), [scenario("skipped")], "not-run", ["unit-skipped", "too-few-tests"]),
    ("nothing written yet", clause(), [scenario("open")], "open", ["unit-open", "too-few-tests"]),
    (
        "a proof out of budget",
        clause(1, 1),
        [scenario(), theorem("p", "confirmed", "undetermined")],
        "undetermined",
        ["unit-undetermined", "too-few-theorems"],
    ),
    ("reworded since", clause(rev="bbbbbbbb"), [scenario()], "stale", ["rev-mismatch"]),
    (
        "failing outweighs reworded",
        clause(rev="bbbbbbbb"),
        [scenario("failed"), unit("t", "error")],
        "failed",
        ["unit-failed", "unit-error", "rev-mismatch", "too-few-tests"],
    ),
    (
        "a link to nowhere outweighs all",
        clause(links=BROKEN_LINK),
        [scenario("failed")],
        "invalid",
        ["link-dangling", "unit-failed", "too-few-tests"],
    ),
    ("no scenario on the page", clause(scenarios=()), [unit("t")], "invalid", ["scenario-missing"]),
    ("asks for nothing", clause(0), [scenario()], "invalid", ["evidence-unasked"]),
]


@pytest.mark.parametrize(("stated", "units", "state", "codes"), [pytest.param(*row, id=name) for name, *row in TABLE])
def test_a_clause_has_the_worst_verdict_that_holds(
    stated: Clause, units: list[Unit], state: State, codes: list[str]
) -> None:
    [found] = verdicts(Contract((stated,)), units, ACCEPTED)

    assert (found.state, [reason.code for reason in found.reasons]) == (state, codes)


def test_a_new_clause_is_open_until_it_has_evidence() -> None:
    [found] = verdicts(Contract((clause(),)), [scenario("open")], {})

    assert found.state == "open"


def test_the_evidence_of_a_new_clause_is_stale_until_its_words_are_accepted() -> None:
    [found] = verdicts(Contract((clause(),)), [scenario()], {})

    assert found.reasons == (Reason("rev-new", detail="aaaaaaaa was never accepted"),)
    assert (found.state, found.passed) == ("stale", Count(test=1, theorem=0))


def test_the_same_id_twice_is_invalid() -> None:
    found = verdicts(Contract((clause(), clause(line=10))), [scenario()], ACCEPTED)

    assert [verdict.state for verdict in found] == ["invalid", "met"]
