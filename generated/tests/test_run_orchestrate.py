"""The scenarios of run.orchestrate, bound. Written by `python -m codegen` from spec/run/orchestrate.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/orchestrate.feature"
STEM = "run__orchestrate"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.orchestrate.role")
@pytest.mark.scenario("run__orchestrate__role__s1")
@scenario(FEATURE, "run__orchestrate__role__s1")
def test_run__orchestrate__role__s1() -> None: ...


@pytest.mark.clause("run.orchestrate.provider-step")
@pytest.mark.scenario("run__orchestrate__provider_step__s1")
@scenario(FEATURE, "run__orchestrate__provider_step__s1")
def test_run__orchestrate__provider_step__s1() -> None: ...


@pytest.mark.clause("run.orchestrate.provider-step")
@pytest.mark.scenario("run__orchestrate__provider_step__s2")
@scenario(FEATURE, "run__orchestrate__provider_step__s2")
def test_run__orchestrate__provider_step__s2() -> None: ...


@pytest.mark.clause("run.orchestrate.semantics")
@pytest.mark.scenario("run__orchestrate__semantics__s1")
@scenario(FEATURE, "run__orchestrate__semantics__s1")
def test_run__orchestrate__semantics__s1() -> None: ...


@pytest.mark.clause("run.orchestrate.resume")
@pytest.mark.scenario("run__orchestrate__resume__s1")
@scenario(FEATURE, "run__orchestrate__resume__s1")
def test_run__orchestrate__resume__s1() -> None: ...


@pytest.mark.clause("run.orchestrate.resume")
@pytest.mark.scenario("run__orchestrate__resume__s2")
@scenario(FEATURE, "run__orchestrate__resume__s2")
def test_run__orchestrate__resume__s2() -> None: ...


@pytest.mark.clause("run.orchestrate.one-retry-layer")
@pytest.mark.scenario("run__orchestrate__one_retry_layer__s1")
@scenario(FEATURE, "run__orchestrate__one_retry_layer__s1")
def test_run__orchestrate__one_retry_layer__s1() -> None: ...


@pytest.mark.clause("run.orchestrate.one-retry-layer")
@pytest.mark.scenario("run__orchestrate__one_retry_layer__s2")
@scenario(FEATURE, "run__orchestrate__one_retry_layer__s2")
def test_run__orchestrate__one_retry_layer__s2() -> None: ...


@pytest.mark.clause("run.orchestrate.delegate-inside")
@pytest.mark.scenario("run__orchestrate__delegate_inside__s1")
@scenario(FEATURE, "run__orchestrate__delegate_inside__s1")
def test_run__orchestrate__delegate_inside__s1() -> None: ...


@pytest.mark.clause("run.orchestrate.step-command")
@pytest.mark.scenario("run__orchestrate__step_command__s1")
@scenario(FEATURE, "run__orchestrate__step_command__s1")
def test_run__orchestrate__step_command__s1() -> None: ...


@pytest.mark.clause("run.orchestrate.step-command")
@pytest.mark.scenario("run__orchestrate__step_command__s2")
@scenario(FEATURE, "run__orchestrate__step_command__s2")
def test_run__orchestrate__step_command__s2() -> None: ...


@pytest.mark.clause("run.orchestrate.step-command")
@pytest.mark.scenario("run__orchestrate__step_command__s3")
@scenario(FEATURE, "run__orchestrate__step_command__s3")
def test_run__orchestrate__step_command__s3() -> None: ...


@pytest.mark.clause("run.orchestrate.step-lease")
@pytest.mark.scenario("run__orchestrate__step_lease__s1")
@scenario(FEATURE, "run__orchestrate__step_lease__s1")
def test_run__orchestrate__step_lease__s1() -> None: ...


@pytest.mark.clause("run.orchestrate.step-lease")
@pytest.mark.scenario("run__orchestrate__step_lease__s2")
@scenario(FEATURE, "run__orchestrate__step_lease__s2")
def test_run__orchestrate__step_lease__s2() -> None: ...


@pytest.mark.clause("run.orchestrate.step-lease")
@pytest.mark.scenario("run__orchestrate__step_lease__s3")
@scenario(FEATURE, "run__orchestrate__step_lease__s3")
def test_run__orchestrate__step_lease__s3() -> None: ...
