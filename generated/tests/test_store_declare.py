"""The scenarios of store.declare, bound. Written by `python -m codegen` from spec/store/declare.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/store/declare.feature"
STEM = "store__declare"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("store.declare.dedup-view")
@pytest.mark.scenario("store__declare__dedup_view__s1")
@scenario(FEATURE, "store__declare__dedup_view__s1")
def test_store__declare__dedup_view__s1() -> None: ...


@pytest.mark.clause("store.declare.dedup-view")
@pytest.mark.scenario("store__declare__dedup_view__s2")
@scenario(FEATURE, "store__declare__dedup_view__s2")
def test_store__declare__dedup_view__s2() -> None: ...


@pytest.mark.clause("store.declare.declared-columns")
@pytest.mark.scenario("store__declare__declared_columns__s1")
@scenario(FEATURE, "store__declare__declared_columns__s1")
def test_store__declare__declared_columns__s1() -> None: ...


@pytest.mark.clause("store.declare.declared-columns")
@pytest.mark.scenario("store__declare__declared_columns__s2")
@scenario(FEATURE, "store__declare__declared_columns__s2")
def test_store__declare__declared_columns__s2() -> None: ...


@pytest.mark.clause("store.declare.keyless-union")
@pytest.mark.scenario("store__declare__keyless_union__s1")
@scenario(FEATURE, "store__declare__keyless_union__s1")
def test_store__declare__keyless_union__s1() -> None: ...


@pytest.mark.clause("store.declare.write-mode")
@pytest.mark.scenario("store__declare__write_mode__s1")
@scenario(FEATURE, "store__declare__write_mode__s1")
def test_store__declare__write_mode__s1() -> None: ...


@pytest.mark.clause("store.declare.write-mode")
@pytest.mark.scenario("store__declare__write_mode__s2")
@scenario(FEATURE, "store__declare__write_mode__s2")
def test_store__declare__write_mode__s2() -> None: ...


@pytest.mark.clause("store.declare.replace-frontier")
@pytest.mark.scenario("store__declare__replace_frontier__s1")
@scenario(FEATURE, "store__declare__replace_frontier__s1")
def test_store__declare__replace_frontier__s1() -> None: ...


@pytest.mark.clause("store.declare.empty-replacement")
@pytest.mark.scenario("store__declare__empty_replacement__s1")
@scenario(FEATURE, "store__declare__empty_replacement__s1")
def test_store__declare__empty_replacement__s1() -> None: ...


@pytest.mark.clause("store.declare.empty-run")
@pytest.mark.scenario("store__declare__empty_run__s1")
@scenario(FEATURE, "store__declare__empty_run__s1")
def test_store__declare__empty_run__s1() -> None: ...


@pytest.mark.clause("store.declare.available-time")
@pytest.mark.scenario("store__declare__available_time__s1")
@scenario(FEATURE, "store__declare__available_time__s1")
def test_store__declare__available_time__s1() -> None: ...
