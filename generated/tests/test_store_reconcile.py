"""The scenarios of store.reconcile, bound. Written by `python -m codegen` from spec/store/reconcile.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/store/reconcile.feature"
STEM = "store__reconcile"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("store.reconcile.first-sight")
@pytest.mark.scenario("store__reconcile__first_sight__s1")
@scenario(FEATURE, "store__reconcile__first_sight__s1")
def test_store__reconcile__first_sight__s1() -> None: ...


@pytest.mark.clause("store.reconcile.additive")
@pytest.mark.scenario("store__reconcile__additive__s1")
@scenario(FEATURE, "store__reconcile__additive__s1")
def test_store__reconcile__additive__s1() -> None: ...


@pytest.mark.clause("store.reconcile.promotion")
@pytest.mark.scenario("store__reconcile__promotion__s1")
@scenario(FEATURE, "store__reconcile__promotion__s1")
def test_store__reconcile__promotion__s1() -> None: ...


@pytest.mark.clause("store.reconcile.promotion")
@pytest.mark.scenario("store__reconcile__promotion__s2")
@scenario(FEATURE, "store__reconcile__promotion__s2")
def test_store__reconcile__promotion__s2() -> None: ...


@pytest.mark.clause("store.reconcile.promotion-exact")
@pytest.mark.scenario("store__reconcile__promotion_exact__s1")
@scenario(FEATURE, "store__reconcile__promotion_exact__s1")
def test_store__reconcile__promotion_exact__s1() -> None: ...


@pytest.mark.clause("store.reconcile.promotion-exact")
@pytest.mark.scenario("store__reconcile__promotion_exact__s2")
@scenario(FEATURE, "store__reconcile__promotion_exact__s2")
def test_store__reconcile__promotion_exact__s2() -> None: ...


@pytest.mark.clause("store.reconcile.key-widening")
@pytest.mark.scenario("store__reconcile__key_widening__s1")
@scenario(FEATURE, "store__reconcile__key_widening__s1")
def test_store__reconcile__key_widening__s1() -> None: ...


@pytest.mark.clause("store.reconcile.incompatible")
@pytest.mark.scenario("store__reconcile__incompatible__s1")
@scenario(FEATURE, "store__reconcile__incompatible__s1")
def test_store__reconcile__incompatible__s1() -> None: ...
