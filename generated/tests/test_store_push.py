"""The scenarios of store.push, bound. Written by `python -m codegen` from spec/store/push.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/store/push.feature"
STEM = "store__push"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("store.push.after-run")
@pytest.mark.scenario("store__push__after_run__s1")
@scenario(FEATURE, "store__push__after_run__s1")
def test_store__push__after_run__s1() -> None: ...


@pytest.mark.clause("store.push.after-run")
@pytest.mark.scenario("store__push__after_run__s2")
@scenario(FEATURE, "store__push__after_run__s2")
def test_store__push__after_run__s2() -> None: ...


@pytest.mark.clause("store.push.in-flight")
@pytest.mark.scenario("store__push__in_flight__s1")
@scenario(FEATURE, "store__push__in_flight__s1")
def test_store__push__in_flight__s1() -> None: ...


@pytest.mark.clause("store.push.bucket-manifest")
@pytest.mark.scenario("store__push__bucket_manifest__s1")
@scenario(FEATURE, "store__push__bucket_manifest__s1")
def test_store__push__bucket_manifest__s1() -> None: ...


@pytest.mark.clause("store.push.rewritten")
@pytest.mark.scenario("store__push__rewritten__s1")
@scenario(FEATURE, "store__push__rewritten__s1")
def test_store__push__rewritten__s1() -> None: ...


@pytest.mark.clause("store.push.run-state")
@pytest.mark.scenario("store__push__run_state__s1")
@scenario(FEATURE, "store__push__run_state__s1")
def test_store__push__run_state__s1() -> None: ...


@pytest.mark.clause("store.push.left-behind")
@pytest.mark.scenario("store__push__left_behind__s1")
@scenario(FEATURE, "store__push__left_behind__s1")
def test_store__push__left_behind__s1() -> None: ...
