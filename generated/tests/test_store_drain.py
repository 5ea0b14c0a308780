"""The scenarios of store.drain, bound. Written by `python -m codegen` from spec/store/drain.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/store/drain.feature"
STEM = "store__drain"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("store.drain.mark")
@pytest.mark.scenario("store__drain__mark__s1")
@scenario(FEATURE, "store__drain__mark__s1")
def test_store__drain__mark__s1() -> None: ...


@pytest.mark.clause("store.drain.mark")
@pytest.mark.scenario("store__drain__mark__s2")
@scenario(FEATURE, "store__drain__mark__s2")
def test_store__drain__mark__s2() -> None: ...


@pytest.mark.clause("store.drain.mark")
@pytest.mark.scenario("store__drain__mark__s3")
@scenario(FEATURE, "store__drain__mark__s3")
def test_store__drain__mark__s3() -> None: ...


@pytest.mark.clause("store.drain.mark")
@pytest.mark.scenario("store__drain__mark__s4")
@scenario(FEATURE, "store__drain__mark__s4")
def test_store__drain__mark__s4() -> None: ...


@pytest.mark.clause("store.drain.mark")
@pytest.mark.scenario("store__drain__mark__s5")
@scenario(FEATURE, "store__drain__mark__s5")
def test_store__drain__mark__s5() -> None: ...


@pytest.mark.clause("store.drain.record-unmarked")
@pytest.mark.scenario("store__drain__record_unmarked__s1")
@scenario(FEATURE, "store__drain__record_unmarked__s1")
def test_store__drain__record_unmarked__s1() -> None: ...


@pytest.mark.clause("store.drain.clear")
@pytest.mark.scenario("store__drain__clear__s1")
@scenario(FEATURE, "store__drain__clear__s1")
def test_store__drain__clear__s1() -> None: ...


@pytest.mark.clause("store.drain.clear")
@pytest.mark.scenario("store__drain__clear__s2")
@scenario(FEATURE, "store__drain__clear__s2")
def test_store__drain__clear__s2() -> None: ...


@pytest.mark.clause("store.drain.clear")
@pytest.mark.scenario("store__drain__clear__s3")
@scenario(FEATURE, "store__drain__clear__s3")
def test_store__drain__clear__s3() -> None: ...


@pytest.mark.clause("store.drain.clear")
@pytest.mark.scenario("store__drain__clear__s4")
@scenario(FEATURE, "store__drain__clear__s4")
def test_store__drain__clear__s4() -> None: ...


@pytest.mark.clause("store.drain.before-read")
@pytest.mark.scenario("store__drain__before_read__s1")
@scenario(FEATURE, "store__drain__before_read__s1")
def test_store__drain__before_read__s1() -> None: ...


@pytest.mark.clause("store.drain.before-read")
@pytest.mark.scenario("store__drain__before_read__s2")
@scenario(FEATURE, "store__drain__before_read__s2")
def test_store__drain__before_read__s2() -> None: ...


@pytest.mark.clause("store.drain.before-read")
@pytest.mark.scenario("store__drain__before_read__s3")
@scenario(FEATURE, "store__drain__before_read__s3")
def test_store__drain__before_read__s3() -> None: ...


@pytest.mark.clause("store.drain.deadline")
@pytest.mark.scenario("store__drain__deadline__s1")
@scenario(FEATURE, "store__drain__deadline__s1")
def test_store__drain__deadline__s1() -> None: ...


@pytest.mark.clause("store.drain.unfinished")
@pytest.mark.scenario("store__drain__unfinished__s1")
@scenario(FEATURE, "store__drain__unfinished__s1")
def test_store__drain__unfinished__s1() -> None: ...


@pytest.mark.clause("store.drain.unfinished")
@pytest.mark.scenario("store__drain__unfinished__s2")
@scenario(FEATURE, "store__drain__unfinished__s2")
def test_store__drain__unfinished__s2() -> None: ...


@pytest.mark.clause("store.drain.status")
@pytest.mark.scenario("store__drain__status__s1")
@scenario(FEATURE, "store__drain__status__s1")
def test_store__drain__status__s1() -> None: ...


@pytest.mark.clause("store.drain.status")
@pytest.mark.scenario("store__drain__status__s2")
@scenario(FEATURE, "store__drain__status__s2")
def test_store__drain__status__s2() -> None: ...


@pytest.mark.clause("store.drain.status-summary")
@pytest.mark.scenario("store__drain__status_summary__s1")
@scenario(FEATURE, "store__drain__status_summary__s1")
def test_store__drain__status_summary__s1() -> None: ...


@pytest.mark.clause("store.drain.status-all")
@pytest.mark.scenario("store__drain__status_all__s1")
@scenario(FEATURE, "store__drain__status_all__s1")
def test_store__drain__status_all__s1() -> None: ...


@pytest.mark.clause("store.drain.status-unread")
@pytest.mark.scenario("store__drain__status_unread__s1")
@scenario(FEATURE, "store__drain__status_unread__s1")
def test_store__drain__status_unread__s1() -> None: ...


@pytest.mark.clause("store.drain.prune")
@pytest.mark.scenario("store__drain__prune__s1")
@scenario(FEATURE, "store__drain__prune__s1")
def test_store__drain__prune__s1() -> None: ...


@pytest.mark.clause("store.drain.prune")
@pytest.mark.scenario("store__drain__prune__s2")
@scenario(FEATURE, "store__drain__prune__s2")
def test_store__drain__prune__s2() -> None: ...
