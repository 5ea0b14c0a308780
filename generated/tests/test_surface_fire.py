"""The scenarios of surface.fire, bound. Written by `python -m codegen` from spec/surface/fire.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/surface/fire.feature"
STEM = "surface__fire"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("surface.fire.job-kind")
@pytest.mark.scenario("surface__fire__job_kind__s1")
@scenario(FEATURE, "surface__fire__job_kind__s1")
def test_surface__fire__job_kind__s1() -> None: ...


@pytest.mark.clause("surface.fire.job-kind")
@pytest.mark.scenario("surface__fire__job_kind__s2")
@scenario(FEATURE, "surface__fire__job_kind__s2")
def test_surface__fire__job_kind__s2() -> None: ...


@pytest.mark.clause("surface.fire.concurrency")
@pytest.mark.scenario("surface__fire__concurrency__s1")
@scenario(FEATURE, "surface__fire__concurrency__s1")
def test_surface__fire__concurrency__s1() -> None: ...


@pytest.mark.clause("surface.fire.concurrency")
@pytest.mark.scenario("surface__fire__concurrency__s2")
@scenario(FEATURE, "surface__fire__concurrency__s2")
def test_surface__fire__concurrency__s2() -> None: ...


@pytest.mark.clause("surface.fire.body")
@pytest.mark.scenario("surface__fire__body__s1")
@scenario(FEATURE, "surface__fire__body__s1")
def test_surface__fire__body__s1() -> None: ...


@pytest.mark.clause("surface.fire.target")
@pytest.mark.scenario("surface__fire__target__s1")
@scenario(FEATURE, "surface__fire__target__s1")
def test_surface__fire__target__s1() -> None: ...


@pytest.mark.clause("surface.fire.output-runs")
@pytest.mark.scenario("surface__fire__output_runs__s1")
@scenario(FEATURE, "surface__fire__output_runs__s1")
def test_surface__fire__output_runs__s1() -> None: ...


@pytest.mark.clause("surface.fire.undeclared-output")
@pytest.mark.scenario("surface__fire__undeclared_output__s1")
@scenario(FEATURE, "surface__fire__undeclared_output__s1")
def test_surface__fire__undeclared_output__s1() -> None: ...


@pytest.mark.clause("surface.fire.undeclared-output")
@pytest.mark.scenario("surface__fire__undeclared_output__s2")
@scenario(FEATURE, "surface__fire__undeclared_output__s2")
def test_surface__fire__undeclared_output__s2() -> None: ...


@pytest.mark.clause("surface.fire.result-line")
@pytest.mark.scenario("surface__fire__result_line__s1")
@scenario(FEATURE, "surface__fire__result_line__s1")
def test_surface__fire__result_line__s1() -> None: ...
