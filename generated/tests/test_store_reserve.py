"""The scenarios of store.reserve, bound. Written by `python -m codegen` from spec/store/reserve.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/store/reserve.feature"
STEM = "store__reserve"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("store.reserve.table-namespaces")
@pytest.mark.scenario("store__reserve__table_namespaces__s1")
@scenario(FEATURE, "store__reserve__table_namespaces__s1")
def test_store__reserve__table_namespaces__s1() -> None: ...


@pytest.mark.clause("store.reserve.table-namespaces")
@pytest.mark.scenario("store__reserve__table_namespaces__s2")
@scenario(FEATURE, "store__reserve__table_namespaces__s2")
def test_store__reserve__table_namespaces__s2() -> None: ...


@pytest.mark.clause("store.reserve.column-namespaces")
@pytest.mark.scenario("store__reserve__column_namespaces__s1")
@scenario(FEATURE, "store__reserve__column_namespaces__s1")
def test_store__reserve__column_namespaces__s1() -> None: ...


@pytest.mark.clause("store.reserve.column-namespaces")
@pytest.mark.scenario("store__reserve__column_namespaces__s2")
@scenario(FEATURE, "store__reserve__column_namespaces__s2")
def test_store__reserve__column_namespaces__s2() -> None: ...


@pytest.mark.clause("store.reserve.column-shape")
@pytest.mark.scenario("store__reserve__column_shape__s1")
@scenario(FEATURE, "store__reserve__column_shape__s1")
def test_store__reserve__column_shape__s1() -> None: ...


@pytest.mark.clause("store.reserve.injected")
@pytest.mark.scenario("store__reserve__injected__s1")
@scenario(FEATURE, "store__reserve__injected__s1")
def test_store__reserve__injected__s1() -> None: ...


@pytest.mark.clause("store.reserve.injected")
@pytest.mark.scenario("store__reserve__injected__s2")
@scenario(FEATURE, "store__reserve__injected__s2")
def test_store__reserve__injected__s2() -> None: ...


@pytest.mark.clause("store.reserve.commit-seq")
@pytest.mark.scenario("store__reserve__commit_seq__s1")
@scenario(FEATURE, "store__reserve__commit_seq__s1")
def test_store__reserve__commit_seq__s1() -> None: ...


@pytest.mark.clause("store.reserve.commit-instant")
@pytest.mark.scenario("store__reserve__commit_instant__s1")
@scenario(FEATURE, "store__reserve__commit_instant__s1")
def test_store__reserve__commit_instant__s1() -> None: ...


@pytest.mark.clause("store.reserve.commit-order")
@pytest.mark.scenario("store__reserve__commit_order__s1")
@scenario(FEATURE, "store__reserve__commit_order__s1")
def test_store__reserve__commit_order__s1() -> None: ...


@pytest.mark.clause("store.reserve.request-ledger")
@pytest.mark.scenario("store__reserve__request_ledger__s1")
@scenario(FEATURE, "store__reserve__request_ledger__s1")
def test_store__reserve__request_ledger__s1() -> None: ...
