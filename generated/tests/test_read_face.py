"""The scenarios of read.face, bound. Written by `python -m codegen` from spec/read/face.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/read/face.feature"
STEM = "read__face"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("read.face.one-select")
@pytest.mark.scenario("read__face__one_select__s1")
@scenario(FEATURE, "read__face__one_select__s1")
def test_read__face__one_select__s1() -> None: ...


@pytest.mark.clause("read.face.one-select")
@pytest.mark.scenario("read__face__one_select__s2")
@scenario(FEATURE, "read__face__one_select__s2")
def test_read__face__one_select__s2() -> None: ...


@pytest.mark.clause("read.face.one-select")
@pytest.mark.scenario("read__face__one_select__s3")
@scenario(FEATURE, "read__face__one_select__s3")
def test_read__face__one_select__s3() -> None: ...


@pytest.mark.clause("read.face.statement-time")
@pytest.mark.scenario("read__face__statement_time__s1")
@scenario(FEATURE, "read__face__statement_time__s1")
def test_read__face__statement_time__s1() -> None: ...


@pytest.mark.clause("read.face.covered-relations")
@pytest.mark.scenario("read__face__covered_relations__s1")
@scenario(FEATURE, "read__face__covered_relations__s1")
def test_read__face__covered_relations__s1() -> None: ...


@pytest.mark.clause("read.face.enforced")
@pytest.mark.scenario("read__face__enforced__s1")
@scenario(FEATURE, "read__face__enforced__s1")
def test_read__face__enforced__s1() -> None: ...


@pytest.mark.clause("read.face.snapshot-ids")
@pytest.mark.scenario("read__face__snapshot_ids__s1")
@scenario(FEATURE, "read__face__snapshot_ids__s1")
def test_read__face__snapshot_ids__s1() -> None: ...
