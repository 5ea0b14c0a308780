"""The scenarios of delegate.call, bound. Written by `python -m codegen` from spec/delegate/call.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/delegate/call.feature"
STEM = "delegate__call"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("delegate.call.call")
@pytest.mark.scenario("delegate__call__call__s1")
@scenario(FEATURE, "delegate__call__call__s1")
def test_delegate__call__call__s1() -> None: ...


@pytest.mark.clause("delegate.call.envelope")
@pytest.mark.scenario("delegate__call__envelope__s1")
@scenario(FEATURE, "delegate__call__envelope__s1")
def test_delegate__call__envelope__s1() -> None: ...


@pytest.mark.clause("delegate.call.answer")
@pytest.mark.scenario("delegate__call__answer__s1")
@scenario(FEATURE, "delegate__call__answer__s1")
def test_delegate__call__answer__s1() -> None: ...


@pytest.mark.clause("delegate.call.answer")
@pytest.mark.scenario("delegate__call__answer__s2")
@scenario(FEATURE, "delegate__call__answer__s2")
def test_delegate__call__answer__s2() -> None: ...


@pytest.mark.clause("delegate.call.unreadable-answer")
@pytest.mark.scenario("delegate__call__unreadable_answer__s1")
@scenario(FEATURE, "delegate__call__unreadable_answer__s1")
def test_delegate__call__unreadable_answer__s1() -> None: ...


@pytest.mark.clause("delegate.call.whole")
@pytest.mark.scenario("delegate__call__whole__s1")
@scenario(FEATURE, "delegate__call__whole__s1")
def test_delegate__call__whole__s1() -> None: ...


@pytest.mark.clause("delegate.call.whole")
@pytest.mark.scenario("delegate__call__whole__s2")
@scenario(FEATURE, "delegate__call__whole__s2")
def test_delegate__call__whole__s2() -> None: ...


@pytest.mark.clause("delegate.call.replayed")
@pytest.mark.scenario("delegate__call__replayed__s1")
@scenario(FEATURE, "delegate__call__replayed__s1")
def test_delegate__call__replayed__s1() -> None: ...


@pytest.mark.clause("delegate.call.inside-the-step")
@pytest.mark.scenario("delegate__call__inside_the_step__s1")
@scenario(FEATURE, "delegate__call__inside_the_step__s1")
def test_delegate__call__inside_the_step__s1() -> None: ...
