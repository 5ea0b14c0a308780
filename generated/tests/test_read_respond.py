"""The scenarios of read.respond, bound. Written by `python -m codegen` from spec/read/respond.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/read/respond.feature"
STEM = "read__respond"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("read.respond.projection")
@pytest.mark.scenario("read__respond__projection__s1")
@scenario(FEATURE, "read__respond__projection__s1")
def test_read__respond__projection__s1() -> None: ...


@pytest.mark.clause("read.respond.row-ceiling")
@pytest.mark.scenario("read__respond__row_ceiling__s1")
@scenario(FEATURE, "read__respond__row_ceiling__s1")
def test_read__respond__row_ceiling__s1() -> None: ...


@pytest.mark.clause("read.respond.row-ceiling")
@pytest.mark.scenario("read__respond__row_ceiling__s2")
@scenario(FEATURE, "read__respond__row_ceiling__s2")
def test_read__respond__row_ceiling__s2() -> None: ...


@pytest.mark.clause("read.respond.row-ceiling")
@pytest.mark.scenario("read__respond__row_ceiling__s3")
@scenario(FEATURE, "read__respond__row_ceiling__s3")
def test_read__respond__row_ceiling__s3() -> None: ...


@pytest.mark.clause("read.respond.face-ceiling")
@pytest.mark.scenario("read__respond__face_ceiling__s1")
@scenario(FEATURE, "read__respond__face_ceiling__s1")
def test_read__respond__face_ceiling__s1() -> None: ...


@pytest.mark.clause("read.respond.wide-numbers")
@pytest.mark.scenario("read__respond__wide_numbers__s1")
@scenario(FEATURE, "read__respond__wide_numbers__s1")
def test_read__respond__wide_numbers__s1() -> None: ...


@pytest.mark.clause("read.respond.wide-numbers")
@pytest.mark.scenario("read__respond__wide_numbers__s2")
@scenario(FEATURE, "read__respond__wide_numbers__s2")
def test_read__respond__wide_numbers__s2() -> None: ...


@pytest.mark.clause("read.respond.wide-numbers")
@pytest.mark.scenario("read__respond__wide_numbers__s3")
@scenario(FEATURE, "read__respond__wide_numbers__s3")
def test_read__respond__wide_numbers__s3() -> None: ...


@pytest.mark.clause("read.respond.bounds-echo")
@pytest.mark.scenario("read__respond__bounds_echo__s1")
@scenario(FEATURE, "read__respond__bounds_echo__s1")
def test_read__respond__bounds_echo__s1() -> None: ...
