"""The scenarios of run.retry, bound. Written by `python -m codegen` from spec/run/retry.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/retry.feature"
STEM = "run__retry"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.retry.failure-taxonomy")
@pytest.mark.scenario("run__retry__failure_taxonomy__s1")
@scenario(FEATURE, "run__retry__failure_taxonomy__s1")
def test_run__retry__failure_taxonomy__s1() -> None: ...


@pytest.mark.clause("run.retry.schedule")
@pytest.mark.scenario("run__retry__schedule__s1")
@scenario(FEATURE, "run__retry__schedule__s1")
def test_run__retry__schedule__s1() -> None: ...


@pytest.mark.clause("run.retry.schedule")
@pytest.mark.scenario("run__retry__schedule__s2")
@scenario(FEATURE, "run__retry__schedule__s2")
def test_run__retry__schedule__s2() -> None: ...


@pytest.mark.clause("run.retry.default-policy")
@pytest.mark.scenario("run__retry__default_policy__s1")
@scenario(FEATURE, "run__retry__default_policy__s1")
def test_run__retry__default_policy__s1() -> None: ...


@pytest.mark.clause("run.retry.default-policy")
@pytest.mark.scenario("run__retry__default_policy__s2")
@scenario(FEATURE, "run__retry__default_policy__s2")
def test_run__retry__default_policy__s2() -> None: ...


@pytest.mark.clause("run.retry.single-attempt")
@pytest.mark.scenario("run__retry__single_attempt__s1")
@scenario(FEATURE, "run__retry__single_attempt__s1")
def test_run__retry__single_attempt__s1() -> None: ...


@pytest.mark.clause("run.retry.retryable-classes")
@pytest.mark.scenario("run__retry__retryable_classes__s1")
@scenario(FEATURE, "run__retry__retryable_classes__s1")
def test_run__retry__retryable_classes__s1() -> None: ...


@pytest.mark.clause("run.retry.retryable-classes")
@pytest.mark.scenario("run__retry__retryable_classes__s2")
@scenario(FEATURE, "run__retry__retryable_classes__s2")
def test_run__retry__retryable_classes__s2() -> None: ...


@pytest.mark.clause("run.retry.retryable-classes")
@pytest.mark.scenario("run__retry__retryable_classes__s3")
@scenario(FEATURE, "run__retry__retryable_classes__s3")
def test_run__retry__retryable_classes__s3() -> None: ...


@pytest.mark.clause("run.retry.unretryable-tag")
@pytest.mark.scenario("run__retry__unretryable_tag__s1")
@scenario(FEATURE, "run__retry__unretryable_tag__s1")
def test_run__retry__unretryable_tag__s1() -> None: ...


@pytest.mark.clause("run.retry.step-failed")
@pytest.mark.scenario("run__retry__step_failed__s1")
@scenario(FEATURE, "run__retry__step_failed__s1")
def test_run__retry__step_failed__s1() -> None: ...


@pytest.mark.clause("run.retry.step-failed")
@pytest.mark.scenario("run__retry__step_failed__s2")
@scenario(FEATURE, "run__retry__step_failed__s2")
def test_run__retry__step_failed__s2() -> None: ...


@pytest.mark.clause("run.retry.failure-let-go")
@pytest.mark.scenario("run__retry__failure_let_go__s1")
@scenario(FEATURE, "run__retry__failure_let_go__s1")
def test_run__retry__failure_let_go__s1() -> None: ...


@pytest.mark.clause("run.retry.failure-let-go")
@pytest.mark.scenario("run__retry__failure_let_go__s2")
@scenario(FEATURE, "run__retry__failure_let_go__s2")
def test_run__retry__failure_let_go__s2() -> None: ...


@pytest.mark.clause("run.retry.deterministic-verdict")
@pytest.mark.scenario("run__retry__deterministic_verdict__s1")
@scenario(FEATURE, "run__retry__deterministic_verdict__s1")
def test_run__retry__deterministic_verdict__s1() -> None: ...


@pytest.mark.clause("run.retry.retry-after")
@pytest.mark.scenario("run__retry__retry_after__s1")
@scenario(FEATURE, "run__retry__retry_after__s1")
def test_run__retry__retry_after__s1() -> None: ...


@pytest.mark.clause("run.retry.retry-after")
@pytest.mark.scenario("run__retry__retry_after__s2")
@scenario(FEATURE, "run__retry__retry_after__s2")
def test_run__retry__retry_after__s2() -> None: ...


@pytest.mark.clause("run.retry.retry-after")
@pytest.mark.scenario("run__retry__retry_after__s3")
@scenario(FEATURE, "run__retry__retry_after__s3")
def test_run__retry__retry_after__s3() -> None: ...


@pytest.mark.clause("run.retry.not-before")
@pytest.mark.scenario("run__retry__not_before__s1")
@scenario(FEATURE, "run__retry__not_before__s1")
def test_run__retry__not_before__s1() -> None: ...


@pytest.mark.clause("run.retry.not-before")
@pytest.mark.scenario("run__retry__not_before__s2")
@scenario(FEATURE, "run__retry__not_before__s2")
def test_run__retry__not_before__s2() -> None: ...


@pytest.mark.clause("run.retry.waiting-state")
@pytest.mark.scenario("run__retry__waiting_state__s1")
@scenario(FEATURE, "run__retry__waiting_state__s1")
def test_run__retry__waiting_state__s1() -> None: ...


@pytest.mark.clause("run.retry.resume-at")
@pytest.mark.scenario("run__retry__resume_at__s1")
@scenario(FEATURE, "run__retry__resume_at__s1")
def test_run__retry__resume_at__s1() -> None: ...


@pytest.mark.clause("run.retry.resume-at")
@pytest.mark.scenario("run__retry__resume_at__s2")
@scenario(FEATURE, "run__retry__resume_at__s2")
def test_run__retry__resume_at__s2() -> None: ...


@pytest.mark.clause("run.retry.wake")
@pytest.mark.scenario("run__retry__wake__s1")
@scenario(FEATURE, "run__retry__wake__s1")
def test_run__retry__wake__s1() -> None: ...


@pytest.mark.clause("run.retry.wake")
@pytest.mark.scenario("run__retry__wake__s2")
@scenario(FEATURE, "run__retry__wake__s2")
def test_run__retry__wake__s2() -> None: ...


@pytest.mark.clause("run.retry.no-double-spend")
@pytest.mark.scenario("run__retry__no_double_spend__s1")
@scenario(FEATURE, "run__retry__no_double_spend__s1")
def test_run__retry__no_double_spend__s1() -> None: ...


@pytest.mark.clause("run.retry.one-layer")
@pytest.mark.scenario("run__retry__one_layer__s1")
@scenario(FEATURE, "run__retry__one_layer__s1")
def test_run__retry__one_layer__s1() -> None: ...


@pytest.mark.clause("run.retry.one-layer")
@pytest.mark.scenario("run__retry__one_layer__s2")
@scenario(FEATURE, "run__retry__one_layer__s2")
def test_run__retry__one_layer__s2() -> None: ...


@pytest.mark.clause("run.retry.decision-is-pure")
@pytest.mark.scenario("run__retry__decision_is_pure__s1")
@scenario(FEATURE, "run__retry__decision_is_pure__s1")
def test_run__retry__decision_is_pure__s1() -> None: ...


@pytest.mark.clause("run.retry.partial-failure")
@pytest.mark.scenario("run__retry__partial_failure__s1")
@scenario(FEATURE, "run__retry__partial_failure__s1")
def test_run__retry__partial_failure__s1() -> None: ...


@pytest.mark.clause("run.retry.no-compensation")
@pytest.mark.scenario("run__retry__no_compensation__s1")
@scenario(FEATURE, "run__retry__no_compensation__s1")
def test_run__retry__no_compensation__s1() -> None: ...


@pytest.mark.clause("run.retry.pressure-is-local")
@pytest.mark.scenario("run__retry__pressure_is_local__s1")
@scenario(FEATURE, "run__retry__pressure_is_local__s1")
def test_run__retry__pressure_is_local__s1() -> None: ...


@pytest.mark.clause("run.retry.bound-hit-is-transient")
@pytest.mark.scenario("run__retry__bound_hit_is_transient__s1")
@scenario(FEATURE, "run__retry__bound_hit_is_transient__s1")
def test_run__retry__bound_hit_is_transient__s1() -> None: ...


@pytest.mark.clause("run.retry.bound-hit-is-transient")
@pytest.mark.scenario("run__retry__bound_hit_is_transient__s2")
@scenario(FEATURE, "run__retry__bound_hit_is_transient__s2")
def test_run__retry__bound_hit_is_transient__s2() -> None: ...


@pytest.mark.clause("run.retry.bound-hit-recorded")
@pytest.mark.scenario("run__retry__bound_hit_recorded__s1")
@scenario(FEATURE, "run__retry__bound_hit_recorded__s1")
def test_run__retry__bound_hit_recorded__s1() -> None: ...
