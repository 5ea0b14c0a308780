"""The scenarios of store.bound-time, bound. Written by `python -m codegen` from spec/store/bound-time.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/store/bound-time.feature"
STEM = "store__bound_time"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("store.bound-time.as-of")
@pytest.mark.scenario("store__bound_time__as_of__s1")
@scenario(FEATURE, "store__bound_time__as_of__s1")
def test_store__bound_time__as_of__s1() -> None: ...


@pytest.mark.clause("store.bound-time.as-of")
@pytest.mark.scenario("store__bound_time__as_of__s2")
@scenario(FEATURE, "store__bound_time__as_of__s2")
def test_store__bound_time__as_of__s2() -> None: ...


@pytest.mark.clause("store.bound-time.date-only")
@pytest.mark.scenario("store__bound_time__date_only__s1")
@scenario(FEATURE, "store__bound_time__date_only__s1")
def test_store__bound_time__date_only__s1() -> None: ...


@pytest.mark.clause("store.bound-time.as-of-unretained")
@pytest.mark.scenario("store__bound_time__as_of_unretained__s1")
@scenario(FEATURE, "store__bound_time__as_of_unretained__s1")
def test_store__bound_time__as_of_unretained__s1() -> None: ...


@pytest.mark.clause("store.bound-time.available-as-of")
@pytest.mark.scenario("store__bound_time__available_as_of__s1")
@scenario(FEATURE, "store__bound_time__available_as_of__s1")
def test_store__bound_time__available_as_of__s1() -> None: ...


@pytest.mark.clause("store.bound-time.bounds-together")
@pytest.mark.scenario("store__bound_time__bounds_together__s1")
@scenario(FEATURE, "store__bound_time__bounds_together__s1")
def test_store__bound_time__bounds_together__s1() -> None: ...
