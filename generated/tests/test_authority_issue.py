"""The scenarios of authority.issue, bound. Written by `python -m codegen` from spec/authority/issue.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/authority/issue.feature"
STEM = "authority__issue"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("authority.issue.default-action")
@pytest.mark.scenario("authority__issue__default_action__s1")
@scenario(FEATURE, "authority__issue__default_action__s1")
def test_authority__issue__default_action__s1() -> None: ...


@pytest.mark.clause("authority.issue.principal-required")
@pytest.mark.scenario("authority__issue__principal_required__s1")
@scenario(FEATURE, "authority__issue__principal_required__s1")
def test_authority__issue__principal_required__s1() -> None: ...


@pytest.mark.clause("authority.issue.principal-required")
@pytest.mark.scenario("authority__issue__principal_required__s2")
@scenario(FEATURE, "authority__issue__principal_required__s2")
def test_authority__issue__principal_required__s2() -> None: ...


@pytest.mark.clause("authority.issue.ceiling")
@pytest.mark.scenario("authority__issue__ceiling__s1")
@scenario(FEATURE, "authority__issue__ceiling__s1")
def test_authority__issue__ceiling__s1() -> None: ...
