"""The scenarios of run.items, bound. Written by `python -m codegen` from spec/run/items.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/items.feature"
STEM = "run__items"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.items.opt-in")
@pytest.mark.scenario("run__items__opt_in__s1")
@scenario(FEATURE, "run__items__opt_in__s1")
def test_run__items__opt_in__s1() -> None: ...


@pytest.mark.clause("run.items.opt-in")
@pytest.mark.scenario("run__items__opt_in__s2")
@scenario(FEATURE, "run__items__opt_in__s2")
def test_run__items__opt_in__s2() -> None: ...


@pytest.mark.clause("run.items.identity")
@pytest.mark.scenario("run__items__identity__s1")
@scenario(FEATURE, "run__items__identity__s1")
def test_run__items__identity__s1() -> None: ...


@pytest.mark.clause("run.items.identity")
@pytest.mark.scenario("run__items__identity__s2")
@scenario(FEATURE, "run__items__identity__s2")
def test_run__items__identity__s2() -> None: ...


@pytest.mark.clause("run.items.identity")
@pytest.mark.scenario("run__items__identity__s3")
@scenario(FEATURE, "run__items__identity__s3")
def test_run__items__identity__s3() -> None: ...


@pytest.mark.clause("run.items.identity")
@pytest.mark.scenario("run__items__identity__s4")
@scenario(FEATURE, "run__items__identity__s4")
def test_run__items__identity__s4() -> None: ...


@pytest.mark.clause("run.items.identity")
@pytest.mark.scenario("run__items__identity__s5")
@scenario(FEATURE, "run__items__identity__s5")
def test_run__items__identity__s5() -> None: ...


@pytest.mark.clause("run.items.identity")
@pytest.mark.scenario("run__items__identity__s6")
@scenario(FEATURE, "run__items__identity__s6")
def test_run__items__identity__s6() -> None: ...


@pytest.mark.clause("run.items.completion")
@pytest.mark.scenario("run__items__completion__s1")
@scenario(FEATURE, "run__items__completion__s1")
def test_run__items__completion__s1() -> None: ...


@pytest.mark.clause("run.items.completion")
@pytest.mark.scenario("run__items__completion__s2")
@scenario(FEATURE, "run__items__completion__s2")
def test_run__items__completion__s2() -> None: ...


@pytest.mark.clause("run.items.completion")
@pytest.mark.scenario("run__items__completion__s3")
@scenario(FEATURE, "run__items__completion__s3")
def test_run__items__completion__s3() -> None: ...


@pytest.mark.clause("run.items.outcomes")
@pytest.mark.scenario("run__items__outcomes__s1")
@scenario(FEATURE, "run__items__outcomes__s1")
def test_run__items__outcomes__s1() -> None: ...


@pytest.mark.clause("run.items.outcomes")
@pytest.mark.scenario("run__items__outcomes__s2")
@scenario(FEATURE, "run__items__outcomes__s2")
def test_run__items__outcomes__s2() -> None: ...


@pytest.mark.clause("run.items.outcomes")
@pytest.mark.scenario("run__items__outcomes__s3")
@scenario(FEATURE, "run__items__outcomes__s3")
def test_run__items__outcomes__s3() -> None: ...


@pytest.mark.clause("run.items.retry-budget")
@pytest.mark.scenario("run__items__retry_budget__s1")
@scenario(FEATURE, "run__items__retry_budget__s1")
def test_run__items__retry_budget__s1() -> None: ...


@pytest.mark.clause("run.items.retry-budget")
@pytest.mark.scenario("run__items__retry_budget__s2")
@scenario(FEATURE, "run__items__retry_budget__s2")
def test_run__items__retry_budget__s2() -> None: ...


@pytest.mark.clause("run.items.retry-budget")
@pytest.mark.scenario("run__items__retry_budget__s3")
@scenario(FEATURE, "run__items__retry_budget__s3")
def test_run__items__retry_budget__s3() -> None: ...


@pytest.mark.clause("run.items.replay")
@pytest.mark.scenario("run__items__replay__s1")
@scenario(FEATURE, "run__items__replay__s1")
def test_run__items__replay__s1() -> None: ...


@pytest.mark.clause("run.items.entity-admission")
@pytest.mark.scenario("run__items__entity_admission__s1")
@scenario(FEATURE, "run__items__entity_admission__s1")
def test_run__items__entity_admission__s1() -> None: ...


@pytest.mark.clause("run.items.entity-admission")
@pytest.mark.scenario("run__items__entity_admission__s2")
@scenario(FEATURE, "run__items__entity_admission__s2")
def test_run__items__entity_admission__s2() -> None: ...


@pytest.mark.clause("run.items.entity-admission")
@pytest.mark.scenario("run__items__entity_admission__s3")
@scenario(FEATURE, "run__items__entity_admission__s3")
def test_run__items__entity_admission__s3() -> None: ...


@pytest.mark.clause("run.items.fence")
@pytest.mark.scenario("run__items__fence__s1")
@scenario(FEATURE, "run__items__fence__s1")
def test_run__items__fence__s1() -> None: ...


@pytest.mark.clause("run.items.delegated-item")
@pytest.mark.scenario("run__items__delegated_item__s1")
@scenario(FEATURE, "run__items__delegated_item__s1")
def test_run__items__delegated_item__s1() -> None: ...


@pytest.mark.clause("run.items.outcome-record")
@pytest.mark.scenario("run__items__outcome_record__s1")
@scenario(FEATURE, "run__items__outcome_record__s1")
def test_run__items__outcome_record__s1() -> None: ...


@pytest.mark.clause("run.items.outcome-record")
@pytest.mark.scenario("run__items__outcome_record__s2")
@scenario(FEATURE, "run__items__outcome_record__s2")
def test_run__items__outcome_record__s2() -> None: ...


@pytest.mark.clause("run.items.terminal-outcome")
@pytest.mark.scenario("run__items__terminal_outcome__s1")
@scenario(FEATURE, "run__items__terminal_outcome__s1")
def test_run__items__terminal_outcome__s1() -> None: ...


@pytest.mark.clause("run.items.terminal-outcome")
@pytest.mark.scenario("run__items__terminal_outcome__s2")
@scenario(FEATURE, "run__items__terminal_outcome__s2")
def test_run__items__terminal_outcome__s2() -> None: ...


@pytest.mark.clause("run.items.terminal-outcome")
@pytest.mark.scenario("run__items__terminal_outcome__s3")
@scenario(FEATURE, "run__items__terminal_outcome__s3")
def test_run__items__terminal_outcome__s3() -> None: ...


@pytest.mark.clause("run.items.waiting-item")
@pytest.mark.scenario("run__items__waiting_item__s1")
@scenario(FEATURE, "run__items__waiting_item__s1")
def test_run__items__waiting_item__s1() -> None: ...


@pytest.mark.clause("run.items.waiting-item")
@pytest.mark.scenario("run__items__waiting_item__s2")
@scenario(FEATURE, "run__items__waiting_item__s2")
def test_run__items__waiting_item__s2() -> None: ...


@pytest.mark.clause("run.items.served-key")
@pytest.mark.scenario("run__items__served_key__s1")
@scenario(FEATURE, "run__items__served_key__s1")
def test_run__items__served_key__s1() -> None: ...
