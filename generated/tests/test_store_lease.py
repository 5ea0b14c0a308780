"""The scenarios of store.lease, bound. Written by `python -m codegen` from spec/store/lease.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/store/lease.feature"
STEM = "store__lease"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("store.lease.single-writer")
@pytest.mark.scenario("store__lease__single_writer__s1")
@scenario(FEATURE, "store__lease__single_writer__s1")
def test_store__lease__single_writer__s1() -> None: ...


@pytest.mark.clause("store.lease.single-writer")
@pytest.mark.scenario("store__lease__single_writer__s2")
@scenario(FEATURE, "store__lease__single_writer__s2")
def test_store__lease__single_writer__s2() -> None: ...


@pytest.mark.clause("store.lease.fence-grows")
@pytest.mark.scenario("store__lease__fence_grows__s1")
@scenario(FEATURE, "store__lease__fence_grows__s1")
def test_store__lease__fence_grows__s1() -> None: ...


@pytest.mark.clause("store.lease.clock-skew")
@pytest.mark.scenario("store__lease__clock_skew__s1")
@scenario(FEATURE, "store__lease__clock_skew__s1")
def test_store__lease__clock_skew__s1() -> None: ...


@pytest.mark.clause("store.lease.clock-skew")
@pytest.mark.scenario("store__lease__clock_skew__s2")
@scenario(FEATURE, "store__lease__clock_skew__s2")
def test_store__lease__clock_skew__s2() -> None: ...


@pytest.mark.clause("store.lease.held")
@pytest.mark.scenario("store__lease__held__s1")
@scenario(FEATURE, "store__lease__held__s1")
def test_store__lease__held__s1() -> None: ...


@pytest.mark.clause("store.lease.fenced")
@pytest.mark.scenario("store__lease__fenced__s1")
@scenario(FEATURE, "store__lease__fenced__s1")
def test_store__lease__fenced__s1() -> None: ...


@pytest.mark.clause("store.lease.not-held")
@pytest.mark.scenario("store__lease__not_held__s1")
@scenario(FEATURE, "store__lease__not_held__s1")
def test_store__lease__not_held__s1() -> None: ...


@pytest.mark.clause("store.lease.node-id-local")
@pytest.mark.scenario("store__lease__node_id_local__s1")
@scenario(FEATURE, "store__lease__node_id_local__s1")
def test_store__lease__node_id_local__s1() -> None: ...
