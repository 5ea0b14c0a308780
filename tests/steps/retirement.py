"""Steps of run.own about operator retirement."""

from __future__ import annotations

from pytest_bdd import parsers, then, when

import contextful
from contextful.kernel.shape import to_json
from contextful.run.shown import run_row
from tests.steps.stage import Stage


@when("the operator rewinds its execution")
def rewinds(stage: Stage) -> None:
    _rewind(stage, reason="tidy up")


@when(parsers.parse("the operator rewinds its execution with reason `{reason}`"))
def rewinds_with_reason(stage: Stage, reason: str) -> None:
    _rewind(stage, reason=reason)


@when("the operator rewinds its execution with `--force`")
def rewinds_by_force(stage: Stage) -> None:
    _rewind(stage, reason="tidy up", force=True)


@then(parsers.parse("scope `{scope}` has {count:d} rows of status `{status}`"))
def has_rows_of_status(stage: Stage, scope: str, count: int, status: str) -> None:
    rows = [run for run in stage.onlooker().history() if run.host_scope == scope and run.status == status]
    assert len(rows) == count
    stage.shown = to_json(run_row(rows[0]))


@then("its `blocker` names it")
def blocker_names_it(stage: Stage) -> None:
    assert str(stage.named["it"]) in str(vars(stage.shown)["blocker"])


def _rewind(stage: Stage, *, reason: str, force: bool = False) -> None:
    owner, run = stage.owner(), stage.onlooker().run(stage.run_id)
    execution_id = owner.execution_id if owner is not None else "" if run is None else run.execution_id
    stage.error = None
    try:
        stage.onlooker().rewind(execution_id, reason=reason, force=force)
    except contextful.ContextfulError as refusal:
        stage.error = refusal
