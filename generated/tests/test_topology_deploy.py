"""The scenarios of topology.deploy, bound. Written by `python -m codegen` from spec/topology/deploy.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/topology/deploy.feature"
STEM = "topology__deploy"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("topology.deploy.roles")
@pytest.mark.scenario("topology__deploy__roles__s1")
@scenario(FEATURE, "topology__deploy__roles__s1")
def test_topology__deploy__roles__s1() -> None: ...


@pytest.mark.clause("topology.deploy.parity")
@pytest.mark.scenario("topology__deploy__parity__s1")
@scenario(FEATURE, "topology__deploy__parity__s1")
def test_topology__deploy__parity__s1() -> None: ...


@pytest.mark.clause("topology.deploy.remote-state")
@pytest.mark.scenario("topology__deploy__remote_state__s1")
@scenario(FEATURE, "topology__deploy__remote_state__s1")
def test_topology__deploy__remote_state__s1() -> None: ...
