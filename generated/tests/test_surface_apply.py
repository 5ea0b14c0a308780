"""The scenarios of surface.apply, bound. Written by `python -m codegen` from spec/surface/apply.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/surface/apply.feature"
STEM = "surface__apply"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("surface.apply.validate")
@pytest.mark.scenario("surface__apply__validate__s1")
@scenario(FEATURE, "surface__apply__validate__s1")
def test_surface__apply__validate__s1() -> None: ...


@pytest.mark.clause("surface.apply.claim")
@pytest.mark.scenario("surface__apply__claim__s1")
@scenario(FEATURE, "surface__apply__claim__s1")
def test_surface__apply__claim__s1() -> None: ...


@pytest.mark.clause("surface.apply.version-conflict")
@pytest.mark.scenario("surface__apply__version_conflict__s1")
@scenario(FEATURE, "surface__apply__version_conflict__s1")
def test_surface__apply__version_conflict__s1() -> None: ...


@pytest.mark.clause("surface.apply.unchanged")
@pytest.mark.scenario("surface__apply__unchanged__s1")
@scenario(FEATURE, "surface__apply__unchanged__s1")
def test_surface__apply__unchanged__s1() -> None: ...


@pytest.mark.clause("surface.apply.weak-conditional-backend")
@pytest.mark.scenario("surface__apply__weak_conditional_backend__s1")
@scenario(FEATURE, "surface__apply__weak_conditional_backend__s1")
def test_surface__apply__weak_conditional_backend__s1() -> None: ...


@pytest.mark.clause("surface.apply.retires-after-claim")
@pytest.mark.scenario("surface__apply__retires_after_claim__s1")
@scenario(FEATURE, "surface__apply__retires_after_claim__s1")
def test_surface__apply__retires_after_claim__s1() -> None: ...
