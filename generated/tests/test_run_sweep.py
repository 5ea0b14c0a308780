"""The scenarios of run.sweep, bound. Written by `python -m codegen` from spec/run/sweep.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/sweep.feature"
STEM = "run__sweep"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.sweep.origins")
@pytest.mark.scenario("run__sweep__origins__s1")
@scenario(FEATURE, "run__sweep__origins__s1")
def test_run__sweep__origins__s1() -> None: ...


@pytest.mark.clause("run.sweep.origins")
@pytest.mark.scenario("run__sweep__origins__s2")
@scenario(FEATURE, "run__sweep__origins__s2")
def test_run__sweep__origins__s2() -> None: ...


@pytest.mark.clause("run.sweep.sweep-id")
@pytest.mark.scenario("run__sweep__sweep_id__s1")
@scenario(FEATURE, "run__sweep__sweep_id__s1")
def test_run__sweep__sweep_id__s1() -> None: ...


@pytest.mark.clause("run.sweep.frozen-as-of")
@pytest.mark.scenario("run__sweep__frozen_as_of__s1")
@scenario(FEATURE, "run__sweep__frozen_as_of__s1")
def test_run__sweep__frozen_as_of__s1() -> None: ...


@pytest.mark.clause("run.sweep.frozen-as-of")
@pytest.mark.scenario("run__sweep__frozen_as_of__s2")
@scenario(FEATURE, "run__sweep__frozen_as_of__s2")
def test_run__sweep__frozen_as_of__s2() -> None: ...


@pytest.mark.clause("run.sweep.origin-after-open")
@pytest.mark.scenario("run__sweep__origin_after_open__s1")
@scenario(FEATURE, "run__sweep__origin_after_open__s1")
def test_run__sweep__origin_after_open__s1() -> None: ...


@pytest.mark.clause("run.sweep.origin-after-open")
@pytest.mark.scenario("run__sweep__origin_after_open__s2")
@scenario(FEATURE, "run__sweep__origin_after_open__s2")
def test_run__sweep__origin_after_open__s2() -> None: ...


@pytest.mark.clause("run.sweep.origin-after-open")
@pytest.mark.scenario("run__sweep__origin_after_open__s3")
@scenario(FEATURE, "run__sweep__origin_after_open__s3")
def test_run__sweep__origin_after_open__s3() -> None: ...


@pytest.mark.clause("run.sweep.fresh-state")
@pytest.mark.scenario("run__sweep__fresh_state__s1")
@scenario(FEATURE, "run__sweep__fresh_state__s1")
def test_run__sweep__fresh_state__s1() -> None: ...


@pytest.mark.clause("run.sweep.fresh-state")
@pytest.mark.scenario("run__sweep__fresh_state__s2")
@scenario(FEATURE, "run__sweep__fresh_state__s2")
def test_run__sweep__fresh_state__s2() -> None: ...


@pytest.mark.clause("run.sweep.carried-state")
@pytest.mark.scenario("run__sweep__carried_state__s1")
@scenario(FEATURE, "run__sweep__carried_state__s1")
def test_run__sweep__carried_state__s1() -> None: ...


@pytest.mark.clause("run.sweep.carried-state")
@pytest.mark.scenario("run__sweep__carried_state__s2")
@scenario(FEATURE, "run__sweep__carried_state__s2")
def test_run__sweep__carried_state__s2() -> None: ...


@pytest.mark.clause("run.sweep.simulated-write")
@pytest.mark.scenario("run__sweep__simulated_write__s1")
@scenario(FEATURE, "run__sweep__simulated_write__s1")
def test_run__sweep__simulated_write__s1() -> None: ...


@pytest.mark.clause("run.sweep.simulated-write")
@pytest.mark.scenario("run__sweep__simulated_write__s2")
@scenario(FEATURE, "run__sweep__simulated_write__s2")
def test_run__sweep__simulated_write__s2() -> None: ...


@pytest.mark.clause("run.sweep.origin-pin")
@pytest.mark.scenario("run__sweep__origin_pin__s1")
@scenario(FEATURE, "run__sweep__origin_pin__s1")
def test_run__sweep__origin_pin__s1() -> None: ...


@pytest.mark.clause("run.sweep.origin-pin")
@pytest.mark.scenario("run__sweep__origin_pin__s2")
@scenario(FEATURE, "run__sweep__origin_pin__s2")
def test_run__sweep__origin_pin__s2() -> None: ...


@pytest.mark.clause("run.sweep.no-collapse")
@pytest.mark.scenario("run__sweep__no_collapse__s1")
@scenario(FEATURE, "run__sweep__no_collapse__s1")
def test_run__sweep__no_collapse__s1() -> None: ...


@pytest.mark.clause("run.sweep.no-collapse")
@pytest.mark.scenario("run__sweep__no_collapse__s2")
@scenario(FEATURE, "run__sweep__no_collapse__s2")
def test_run__sweep__no_collapse__s2() -> None: ...


@pytest.mark.clause("run.sweep.no-collapse")
@pytest.mark.scenario("run__sweep__no_collapse__s3")
@scenario(FEATURE, "run__sweep__no_collapse__s3")
def test_run__sweep__no_collapse__s3() -> None: ...


@pytest.mark.clause("run.sweep.resumed")
@pytest.mark.scenario("run__sweep__resumed__s1")
@scenario(FEATURE, "run__sweep__resumed__s1")
def test_run__sweep__resumed__s1() -> None: ...


@pytest.mark.clause("run.sweep.cache-key")
@pytest.mark.scenario("run__sweep__cache_key__s1")
@scenario(FEATURE, "run__sweep__cache_key__s1")
def test_run__sweep__cache_key__s1() -> None: ...
