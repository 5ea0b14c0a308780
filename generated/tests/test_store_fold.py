"""The scenarios of store.fold, bound. Written by `python -m codegen` from spec/store/fold.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/store/fold.feature"
STEM = "store__fold"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("store.fold.triggers")
@pytest.mark.scenario("store__fold__triggers__s1")
@scenario(FEATURE, "store__fold__triggers__s1")
def test_store__fold__triggers__s1() -> None: ...


@pytest.mark.clause("store.fold.triggers")
@pytest.mark.scenario("store__fold__triggers__s2")
@scenario(FEATURE, "store__fold__triggers__s2")
def test_store__fold__triggers__s2() -> None: ...


@pytest.mark.clause("store.fold.triggers")
@pytest.mark.scenario("store__fold__triggers__s3")
@scenario(FEATURE, "store__fold__triggers__s3")
def test_store__fold__triggers__s3() -> None: ...


@pytest.mark.clause("store.fold.triggers")
@pytest.mark.scenario("store__fold__triggers__s4")
@scenario(FEATURE, "store__fold__triggers__s4")
def test_store__fold__triggers__s4() -> None: ...


@pytest.mark.clause("store.fold.same-read")
@pytest.mark.scenario("store__fold__same_read__s1")
@scenario(FEATURE, "store__fold__same_read__s1")
def test_store__fold__same_read__s1() -> None: ...


@pytest.mark.clause("store.fold.frontier-kept")
@pytest.mark.scenario("store__fold__frontier_kept__s1")
@scenario(FEATURE, "store__fold__frontier_kept__s1")
def test_store__fold__frontier_kept__s1() -> None: ...


@pytest.mark.clause("store.fold.retention")
@pytest.mark.scenario("store__fold__retention__s1")
@scenario(FEATURE, "store__fold__retention__s1")
def test_store__fold__retention__s1() -> None: ...


@pytest.mark.clause("store.fold.retention")
@pytest.mark.scenario("store__fold__retention__s2")
@scenario(FEATURE, "store__fold__retention__s2")
def test_store__fold__retention__s2() -> None: ...
