"""The scenarios of connector.meter, bound. Written by `python -m codegen` from spec/connector/meter.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/connector/meter.feature"
STEM = "connector__meter"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("connector.meter.permit-per-request")
@pytest.mark.scenario("connector__meter__permit_per_request__s1")
@scenario(FEATURE, "connector__meter__permit_per_request__s1")
def test_connector__meter__permit_per_request__s1() -> None: ...


@pytest.mark.clause("connector.meter.unmetered")
@pytest.mark.scenario("connector__meter__unmetered__s1")
@scenario(FEATURE, "connector__meter__unmetered__s1")
def test_connector__meter__unmetered__s1() -> None: ...


@pytest.mark.clause("connector.meter.acquire-call")
@pytest.mark.scenario("connector__meter__acquire_call__s1")
@scenario(FEATURE, "connector__meter__acquire_call__s1")
def test_connector__meter__acquire_call__s1() -> None: ...


@pytest.mark.clause("connector.meter.denial-ceiling")
@pytest.mark.scenario("connector__meter__denial_ceiling__s1")
@scenario(FEATURE, "connector__meter__denial_ceiling__s1")
def test_connector__meter__denial_ceiling__s1() -> None: ...


@pytest.mark.clause("connector.meter.replay-reservation")
@pytest.mark.scenario("connector__meter__replay_reservation__s1")
@scenario(FEATURE, "connector__meter__replay_reservation__s1")
def test_connector__meter__replay_reservation__s1() -> None: ...
