"""The scenarios of surface.dispatch, bound. Written by `python -m codegen` from spec/surface/dispatch.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/surface/dispatch.feature"
STEM = "surface__dispatch"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("surface.dispatch.exclusion")
@pytest.mark.scenario("surface__dispatch__exclusion__s1")
@scenario(FEATURE, "surface__dispatch__exclusion__s1")
def test_surface__dispatch__exclusion__s1() -> None: ...


@pytest.mark.clause("surface.dispatch.exclusion")
@pytest.mark.scenario("surface__dispatch__exclusion__s2")
@scenario(FEATURE, "surface__dispatch__exclusion__s2")
def test_surface__dispatch__exclusion__s2() -> None: ...


@pytest.mark.clause("surface.dispatch.pool-bound")
@pytest.mark.scenario("surface__dispatch__pool_bound__s1")
@scenario(FEATURE, "surface__dispatch__pool_bound__s1")
def test_surface__dispatch__pool_bound__s1() -> None: ...


@pytest.mark.clause("surface.dispatch.children-reaped")
@pytest.mark.scenario("surface__dispatch__children_reaped__s1")
@scenario(FEATURE, "surface__dispatch__children_reaped__s1")
def test_surface__dispatch__children_reaped__s1() -> None: ...


@pytest.mark.clause("surface.dispatch.children-reaped")
@pytest.mark.scenario("surface__dispatch__children_reaped__s2")
@scenario(FEATURE, "surface__dispatch__children_reaped__s2")
def test_surface__dispatch__children_reaped__s2() -> None: ...


@pytest.mark.clause("surface.dispatch.children-reaped")
@pytest.mark.scenario("surface__dispatch__children_reaped__s3")
@scenario(FEATURE, "surface__dispatch__children_reaped__s3")
def test_surface__dispatch__children_reaped__s3() -> None: ...


@pytest.mark.clause("surface.dispatch.cycle-answer")
@pytest.mark.scenario("surface__dispatch__cycle_answer__s1")
@scenario(FEATURE, "surface__dispatch__cycle_answer__s1")
def test_surface__dispatch__cycle_answer__s1() -> None: ...


@pytest.mark.clause("surface.dispatch.cycle-exit")
@pytest.mark.scenario("surface__dispatch__cycle_exit__s1")
@scenario(FEATURE, "surface__dispatch__cycle_exit__s1")
def test_surface__dispatch__cycle_exit__s1() -> None: ...


@pytest.mark.clause("surface.dispatch.cycle-exit")
@pytest.mark.scenario("surface__dispatch__cycle_exit__s2")
@scenario(FEATURE, "surface__dispatch__cycle_exit__s2")
def test_surface__dispatch__cycle_exit__s2() -> None: ...
