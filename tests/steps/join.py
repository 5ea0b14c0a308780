"""Steps of run.journal.fan-out-join."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from functools import partial

from pytest_bdd import given, parsers, then, when

import contextful
from tests.steps.stage import SCOPE, Stage, fails, returns

BRANCHES = ("left", "right")


@given(parsers.re(r"a join of branches `left, right` with `allow_partial` as `(?P<allowed>true|false)`"))
def join_of_branches(stage: Stage, allowed: str) -> None:
    stage.allow_partial = allowed == "true"


@when(parsers.parse("branch `{label}` fails `{tag}`"))
def branch_fails(stage: Stage, label: str, tag: str) -> None:
    stage.effect(label).script = [fails(tag)]


@when(parsers.parse("branch `{label}` returns"))
def branch_returns(stage: Stage, label: str) -> None:
    """The last word on the branches: now they run."""
    stage.effect(label).script = [returns("ok")]
    stage.begin()
    with suppress(contextful.StepFailed), stage.engine().execution(SCOPE, "plan", run_id=stage.run_id) as run:
        branches = {name: partial(stage.perform, run, name) for name in BRANCHES}
        stage.outcome = run.gather("both", branches, allow_partial=stage.allow_partial)
    assert [stage.effect(name).count() for name in BRANCHES] == [1, 1]


@then(parsers.parse("the run record keeps the failed branch `{branch}`"))
def keeps_failed_branch(stage: Stage, branch: str) -> None:
    assert [asdict(failed) for failed in stage.run().failed_branches] == [json.loads(branch)]
    assert stage.outcome == {"right": "ok"}
