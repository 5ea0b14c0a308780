"""Theorems by CrossHair: a small function whose post-conditions are the claim.

    fact -- every post confirmed, its cover twin and its mutants refuted --> confirmed
      +---- out of budget ------------------------------------------------> undetermined
      +---- otherwise ----------------------------------------------------> failed

A post-condition is confirmed once CrossHair has been down every path of the fact, on symbolic arguments. It says so
by a state, which is read here for each post: messages and exit codes tell less.
"""

from __future__ import annotations

import inspect
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from platform import python_version

import pytest
from crosshair.core import ConditionCheckable
from crosshair.core_and_libs import MessageType, analyze_function, run_checkables
from crosshair.options import AnalysisKind, AnalysisOptionSet

from proofs.mutants import gone, planted
from tools.units import Proof

BUDGET_S = 60.0  # of processor time, so that a busy machine changes no verdict
VERSIONS = {"python": python_version()} | {name: version(name) for name in ("crosshair-tool", "z3-solver")}
REFUTED = {MessageType.POST_FAIL, MessageType.POST_ERR, MessageType.EXEC_ERR}
REASONS = {
    MessageType.PRE_UNSAT: "theorem-pre-unsat",
    MessageType.CANNOT_CONFIRM: "theorem-timeout",
    MessageType.CONFIRMED: "",
}
WORST_FIRST = ["theorem-refuted", *REASONS.values()]
CONDITION = re.compile(r"^\s*(pre|post): (.+)$", re.MULTILINE)

Fact = Callable[..., object]
Mutants = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Finding:
    """What CrossHair says of one post-condition."""

    post: str
    state: MessageType
    message: str

    def __str__(self) -> str:
        return f"{self.post!r} is {self.state.name}: {self.message}"


def theorem(
    *clauses: str, of: Callable[..., object], mutants: Mutants, leaves_open: str = ""
) -> Callable[[Fact], Callable[..., None]]:
    """The test of a fact about the function `of`, as evidence for the clauses.

    Each mutant is a text of the function's module, and what is written in its place: the fact may survive none.
    """

    def test_of(fact: Fact) -> Callable[..., None]:
        def test(record_proof: Callable[..., None]) -> None:
            proof, found = confirm(fact, of, mutants)
            record_proof(**asdict(replace(proof, leaves_open=leaves_open)))
            survivors = [mutant for mutant, killed in proof.mutants.items() if not killed]
            assert not proof.reason, f"{proof.reason}: {'; '.join(map(str, found))}"
            assert not survivors, f"the fact survives {survivors}"

        test.__doc__ = fact.__doc__
        marked: Callable[..., None] = pytest.mark.theorem("confirmed")(pytest.mark.clause(*clauses)(test))
        return marked

    return test_of


def confirm(fact: Fact, of: Callable[..., object], mutants: Mutants) -> tuple[Proof, Sequence[Finding]]:
    """The record of a fact, with a reason where it is no theorem, and what was found of each post-condition."""
    started = time.process_time()
    found = tuple(findings(fact))
    reason, killed = verdict(found), {}
    if not reason:
        reason = "" if _refuted(findings(fact, cover=True)) else "cover-unreached"
        with gone(of):
            killed[f"no {of.__name__}"] = _refuted(findings(fact))
        for was, becomes in mutants:
            with planted(sys.modules[of.__module__], was, becomes):
                killed[f"{was} → {becomes}"] = _refuted(findings(fact))
    proof = Proof(
        claim=claim(fact),
        domain=domain(fact),
        budget=f"{BUDGET_S:.0f} s of processor time a post-condition",
        versions=VERSIONS,
        seconds=round(time.process_time() - started, 3),
        mutants=killed,
        reason=reason,
    )
    return proof, found


def findings(fact: Fact, *, cover: bool = False, budget_s: float = BUDGET_S) -> Iterator[Finding]:
    """A finding a post-condition. The cover twin claims `False`: to refute that, the preconditions must be met."""
    options = AnalysisOptionSet([AnalysisKind.PEP316], per_condition_timeout=budget_s, report_all=True)
    for checkable in analyze_function(fact, options):
        assert isinstance(checkable, ConditionCheckable), f"{fact.__name__} has conditions that do not compile"
        post = checkable.conditions.post[0]
        if cover:
            never = replace(post, evaluate=lambda _: False)
            checkable = replace(checkable, conditions=replace(checkable.conditions, post=[never]))
        for said in run_checkables([checkable]):
            yield Finding(post.expr_source, said.state, said.message)


def verdict(found: Sequence[Finding]) -> str:
    """Why this is no theorem; nothing where every post-condition is confirmed."""
    reasons = [REASONS.get(finding.state, "theorem-refuted") for finding in found]
    return min(reasons, key=WORST_FIRST.index, default="theorem-refuted")


def claim(fact: Fact) -> str:
    """What the fact says, in words: its docstring, up to the first condition."""
    return " ".join(CONDITION.split(fact.__doc__ or "")[0].split())


def domain(fact: Fact) -> str:
    """What the claim ranges over: the arguments by type, under the preconditions."""
    arguments = str(inspect.signature(fact)).partition(" -> ")[0].replace("'", "")
    under = [text for kind, text in CONDITION.findall(fact.__doc__ or "") if kind == "pre"]
    return f"{arguments} where {' and '.join(under)}" if under else arguments


def _refuted(found: Iterator[Finding]) -> bool:
    return any(finding.state in REFUTED for finding in found)
