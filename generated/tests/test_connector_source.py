"""The scenarios of connector.source, bound. Written by `python -m codegen` from spec/connector/source.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/connector/source.feature"
STEM = "connector__source"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("connector.source.pull-answer")
@pytest.mark.scenario("connector__source__pull_answer__s1")
@scenario(FEATURE, "connector__source__pull_answer__s1")
def test_connector__source__pull_answer__s1() -> None: ...


@pytest.mark.clause("connector.source.http-class")
@pytest.mark.scenario("connector__source__http_class__s1")
@scenario(FEATURE, "connector__source__http_class__s1")
def test_connector__source__http_class__s1() -> None: ...


@pytest.mark.clause("connector.source.http-class")
@pytest.mark.scenario("connector__source__http_class__s2")
@scenario(FEATURE, "connector__source__http_class__s2")
def test_connector__source__http_class__s2() -> None: ...


@pytest.mark.clause("connector.source.http-class")
@pytest.mark.scenario("connector__source__http_class__s3")
@scenario(FEATURE, "connector__source__http_class__s3")
def test_connector__source__http_class__s3() -> None: ...


@pytest.mark.clause("connector.source.http-class")
@pytest.mark.scenario("connector__source__http_class__s4")
@scenario(FEATURE, "connector__source__http_class__s4")
def test_connector__source__http_class__s4() -> None: ...


@pytest.mark.clause("connector.source.next-url-walk")
@pytest.mark.scenario("connector__source__next_url_walk__s1")
@scenario(FEATURE, "connector__source__next_url_walk__s1")
def test_connector__source__next_url_walk__s1() -> None: ...


@pytest.mark.clause("connector.source.page-cap")
@pytest.mark.scenario("connector__source__page_cap__s1")
@scenario(FEATURE, "connector__source__page_cap__s1")
def test_connector__source__page_cap__s1() -> None: ...


@pytest.mark.clause("connector.source.page-loop")
@pytest.mark.scenario("connector__source__page_loop__s1")
@scenario(FEATURE, "connector__source__page_loop__s1")
def test_connector__source__page_loop__s1() -> None: ...


@pytest.mark.clause("connector.source.file-growth")
@pytest.mark.scenario("connector__source__file_growth__s1")
@scenario(FEATURE, "connector__source__file_growth__s1")
def test_connector__source__file_growth__s1() -> None: ...


@pytest.mark.clause("connector.source.file-growth")
@pytest.mark.scenario("connector__source__file_growth__s2")
@scenario(FEATURE, "connector__source__file_growth__s2")
def test_connector__source__file_growth__s2() -> None: ...


@pytest.mark.clause("connector.source.file-changed")
@pytest.mark.scenario("connector__source__file_changed__s1")
@scenario(FEATURE, "connector__source__file_changed__s1")
def test_connector__source__file_changed__s1() -> None: ...


@pytest.mark.clause("connector.source.file-tail")
@pytest.mark.scenario("connector__source__file_tail__s1")
@scenario(FEATURE, "connector__source__file_tail__s1")
def test_connector__source__file_tail__s1() -> None: ...


@pytest.mark.clause("connector.source.file-tail")
@pytest.mark.scenario("connector__source__file_tail__s2")
@scenario(FEATURE, "connector__source__file_tail__s2")
def test_connector__source__file_tail__s2() -> None: ...


@pytest.mark.clause("connector.source.no-file")
@pytest.mark.scenario("connector__source__no_file__s1")
@scenario(FEATURE, "connector__source__no_file__s1")
def test_connector__source__no_file__s1() -> None: ...
