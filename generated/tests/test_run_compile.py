"""The scenarios of run.compile, bound. Written by `python -m codegen` from spec/run/compile.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/compile.feature"
STEM = "run__compile"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.compile.plan-version")
@pytest.mark.scenario("run__compile__plan_version__s1")
@scenario(FEATURE, "run__compile__plan_version__s1")
def test_run__compile__plan_version__s1() -> None: ...


@pytest.mark.clause("run.compile.plan-version")
@pytest.mark.scenario("run__compile__plan_version__s2")
@scenario(FEATURE, "run__compile__plan_version__s2")
def test_run__compile__plan_version__s2() -> None: ...


@pytest.mark.clause("run.compile.nodes")
@pytest.mark.scenario("run__compile__nodes__s1")
@scenario(FEATURE, "run__compile__nodes__s1")
def test_run__compile__nodes__s1() -> None: ...


@pytest.mark.clause("run.compile.nodes")
@pytest.mark.scenario("run__compile__nodes__s2")
@scenario(FEATURE, "run__compile__nodes__s2")
def test_run__compile__nodes__s2() -> None: ...
