"""The scenarios of authority.redact, bound. Written by `python -m codegen` from spec/authority/redact.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/authority/redact.feature"
STEM = "authority__redact"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("authority.redact.declaration")
@pytest.mark.scenario("authority__redact__declaration__s1")
@scenario(FEATURE, "authority__redact__declaration__s1")
def test_authority__redact__declaration__s1() -> None: ...


@pytest.mark.clause("authority.redact.declaration")
@pytest.mark.scenario("authority__redact__declaration__s2")
@scenario(FEATURE, "authority__redact__declaration__s2")
def test_authority__redact__declaration__s2() -> None: ...


@pytest.mark.clause("authority.redact.bounds")
@pytest.mark.scenario("authority__redact__bounds__s1")
@scenario(FEATURE, "authority__redact__bounds__s1")
def test_authority__redact__bounds__s1() -> None: ...


@pytest.mark.clause("authority.redact.bounds")
@pytest.mark.scenario("authority__redact__bounds__s2")
@scenario(FEATURE, "authority__redact__bounds__s2")
def test_authority__redact__bounds__s2() -> None: ...


@pytest.mark.clause("authority.redact.bounds")
@pytest.mark.scenario("authority__redact__bounds__s3")
@scenario(FEATURE, "authority__redact__bounds__s3")
def test_authority__redact__bounds__s3() -> None: ...


@pytest.mark.clause("authority.redact.before-the-record")
@pytest.mark.scenario("authority__redact__before_the_record__s1")
@scenario(FEATURE, "authority__redact__before_the_record__s1")
def test_authority__redact__before_the_record__s1() -> None: ...


@pytest.mark.clause("authority.redact.before-the-record")
@pytest.mark.scenario("authority__redact__before_the_record__s2")
@scenario(FEATURE, "authority__redact__before_the_record__s2")
def test_authority__redact__before_the_record__s2() -> None: ...


@pytest.mark.clause("authority.redact.no-foreign-envelope")
@pytest.mark.scenario("authority__redact__no_foreign_envelope__s1")
@scenario(FEATURE, "authority__redact__no_foreign_envelope__s1")
def test_authority__redact__no_foreign_envelope__s1() -> None: ...


@pytest.mark.clause("authority.redact.continuation")
@pytest.mark.scenario("authority__redact__continuation__s1")
@scenario(FEATURE, "authority__redact__continuation__s1")
def test_authority__redact__continuation__s1() -> None: ...


@pytest.mark.clause("authority.redact.continuation")
@pytest.mark.scenario("authority__redact__continuation__s2")
@scenario(FEATURE, "authority__redact__continuation__s2")
def test_authority__redact__continuation__s2() -> None: ...


@pytest.mark.clause("authority.redact.clock-lineage")
@pytest.mark.scenario("authority__redact__clock_lineage__s1")
@scenario(FEATURE, "authority__redact__clock_lineage__s1")
def test_authority__redact__clock_lineage__s1() -> None: ...


@pytest.mark.clause("authority.redact.typed-effects")
@pytest.mark.scenario("authority__redact__typed_effects__s1")
@scenario(FEATURE, "authority__redact__typed_effects__s1")
def test_authority__redact__typed_effects__s1() -> None: ...
