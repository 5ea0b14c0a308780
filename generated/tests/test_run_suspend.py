"""The scenarios of run.suspend, bound. Written by `python -m codegen` from spec/run/suspend.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/suspend.feature"
STEM = "run__suspend"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.suspend.awakeable")
@pytest.mark.scenario("run__suspend__awakeable__s1")
@scenario(FEATURE, "run__suspend__awakeable__s1")
def test_run__suspend__awakeable__s1() -> None: ...


@pytest.mark.clause("run.suspend.awakeable")
@pytest.mark.scenario("run__suspend__awakeable__s2")
@scenario(FEATURE, "run__suspend__awakeable__s2")
def test_run__suspend__awakeable__s2() -> None: ...


@pytest.mark.clause("run.suspend.resume-is-a-step-output")
@pytest.mark.scenario("run__suspend__resume_is_a_step_output__s1")
@scenario(FEATURE, "run__suspend__resume_is_a_step_output__s1")
def test_run__suspend__resume_is_a_step_output__s1() -> None: ...


@pytest.mark.clause("run.suspend.resume-is-a-step-output")
@pytest.mark.scenario("run__suspend__resume_is_a_step_output__s2")
@scenario(FEATURE, "run__suspend__resume_is_a_step_output__s2")
def test_run__suspend__resume_is_a_step_output__s2() -> None: ...


@pytest.mark.clause("run.suspend.deadline")
@pytest.mark.scenario("run__suspend__deadline__s1")
@scenario(FEATURE, "run__suspend__deadline__s1")
def test_run__suspend__deadline__s1() -> None: ...


@pytest.mark.clause("run.suspend.deadline")
@pytest.mark.scenario("run__suspend__deadline__s2")
@scenario(FEATURE, "run__suspend__deadline__s2")
def test_run__suspend__deadline__s2() -> None: ...


@pytest.mark.clause("run.suspend.deadline")
@pytest.mark.scenario("run__suspend__deadline__s3")
@scenario(FEATURE, "run__suspend__deadline__s3")
def test_run__suspend__deadline__s3() -> None: ...


@pytest.mark.clause("run.suspend.conflicting-resolution")
@pytest.mark.scenario("run__suspend__conflicting_resolution__s1")
@scenario(FEATURE, "run__suspend__conflicting_resolution__s1")
def test_run__suspend__conflicting_resolution__s1() -> None: ...


@pytest.mark.clause("run.suspend.expired-token")
@pytest.mark.scenario("run__suspend__expired_token__s1")
@scenario(FEATURE, "run__suspend__expired_token__s1")
def test_run__suspend__expired_token__s1() -> None: ...


@pytest.mark.clause("run.suspend.expired-token")
@pytest.mark.scenario("run__suspend__expired_token__s2")
@scenario(FEATURE, "run__suspend__expired_token__s2")
def test_run__suspend__expired_token__s2() -> None: ...


@pytest.mark.clause("run.suspend.unknown-token")
@pytest.mark.scenario("run__suspend__unknown_token__s1")
@scenario(FEATURE, "run__suspend__unknown_token__s1")
def test_run__suspend__unknown_token__s1() -> None: ...


@pytest.mark.clause("run.suspend.resume-route")
@pytest.mark.scenario("run__suspend__resume_route__s1")
@scenario(FEATURE, "run__suspend__resume_route__s1")
def test_run__suspend__resume_route__s1() -> None: ...


@pytest.mark.clause("run.suspend.resume-route")
@pytest.mark.scenario("run__suspend__resume_route__s2")
@scenario(FEATURE, "run__suspend__resume_route__s2")
def test_run__suspend__resume_route__s2() -> None: ...


@pytest.mark.clause("run.suspend.resume-route")
@pytest.mark.scenario("run__suspend__resume_route__s3")
@scenario(FEATURE, "run__suspend__resume_route__s3")
def test_run__suspend__resume_route__s3() -> None: ...


@pytest.mark.clause("run.suspend.resume-route")
@pytest.mark.scenario("run__suspend__resume_route__s4")
@scenario(FEATURE, "run__suspend__resume_route__s4")
def test_run__suspend__resume_route__s4() -> None: ...


@pytest.mark.clause("run.suspend.resume-route")
@pytest.mark.scenario("run__suspend__resume_route__s5")
@scenario(FEATURE, "run__suspend__resume_route__s5")
def test_run__suspend__resume_route__s5() -> None: ...


@pytest.mark.clause("run.suspend.resume-authenticates")
@pytest.mark.scenario("run__suspend__resume_authenticates__s1")
@scenario(FEATURE, "run__suspend__resume_authenticates__s1")
def test_run__suspend__resume_authenticates__s1() -> None: ...


@pytest.mark.clause("run.suspend.resume-authenticates")
@pytest.mark.scenario("run__suspend__resume_authenticates__s2")
@scenario(FEATURE, "run__suspend__resume_authenticates__s2")
def test_run__suspend__resume_authenticates__s2() -> None: ...


@pytest.mark.clause("run.suspend.caller-binding")
@pytest.mark.scenario("run__suspend__caller_binding__s1")
@scenario(FEATURE, "run__suspend__caller_binding__s1")
def test_run__suspend__caller_binding__s1() -> None: ...


@pytest.mark.clause("run.suspend.caller-binding")
@pytest.mark.scenario("run__suspend__caller_binding__s2")
@scenario(FEATURE, "run__suspend__caller_binding__s2")
def test_run__suspend__caller_binding__s2() -> None: ...


@pytest.mark.clause("run.suspend.caller-binding")
@pytest.mark.scenario("run__suspend__caller_binding__s3")
@scenario(FEATURE, "run__suspend__caller_binding__s3")
def test_run__suspend__caller_binding__s3() -> None: ...


@pytest.mark.clause("run.suspend.postgres-reconciliation")
@pytest.mark.scenario("run__suspend__postgres_reconciliation__s1")
@scenario(FEATURE, "run__suspend__postgres_reconciliation__s1")
def test_run__suspend__postgres_reconciliation__s1() -> None: ...


@pytest.mark.clause("run.suspend.postgres-reconciliation")
@pytest.mark.scenario("run__suspend__postgres_reconciliation__s2")
@scenario(FEATURE, "run__suspend__postgres_reconciliation__s2")
def test_run__suspend__postgres_reconciliation__s2() -> None: ...


@pytest.mark.clause("run.suspend.survives-restart")
@pytest.mark.scenario("run__suspend__survives_restart__s1")
@scenario(FEATURE, "run__suspend__survives_restart__s1")
def test_run__suspend__survives_restart__s1() -> None: ...


@pytest.mark.clause("run.suspend.survives-restart")
@pytest.mark.scenario("run__suspend__survives_restart__s2")
@scenario(FEATURE, "run__suspend__survives_restart__s2")
def test_run__suspend__survives_restart__s2() -> None: ...


@pytest.mark.clause("run.suspend.row-parks")
@pytest.mark.scenario("run__suspend__row_parks__s1")
@scenario(FEATURE, "run__suspend__row_parks__s1")
def test_run__suspend__row_parks__s1() -> None: ...


@pytest.mark.clause("run.suspend.row-parks")
@pytest.mark.scenario("run__suspend__row_parks__s2")
@scenario(FEATURE, "run__suspend__row_parks__s2")
def test_run__suspend__row_parks__s2() -> None: ...


@pytest.mark.clause("run.suspend.recorded-timeout")
@pytest.mark.scenario("run__suspend__recorded_timeout__s1")
@scenario(FEATURE, "run__suspend__recorded_timeout__s1")
def test_run__suspend__recorded_timeout__s1() -> None: ...
