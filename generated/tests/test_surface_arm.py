"""The scenarios of surface.arm, bound. Written by `python -m codegen` from spec/surface/arm.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/surface/arm.feature"
STEM = "surface__arm"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("surface.arm.grammar")
@pytest.mark.scenario("surface__arm__grammar__s1")
@scenario(FEATURE, "surface__arm__grammar__s1")
def test_surface__arm__grammar__s1() -> None: ...


@pytest.mark.clause("surface.arm.grammar")
@pytest.mark.scenario("surface__arm__grammar__s2")
@scenario(FEATURE, "surface__arm__grammar__s2")
def test_surface__arm__grammar__s2() -> None: ...


@pytest.mark.clause("surface.arm.grammar")
@pytest.mark.scenario("surface__arm__grammar__s3")
@scenario(FEATURE, "surface__arm__grammar__s3")
def test_surface__arm__grammar__s3() -> None: ...


@pytest.mark.clause("surface.arm.day-fields")
@pytest.mark.scenario("surface__arm__day_fields__s1")
@scenario(FEATURE, "surface__arm__day_fields__s1")
def test_surface__arm__day_fields__s1() -> None: ...


@pytest.mark.clause("surface.arm.unreadable-schedule")
@pytest.mark.scenario("surface__arm__unreadable_schedule__s1")
@scenario(FEATURE, "surface__arm__unreadable_schedule__s1")
def test_surface__arm__unreadable_schedule__s1() -> None: ...


@pytest.mark.clause("surface.arm.unreadable-schedule")
@pytest.mark.scenario("surface__arm__unreadable_schedule__s2")
@scenario(FEATURE, "surface__arm__unreadable_schedule__s2")
def test_surface__arm__unreadable_schedule__s2() -> None: ...


@pytest.mark.clause("surface.arm.unarmed")
@pytest.mark.scenario("surface__arm__unarmed__s1")
@scenario(FEATURE, "surface__arm__unarmed__s1")
def test_surface__arm__unarmed__s1() -> None: ...


@pytest.mark.clause("surface.arm.next-fire")
@pytest.mark.scenario("surface__arm__next_fire__s1")
@scenario(FEATURE, "surface__arm__next_fire__s1")
def test_surface__arm__next_fire__s1() -> None: ...


@pytest.mark.clause("surface.arm.next-fire")
@pytest.mark.scenario("surface__arm__next_fire__s2")
@scenario(FEATURE, "surface__arm__next_fire__s2")
def test_surface__arm__next_fire__s2() -> None: ...


@pytest.mark.clause("surface.arm.next-fire")
@pytest.mark.scenario("surface__arm__next_fire__s3")
@scenario(FEATURE, "surface__arm__next_fire__s3")
def test_surface__arm__next_fire__s3() -> None: ...


@pytest.mark.clause("surface.arm.future-start")
@pytest.mark.scenario("surface__arm__future_start__s1")
@scenario(FEATURE, "surface__arm__future_start__s1")
def test_surface__arm__future_start__s1() -> None: ...


@pytest.mark.clause("surface.arm.catch-up")
@pytest.mark.scenario("surface__arm__catch_up__s1")
@scenario(FEATURE, "surface__arm__catch_up__s1")
def test_surface__arm__catch_up__s1() -> None: ...


@pytest.mark.clause("surface.arm.tick")
@pytest.mark.scenario("surface__arm__tick__s1")
@scenario(FEATURE, "surface__arm__tick__s1")
def test_surface__arm__tick__s1() -> None: ...
