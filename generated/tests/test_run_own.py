"""The scenarios of run.own, bound. Written by `python -m codegen` from spec/run/own.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/own.feature"
STEM = "run__own"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.own.execution-owner")
@pytest.mark.scenario("run__own__execution_owner__s1")
@scenario(FEATURE, "run__own__execution_owner__s1")
def test_run__own__execution_owner__s1() -> None: ...


@pytest.mark.clause("run.own.host-scope")
@pytest.mark.scenario("run__own__host_scope__s1")
@scenario(FEATURE, "run__own__host_scope__s1")
def test_run__own__host_scope__s1() -> None: ...


@pytest.mark.clause("run.own.host-scope")
@pytest.mark.scenario("run__own__host_scope__s2")
@scenario(FEATURE, "run__own__host_scope__s2")
def test_run__own__host_scope__s2() -> None: ...


@pytest.mark.clause("run.own.execution-id-keys-the-journal")
@pytest.mark.scenario("run__own__execution_id_keys_the_journal__s1")
@scenario(FEATURE, "run__own__execution_id_keys_the_journal__s1")
def test_run__own__execution_id_keys_the_journal__s1() -> None: ...


@pytest.mark.clause("run.own.retirement")
@pytest.mark.scenario("run__own__retirement__s1")
@scenario(FEATURE, "run__own__retirement__s1")
def test_run__own__retirement__s1() -> None: ...


@pytest.mark.clause("run.own.retirement")
@pytest.mark.scenario("run__own__retirement__s2")
@scenario(FEATURE, "run__own__retirement__s2")
def test_run__own__retirement__s2() -> None: ...


@pytest.mark.clause("run.own.retirement")
@pytest.mark.scenario("run__own__retirement__s3")
@scenario(FEATURE, "run__own__retirement__s3")
def test_run__own__retirement__s3() -> None: ...


@pytest.mark.clause("run.own.marker-reconciles")
@pytest.mark.scenario("run__own__marker_reconciles__s1")
@scenario(FEATURE, "run__own__marker_reconciles__s1")
def test_run__own__marker_reconciles__s1() -> None: ...


@pytest.mark.clause("run.own.pinned-plan-changed")
@pytest.mark.scenario("run__own__pinned_plan_changed__s1")
@scenario(FEATURE, "run__own__pinned_plan_changed__s1")
def test_run__own__pinned_plan_changed__s1() -> None: ...


@pytest.mark.clause("run.own.pinned-plan-changed")
@pytest.mark.scenario("run__own__pinned_plan_changed__s2")
@scenario(FEATURE, "run__own__pinned_plan_changed__s2")
def test_run__own__pinned_plan_changed__s2() -> None: ...


@pytest.mark.clause("run.own.pin-mismatch-recovery")
@pytest.mark.scenario("run__own__pin_mismatch_recovery__s1")
@scenario(FEATURE, "run__own__pin_mismatch_recovery__s1")
def test_run__own__pin_mismatch_recovery__s1() -> None: ...


@pytest.mark.clause("run.own.pin-mismatch-recovery")
@pytest.mark.scenario("run__own__pin_mismatch_recovery__s2")
@scenario(FEATURE, "run__own__pin_mismatch_recovery__s2")
def test_run__own__pin_mismatch_recovery__s2() -> None: ...


@pytest.mark.clause("run.own.scope-independence")
@pytest.mark.scenario("run__own__scope_independence__s1")
@scenario(FEATURE, "run__own__scope_independence__s1")
def test_run__own__scope_independence__s1() -> None: ...


@pytest.mark.clause("run.own.scope-independence")
@pytest.mark.scenario("run__own__scope_independence__s2")
@scenario(FEATURE, "run__own__scope_independence__s2")
def test_run__own__scope_independence__s2() -> None: ...


@pytest.mark.clause("run.own.unclosed-execution")
@pytest.mark.scenario("run__own__unclosed_execution__s1")
@scenario(FEATURE, "run__own__unclosed_execution__s1")
def test_run__own__unclosed_execution__s1() -> None: ...


@pytest.mark.clause("run.own.unclosed-execution")
@pytest.mark.scenario("run__own__unclosed_execution__s2")
@scenario(FEATURE, "run__own__unclosed_execution__s2")
def test_run__own__unclosed_execution__s2() -> None: ...


@pytest.mark.clause("run.own.live-owner")
@pytest.mark.scenario("run__own__live_owner__s1")
@scenario(FEATURE, "run__own__live_owner__s1")
def test_run__own__live_owner__s1() -> None: ...


@pytest.mark.clause("run.own.pin-release")
@pytest.mark.scenario("run__own__pin_release__s1")
@scenario(FEATURE, "run__own__pin_release__s1")
def test_run__own__pin_release__s1() -> None: ...


@pytest.mark.clause("run.own.pin-release")
@pytest.mark.scenario("run__own__pin_release__s2")
@scenario(FEATURE, "run__own__pin_release__s2")
def test_run__own__pin_release__s2() -> None: ...


@pytest.mark.clause("run.own.pin-release")
@pytest.mark.scenario("run__own__pin_release__s3")
@scenario(FEATURE, "run__own__pin_release__s3")
def test_run__own__pin_release__s3() -> None: ...


@pytest.mark.clause("run.own.pin-release")
@pytest.mark.scenario("run__own__pin_release__s4")
@scenario(FEATURE, "run__own__pin_release__s4")
def test_run__own__pin_release__s4() -> None: ...


@pytest.mark.clause("run.own.pin-release")
@pytest.mark.scenario("run__own__pin_release__s5")
@scenario(FEATURE, "run__own__pin_release__s5")
def test_run__own__pin_release__s5() -> None: ...


@pytest.mark.clause("run.own.admission-pin")
@pytest.mark.scenario("run__own__admission_pin__s1")
@scenario(FEATURE, "run__own__admission_pin__s1")
def test_run__own__admission_pin__s1() -> None: ...


@pytest.mark.clause("run.own.body-implementation")
@pytest.mark.scenario("run__own__body_implementation__s1")
@scenario(FEATURE, "run__own__body_implementation__s1")
def test_run__own__body_implementation__s1() -> None: ...


@pytest.mark.clause("run.own.body-implementation")
@pytest.mark.scenario("run__own__body_implementation__s2")
@scenario(FEATURE, "run__own__body_implementation__s2")
def test_run__own__body_implementation__s2() -> None: ...


@pytest.mark.clause("run.own.body-dependencies")
@pytest.mark.scenario("run__own__body_dependencies__s1")
@scenario(FEATURE, "run__own__body_dependencies__s1")
def test_run__own__body_dependencies__s1() -> None: ...


@pytest.mark.clause("run.own.body-admission")
@pytest.mark.scenario("run__own__body_admission__s1")
@scenario(FEATURE, "run__own__body_admission__s1")
def test_run__own__body_admission__s1() -> None: ...


@pytest.mark.clause("run.own.body-admission")
@pytest.mark.scenario("run__own__body_admission__s2")
@scenario(FEATURE, "run__own__body_admission__s2")
def test_run__own__body_admission__s2() -> None: ...


@pytest.mark.clause("run.own.body-admission")
@pytest.mark.scenario("run__own__body_admission__s3")
@scenario(FEATURE, "run__own__body_admission__s3")
def test_run__own__body_admission__s3() -> None: ...


@pytest.mark.clause("run.own.body-fresh")
@pytest.mark.scenario("run__own__body_fresh__s1")
@scenario(FEATURE, "run__own__body_fresh__s1")
def test_run__own__body_fresh__s1() -> None: ...


@pytest.mark.clause("run.own.body-public-configuration")
@pytest.mark.scenario("run__own__body_public_configuration__s1")
@scenario(FEATURE, "run__own__body_public_configuration__s1")
def test_run__own__body_public_configuration__s1() -> None: ...


@pytest.mark.clause("run.own.body-public-configuration")
@pytest.mark.scenario("run__own__body_public_configuration__s2")
@scenario(FEATURE, "run__own__body_public_configuration__s2")
def test_run__own__body_public_configuration__s2() -> None: ...


@pytest.mark.clause("run.own.body-parent")
@pytest.mark.scenario("run__own__body_parent__s1")
@scenario(FEATURE, "run__own__body_parent__s1")
def test_run__own__body_parent__s1() -> None: ...


@pytest.mark.clause("run.own.body-parent")
@pytest.mark.scenario("run__own__body_parent__s2")
@scenario(FEATURE, "run__own__body_parent__s2")
def test_run__own__body_parent__s2() -> None: ...


@pytest.mark.clause("run.own.rewind")
@pytest.mark.scenario("run__own__rewind__s1")
@scenario(FEATURE, "run__own__rewind__s1")
def test_run__own__rewind__s1() -> None: ...


@pytest.mark.clause("run.own.rewind")
@pytest.mark.scenario("run__own__rewind__s2")
@scenario(FEATURE, "run__own__rewind__s2")
def test_run__own__rewind__s2() -> None: ...


@pytest.mark.clause("run.own.rewind-record")
@pytest.mark.scenario("run__own__rewind_record__s1")
@scenario(FEATURE, "run__own__rewind_record__s1")
def test_run__own__rewind_record__s1() -> None: ...


@pytest.mark.clause("run.own.rewind-not-pending")
@pytest.mark.scenario("run__own__rewind_not_pending__s1")
@scenario(FEATURE, "run__own__rewind_not_pending__s1")
def test_run__own__rewind_not_pending__s1() -> None: ...


@pytest.mark.clause("run.own.rewind-not-pending")
@pytest.mark.scenario("run__own__rewind_not_pending__s2")
@scenario(FEATURE, "run__own__rewind_not_pending__s2")
def test_run__own__rewind_not_pending__s2() -> None: ...


@pytest.mark.clause("run.own.rewind-plan-current")
@pytest.mark.scenario("run__own__rewind_plan_current__s1")
@scenario(FEATURE, "run__own__rewind_plan_current__s1")
def test_run__own__rewind_plan_current__s1() -> None: ...


@pytest.mark.clause("run.own.rewind-plan-current")
@pytest.mark.scenario("run__own__rewind_plan_current__s2")
@scenario(FEATURE, "run__own__rewind_plan_current__s2")
def test_run__own__rewind_plan_current__s2() -> None: ...


@pytest.mark.clause("run.own.rewind-unsafe")
@pytest.mark.scenario("run__own__rewind_unsafe__s1")
@scenario(FEATURE, "run__own__rewind_unsafe__s1")
def test_run__own__rewind_unsafe__s1() -> None: ...


@pytest.mark.clause("run.own.rewind-unsafe")
@pytest.mark.scenario("run__own__rewind_unsafe__s2")
@scenario(FEATURE, "run__own__rewind_unsafe__s2")
def test_run__own__rewind_unsafe__s2() -> None: ...


@pytest.mark.clause("run.own.rewind-unsafe")
@pytest.mark.scenario("run__own__rewind_unsafe__s3")
@scenario(FEATURE, "run__own__rewind_unsafe__s3")
def test_run__own__rewind_unsafe__s3() -> None: ...


@pytest.mark.clause("run.own.apply-retires-superseded")
@pytest.mark.scenario("run__own__apply_retires_superseded__s1")
@scenario(FEATURE, "run__own__apply_retires_superseded__s1")
def test_run__own__apply_retires_superseded__s1() -> None: ...


@pytest.mark.clause("run.own.apply-retires-superseded")
@pytest.mark.scenario("run__own__apply_retires_superseded__s2")
@scenario(FEATURE, "run__own__apply_retires_superseded__s2")
def test_run__own__apply_retires_superseded__s2() -> None: ...


@pytest.mark.clause("run.own.apply-retire-refused")
@pytest.mark.scenario("run__own__apply_retire_refused__s1")
@scenario(FEATURE, "run__own__apply_retire_refused__s1")
def test_run__own__apply_retire_refused__s1() -> None: ...


@pytest.mark.clause("run.own.backpressure")
@pytest.mark.scenario("run__own__backpressure__s1")
@scenario(FEATURE, "run__own__backpressure__s1")
def test_run__own__backpressure__s1() -> None: ...


@pytest.mark.clause("run.own.one-commit-per-run")
@pytest.mark.scenario("run__own__one_commit_per_run__s1")
@scenario(FEATURE, "run__own__one_commit_per_run__s1")
def test_run__own__one_commit_per_run__s1() -> None: ...


@pytest.mark.clause("run.own.one-commit-per-run")
@pytest.mark.scenario("run__own__one_commit_per_run__s2")
@scenario(FEATURE, "run__own__one_commit_per_run__s2")
def test_run__own__one_commit_per_run__s2() -> None: ...


@pytest.mark.clause("run.own.staged-bytes")
@pytest.mark.scenario("run__own__staged_bytes__s1")
@scenario(FEATURE, "run__own__staged_bytes__s1")
def test_run__own__staged_bytes__s1() -> None: ...


@pytest.mark.clause("run.own.staged-bytes")
@pytest.mark.scenario("run__own__staged_bytes__s2")
@scenario(FEATURE, "run__own__staged_bytes__s2")
def test_run__own__staged_bytes__s2() -> None: ...


@pytest.mark.clause("run.own.checkpoint-commit")
@pytest.mark.scenario("run__own__checkpoint_commit__s1")
@scenario(FEATURE, "run__own__checkpoint_commit__s1")
def test_run__own__checkpoint_commit__s1() -> None: ...


@pytest.mark.clause("run.own.checkpoint-frontier")
@pytest.mark.scenario("run__own__checkpoint_frontier__s1")
@scenario(FEATURE, "run__own__checkpoint_frontier__s1")
def test_run__own__checkpoint_frontier__s1() -> None: ...


@pytest.mark.clause("run.own.checkpoint-resume")
@pytest.mark.scenario("run__own__checkpoint_resume__s1")
@scenario(FEATURE, "run__own__checkpoint_resume__s1")
def test_run__own__checkpoint_resume__s1() -> None: ...


@pytest.mark.clause("run.own.checkpoint-resume")
@pytest.mark.scenario("run__own__checkpoint_resume__s2")
@scenario(FEATURE, "run__own__checkpoint_resume__s2")
def test_run__own__checkpoint_resume__s2() -> None: ...


@pytest.mark.clause("run.own.checkpoint-run-id")
@pytest.mark.scenario("run__own__checkpoint_run_id__s1")
@scenario(FEATURE, "run__own__checkpoint_run_id__s1")
def test_run__own__checkpoint_run_id__s1() -> None: ...


@pytest.mark.clause("run.own.checkpoint-id-length")
@pytest.mark.scenario("run__own__checkpoint_id_length__s1")
@scenario(FEATURE, "run__own__checkpoint_id_length__s1")
def test_run__own__checkpoint_id_length__s1() -> None: ...


@pytest.mark.clause("run.own.checkpoint-id-length")
@pytest.mark.scenario("run__own__checkpoint_id_length__s2")
@scenario(FEATURE, "run__own__checkpoint_id_length__s2")
def test_run__own__checkpoint_id_length__s2() -> None: ...


@pytest.mark.clause("run.own.checkpoint-landed")
@pytest.mark.scenario("run__own__checkpoint_landed__s1")
@scenario(FEATURE, "run__own__checkpoint_landed__s1")
def test_run__own__checkpoint_landed__s1() -> None: ...


@pytest.mark.clause("run.own.checkpoint-landed")
@pytest.mark.scenario("run__own__checkpoint_landed__s2")
@scenario(FEATURE, "run__own__checkpoint_landed__s2")
def test_run__own__checkpoint_landed__s2() -> None: ...


@pytest.mark.clause("run.own.checkpoint-scope")
@pytest.mark.scenario("run__own__checkpoint_scope__s1")
@scenario(FEATURE, "run__own__checkpoint_scope__s1")
def test_run__own__checkpoint_scope__s1() -> None: ...


@pytest.mark.clause("run.own.checkpoint-scope")
@pytest.mark.scenario("run__own__checkpoint_scope__s2")
@scenario(FEATURE, "run__own__checkpoint_scope__s2")
def test_run__own__checkpoint_scope__s2() -> None: ...


@pytest.mark.clause("run.own.stage-schema")
@pytest.mark.scenario("run__own__stage_schema__s1")
@scenario(FEATURE, "run__own__stage_schema__s1")
def test_run__own__stage_schema__s1() -> None: ...


@pytest.mark.clause("run.own.stage-schema")
@pytest.mark.scenario("run__own__stage_schema__s2")
@scenario(FEATURE, "run__own__stage_schema__s2")
def test_run__own__stage_schema__s2() -> None: ...


@pytest.mark.clause("run.own.source-stage-schema")
@pytest.mark.scenario("run__own__source_stage_schema__s1")
@scenario(FEATURE, "run__own__source_stage_schema__s1")
def test_run__own__source_stage_schema__s1() -> None: ...


@pytest.mark.clause("run.own.source-stage-schema")
@pytest.mark.scenario("run__own__source_stage_schema__s2")
@scenario(FEATURE, "run__own__source_stage_schema__s2")
def test_run__own__source_stage_schema__s2() -> None: ...


@pytest.mark.clause("run.own.source-stage-schema")
@pytest.mark.scenario("run__own__source_stage_schema__s3")
@scenario(FEATURE, "run__own__source_stage_schema__s3")
def test_run__own__source_stage_schema__s3() -> None: ...


@pytest.mark.clause("run.own.stage-commit-seq")
@pytest.mark.scenario("run__own__stage_commit_seq__s1")
@scenario(FEATURE, "run__own__stage_commit_seq__s1")
def test_run__own__stage_commit_seq__s1() -> None: ...


@pytest.mark.clause("run.own.stage-instant")
@pytest.mark.scenario("run__own__stage_instant__s1")
@scenario(FEATURE, "run__own__stage_instant__s1")
def test_run__own__stage_instant__s1() -> None: ...


@pytest.mark.clause("run.own.stage-discard")
@pytest.mark.scenario("run__own__stage_discard__s1")
@scenario(FEATURE, "run__own__stage_discard__s1")
def test_run__own__stage_discard__s1() -> None: ...


@pytest.mark.clause("run.own.stage-discard")
@pytest.mark.scenario("run__own__stage_discard__s2")
@scenario(FEATURE, "run__own__stage_discard__s2")
def test_run__own__stage_discard__s2() -> None: ...
