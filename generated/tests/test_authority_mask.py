"""The scenarios of authority.mask, bound. Written by `python -m codegen` from spec/authority/mask.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/authority/mask.feature"
STEM = "authority__mask"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("authority.mask.column-policy")
@pytest.mark.scenario("authority__mask__column_policy__s1")
@scenario(FEATURE, "authority__mask__column_policy__s1")
def test_authority__mask__column_policy__s1() -> None: ...


@pytest.mark.clause("authority.mask.column-policy")
@pytest.mark.scenario("authority__mask__column_policy__s2")
@scenario(FEATURE, "authority__mask__column_policy__s2")
def test_authority__mask__column_policy__s2() -> None: ...


@pytest.mark.clause("authority.mask.hash")
@pytest.mark.scenario("authority__mask__hash__s1")
@scenario(FEATURE, "authority__mask__hash__s1")
def test_authority__mask__hash__s1() -> None: ...


@pytest.mark.clause("authority.mask.drop")
@pytest.mark.scenario("authority__mask__drop__s1")
@scenario(FEATURE, "authority__mask__drop__s1")
def test_authority__mask__drop__s1() -> None: ...


@pytest.mark.clause("authority.mask.pepper")
@pytest.mark.scenario("authority__mask__pepper__s1")
@scenario(FEATURE, "authority__mask__pepper__s1")
def test_authority__mask__pepper__s1() -> None: ...


@pytest.mark.clause("authority.mask.one-digest")
@pytest.mark.scenario("authority__mask__one_digest__s1")
@scenario(FEATURE, "authority__mask__one_digest__s1")
def test_authority__mask__one_digest__s1() -> None: ...
