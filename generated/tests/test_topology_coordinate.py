"""The scenarios of topology.coordinate, bound. Written by `python -m codegen` from spec/topology/coordinate.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/topology/coordinate.feature"
STEM = "topology__coordinate"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("topology.coordinate.conditional-write")
@pytest.mark.scenario("topology__coordinate__conditional_write__s1")
@scenario(FEATURE, "topology__coordinate__conditional_write__s1")
def test_topology__coordinate__conditional_write__s1() -> None: ...


@pytest.mark.clause("topology.coordinate.catalog-clock")
@pytest.mark.scenario("topology__coordinate__catalog_clock__s1")
@scenario(FEATURE, "topology__coordinate__catalog_clock__s1")
def test_topology__coordinate__catalog_clock__s1() -> None: ...


@pytest.mark.clause("topology.coordinate.cadence-lease")
@pytest.mark.scenario("topology__coordinate__cadence_lease__s1")
@scenario(FEATURE, "topology__coordinate__cadence_lease__s1")
def test_topology__coordinate__cadence_lease__s1() -> None: ...


@pytest.mark.clause("topology.coordinate.cadence-lease")
@pytest.mark.scenario("topology__coordinate__cadence_lease__s2")
@scenario(FEATURE, "topology__coordinate__cadence_lease__s2")
def test_topology__coordinate__cadence_lease__s2() -> None: ...
