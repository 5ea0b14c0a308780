"""Steps of what a store-driven job has come to."""

from __future__ import annotations

import json
import tomllib

import pytest
from pytest_bdd import parsers, then, when

import contextful
from contextful.faces.cli.job import sentence
from contextful.kernel.failure import classify
from contextful.pipeline import declare
from contextful.ports.observer import StepRetrying
from contextful.run.journal import store_driven_input
from contextful.runner.bodies import Bodies
from contextful_contract.errors import PipelineSpecInvalid
from contextful_contract.shapes import FailureTag
from tests.steps.shift import CREDENTIAL, JOB, Shift
from tests.steps.stage import Stage

DECLARED = {
    "name": "score",
    "body": "score",
    "statement": "select 1",
    "max_in_flight": 1,
    "tables": ["scores"],
}


@when(parsers.re(r"a job with `(?P<line>[^`]+)` is validated"))
def job_is_validated(stage: Stage, line: str) -> None:
    apart = line if "{" in line else line.replace(", ", "\n")
    _validate(stage, DECLARED | tomllib.loads(apart))


@when("a job without `max_in_flight` is validated")
def job_without_is_validated(stage: Stage) -> None:
    _validate(stage, {key: value for key, value in DECLARED.items() if key != "max_in_flight"})


@then(parsers.parse("the statement has been read {count:d} times"))
def statement_has_been_read(shift: Shift, count: int) -> None:
    assert shift.reads.count == count


@then(parsers.parse("the body has completed {count:d} rows"))
def body_has_completed(shift: Shift, count: int) -> None:
    assert len(shift.completed) == count


@then(parsers.parse("the body has been entered {count:d} times"))
def body_has_been_entered(shift: Shift, count: int) -> None:
    assert len(shift.entered) == count


@then(parsers.parse("at most {count:d} rows were in the body at once"))
def at_most_in_the_body(shift: Shift, count: int) -> None:
    assert shift.inside_max == count, "as many as may be, and no more"


@then("the run closes after row 0 returns")
def run_closes_after(shift: Shift) -> None:
    assert shift.returned[-1] == 0
    assert shift.stage.run().status is contextful.RunStatus.FAILED


@then(parsers.parse("the entries of step `score` have {count:d} distinct `labels`"))
def entries_have_labels(shift: Shift, count: int) -> None:
    labels = {progress.label for progress in shift.stage.told if hasattr(progress, "label")}
    assert labels >= {store_driven_input.row_label(number, "score") for number in range(count)}
    assert len([label for label in labels if label.endswith("/score")]) == count


@then(parsers.parse("table `{table}` gets {count:d} runs"))
def table_gets_runs(shift: Shift, table: str, count: int) -> None:
    assert len(shift.runs(table)) == count


@then("the output lands")
def output_lands(shift: Shift) -> None:
    assert shift.landed("scores") == shift.reads.rows


@then(parsers.re(r"its owner pins each of `(?P<names>implementation[\w, ]*)`"))
def owner_pins_each_of(shift: Shift, names: str) -> None:
    assert set(names.split(", ")) <= set(shift.pins)


@then(parsers.parse("its owner pins {count:d} identities"))
def owner_pins_identities(shift: Shift, count: int) -> None:
    assert len(shift.pins) == count


@then(parsers.parse("the fires have {count:d} distinct `plan references`"))
def fires_have_plans(stage: Stage, count: int) -> None:
    plans = stage.seen["plan references"]
    assert len(plans) > 1
    assert len(set(plans)) == count


@then("the record of the first fire is unchanged")
def first_record_is_unchanged(shift: Shift) -> None:
    assert shift.before is not None
    assert shift.stage.onlooker().run("run-1") == shift.before


@then("no pin or diagnostic holds the credential")
def nothing_holds_the_credential(shift: Shift) -> None:
    said = [progress.message for progress in shift.stage.told if isinstance(progress, StepRetrying)]
    assert len(said) == shift.reads.rows, "each call has failed once, and its failure is told"
    assert CREDENTIAL not in "".join(said)
    assert CREDENTIAL not in json.dumps(shift.pins)
    assert CREDENTIAL not in str(shift.stage.onlooker().history())


@then("table `scores` reads 0 rows")
def table_reads_none(shift: Shift) -> None:
    assert shift.landed("scores") == 0
    assert not list(shift.store().manifests("score_scores"))


@then("the landing ends `Canceled`")
def landing_is_canceled(shift: Shift) -> None:
    (landing,) = shift.runs("scores")
    assert (landing.status, landing.error_kind) == (contextful.RunStatus.CANCELED, FailureTag.CANCELED)


@then(parsers.parse("runs `{run_ids}` are recorded under pipeline `score`"))
def runs_are_recorded(stage: Stage, run_ids: str) -> None:
    recorded = [run.run_id for run in stage.onlooker().history(pipeline=JOB)]
    assert sorted(recorded) == run_ids.split(", ")


@then("the fire fails")
def fire_fails(stage: Stage) -> None:
    assert isinstance(stage.error, Exception)
    assert classify(stage.error).tag is FailureTag.PERMANENT


@then("job `score` keeps its owner")
def job_keeps_its_owner(stage: Stage) -> None:
    assert stage.owner(store_driven_input.scope(JOB)) is not None


@then(parsers.parse("each of its calls was sent {count:d} times"))
def each_call_was_sent(stage: Stage, count: int) -> None:
    assert stage.error is None
    assert {stage.sent.count(key) for key in stage.sent} == {count}


@then(parsers.re(r"it prints `(?P<line>score: .+)`"))
def prints(shift: Shift, line: str) -> None:
    assert shift.fired is not None
    assert sentence(shift.fired) == line


@then(parsers.parse("validation refuses it and names `{key}`"))
def validation_names(stage: Stage, key: str) -> None:
    assert isinstance(stage.error, ExceptionGroup)
    (refusal,) = stage.error.exceptions
    assert isinstance(refusal, PipelineSpecInvalid)
    assert refusal.key.split(".")[-1] == key


def _validate(stage: Stage, job: dict[str, object]) -> None:
    lines = "\n".join(f"{key} = {_spelled(value)}" for key, value in job.items())
    try:
        spec = declare.read(f'[project]\nname = "p"\n[[job]]\n{lines}\n', file="contextful.toml")
        bodies = Bodies()
        bodies.register("score")(str)
        bodies.body(spec.jobs[0].body, job=spec.jobs[0].name)
    except (contextful.ContextfulError, ExceptionGroup) as refusal:
        stage.error = refusal
    else:
        pytest.fail("it was accepted")


def _spelled(value: object) -> str:
    """The value as TOML has it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {json.dumps(each)}" for key, each in value.items()) + " }"
    return json.dumps(value)
