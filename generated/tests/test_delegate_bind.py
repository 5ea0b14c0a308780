"""The scenarios of delegate.bind, bound. Written by `python -m codegen` from spec/delegate/bind.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/delegate/bind.feature"
STEM = "delegate__bind"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("delegate.bind.binding")
@pytest.mark.scenario("delegate__bind__binding__s1")
@scenario(FEATURE, "delegate__bind__binding__s1")
def test_delegate__bind__binding__s1() -> None: ...


@pytest.mark.clause("delegate.bind.unbound")
@pytest.mark.scenario("delegate__bind__unbound__s1")
@scenario(FEATURE, "delegate__bind__unbound__s1")
def test_delegate__bind__unbound__s1() -> None: ...


@pytest.mark.clause("delegate.bind.pinned")
@pytest.mark.scenario("delegate__bind__pinned__s1")
@scenario(FEATURE, "delegate__bind__pinned__s1")
def test_delegate__bind__pinned__s1() -> None: ...


@pytest.mark.clause("delegate.bind.pinned")
@pytest.mark.scenario("delegate__bind__pinned__s2")
@scenario(FEATURE, "delegate__bind__pinned__s2")
def test_delegate__bind__pinned__s2() -> None: ...


@pytest.mark.clause("delegate.bind.engine-bounds")
@pytest.mark.scenario("delegate__bind__engine_bounds__s1")
@scenario(FEATURE, "delegate__bind__engine_bounds__s1")
def test_delegate__bind__engine_bounds__s1() -> None: ...
