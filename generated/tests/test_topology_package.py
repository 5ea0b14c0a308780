"""The scenarios of topology.package, bound. Written by `python -m codegen` from spec/topology/package.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/topology/package.feature"
STEM = "topology__package"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("topology.package.capability-absent")
@pytest.mark.scenario("topology__package__capability_absent__s1")
@scenario(FEATURE, "topology__package__capability_absent__s1")
def test_topology__package__capability_absent__s1() -> None: ...


@pytest.mark.clause("topology.package.capability-absent")
@pytest.mark.scenario("topology__package__capability_absent__s2")
@scenario(FEATURE, "topology__package__capability_absent__s2")
def test_topology__package__capability_absent__s2() -> None: ...
