"""The scenarios of run.land, bound. Written by `python -m codegen` from spec/run/land.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/land.feature"
STEM = "run__land"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.land.stage-order")
@pytest.mark.scenario("run__land__stage_order__s1")
@scenario(FEATURE, "run__land__stage_order__s1")
def test_run__land__stage_order__s1() -> None: ...


@pytest.mark.clause("run.land.stage-order")
@pytest.mark.scenario("run__land__stage_order__s2")
@scenario(FEATURE, "run__land__stage_order__s2")
def test_run__land__stage_order__s2() -> None: ...


@pytest.mark.clause("run.land.normalize")
@pytest.mark.scenario("run__land__normalize__s1")
@scenario(FEATURE, "run__land__normalize__s1")
def test_run__land__normalize__s1() -> None: ...


@pytest.mark.clause("run.land.normalize")
@pytest.mark.scenario("run__land__normalize__s2")
@scenario(FEATURE, "run__land__normalize__s2")
def test_run__land__normalize__s2() -> None: ...


@pytest.mark.clause("run.land.transform")
@pytest.mark.scenario("run__land__transform__s1")
@scenario(FEATURE, "run__land__transform__s1")
def test_run__land__transform__s1() -> None: ...


@pytest.mark.clause("run.land.transform")
@pytest.mark.scenario("run__land__transform__s2")
@scenario(FEATURE, "run__land__transform__s2")
def test_run__land__transform__s2() -> None: ...


@pytest.mark.clause("run.land.typed-pull")
@pytest.mark.scenario("run__land__typed_pull__s1")
@scenario(FEATURE, "run__land__typed_pull__s1")
def test_run__land__typed_pull__s1() -> None: ...


@pytest.mark.clause("run.land.typed-pull")
@pytest.mark.scenario("run__land__typed_pull__s2")
@scenario(FEATURE, "run__land__typed_pull__s2")
def test_run__land__typed_pull__s2() -> None: ...


@pytest.mark.clause("run.land.late-type")
@pytest.mark.scenario("run__land__late_type__s1")
@scenario(FEATURE, "run__land__late_type__s1")
def test_run__land__late_type__s1() -> None: ...


@pytest.mark.clause("run.land.on-table-error")
@pytest.mark.scenario("run__land__on_table_error__s1")
@scenario(FEATURE, "run__land__on_table_error__s1")
def test_run__land__on_table_error__s1() -> None: ...


@pytest.mark.clause("run.land.on-table-error")
@pytest.mark.scenario("run__land__on_table_error__s2")
@scenario(FEATURE, "run__land__on_table_error__s2")
def test_run__land__on_table_error__s2() -> None: ...


@pytest.mark.clause("run.land.table-failed")
@pytest.mark.scenario("run__land__table_failed__s1")
@scenario(FEATURE, "run__land__table_failed__s1")
def test_run__land__table_failed__s1() -> None: ...


@pytest.mark.clause("run.land.unknown-destination")
@pytest.mark.scenario("run__land__unknown_destination__s1")
@scenario(FEATURE, "run__land__unknown_destination__s1")
def test_run__land__unknown_destination__s1() -> None: ...
