"""The scenarios of read.cache, bound. Written by `python -m codegen` from spec/read/cache.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/read/cache.feature"
STEM = "read__cache"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("read.cache.opt-in")
@pytest.mark.scenario("read__cache__opt_in__s1")
@scenario(FEATURE, "read__cache__opt_in__s1")
def test_read__cache__opt_in__s1() -> None: ...


@pytest.mark.clause("read.cache.opt-in")
@pytest.mark.scenario("read__cache__opt_in__s2")
@scenario(FEATURE, "read__cache__opt_in__s2")
def test_read__cache__opt_in__s2() -> None: ...


@pytest.mark.clause("read.cache.result-key")
@pytest.mark.scenario("read__cache__result_key__s1")
@scenario(FEATURE, "read__cache__result_key__s1")
def test_read__cache__result_key__s1() -> None: ...


@pytest.mark.clause("read.cache.result-key")
@pytest.mark.scenario("read__cache__result_key__s2")
@scenario(FEATURE, "read__cache__result_key__s2")
def test_read__cache__result_key__s2() -> None: ...


@pytest.mark.clause("read.cache.result-key")
@pytest.mark.scenario("read__cache__result_key__s3")
@scenario(FEATURE, "read__cache__result_key__s3")
def test_read__cache__result_key__s3() -> None: ...


@pytest.mark.clause("read.cache.result-key")
@pytest.mark.scenario("read__cache__result_key__s4")
@scenario(FEATURE, "read__cache__result_key__s4")
def test_read__cache__result_key__s4() -> None: ...
