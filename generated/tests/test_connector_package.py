"""The scenarios of connector.package, bound. Written by `python -m codegen` from spec/connector/package.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/connector/package.feature"
STEM = "connector__package"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("connector.package.linear-memory")
@pytest.mark.scenario("connector__package__linear_memory__s1")
@scenario(FEATURE, "connector__package__linear_memory__s1")
def test_connector__package__linear_memory__s1() -> None: ...


@pytest.mark.clause("connector.package.linear-memory")
@pytest.mark.scenario("connector__package__linear_memory__s2")
@scenario(FEATURE, "connector__package__linear_memory__s2")
def test_connector__package__linear_memory__s2() -> None: ...


@pytest.mark.clause("connector.package.call-deadline")
@pytest.mark.scenario("connector__package__call_deadline__s1")
@scenario(FEATURE, "connector__package__call_deadline__s1")
def test_connector__package__call_deadline__s1() -> None: ...


@pytest.mark.clause("connector.package.call-deadline")
@pytest.mark.scenario("connector__package__call_deadline__s2")
@scenario(FEATURE, "connector__package__call_deadline__s2")
def test_connector__package__call_deadline__s2() -> None: ...


@pytest.mark.clause("connector.package.world")
@pytest.mark.scenario("connector__package__world__s1")
@scenario(FEATURE, "connector__package__world__s1")
def test_connector__package__world__s1() -> None: ...


@pytest.mark.clause("connector.package.content-hash")
@pytest.mark.scenario("connector__package__content_hash__s1")
@scenario(FEATURE, "connector__package__content_hash__s1")
def test_connector__package__content_hash__s1() -> None: ...


@pytest.mark.clause("connector.package.hot-reload")
@pytest.mark.scenario("connector__package__hot_reload__s1")
@scenario(FEATURE, "connector__package__hot_reload__s1")
def test_connector__package__hot_reload__s1() -> None: ...
