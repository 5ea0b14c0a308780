"""The scenarios of run.declare, bound. Written by `python -m codegen` from spec/run/declare.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/declare.feature"
STEM = "run__declare"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.declare.content-hash")
@pytest.mark.scenario("run__declare__content_hash__s1")
@scenario(FEATURE, "run__declare__content_hash__s1")
def test_run__declare__content_hash__s1() -> None: ...


@pytest.mark.clause("run.declare.content-hash")
@pytest.mark.scenario("run__declare__content_hash__s2")
@scenario(FEATURE, "run__declare__content_hash__s2")
def test_run__declare__content_hash__s2() -> None: ...


@pytest.mark.clause("run.declare.manifest-missing")
@pytest.mark.scenario("run__declare__manifest_missing__s1")
@scenario(FEATURE, "run__declare__manifest_missing__s1")
def test_run__declare__manifest_missing__s1() -> None: ...


@pytest.mark.clause("run.declare.table-name")
@pytest.mark.scenario("run__declare__table_name__s1")
@scenario(FEATURE, "run__declare__table_name__s1")
def test_run__declare__table_name__s1() -> None: ...


@pytest.mark.clause("run.declare.table-name-collision")
@pytest.mark.scenario("run__declare__table_name_collision__s1")
@scenario(FEATURE, "run__declare__table_name_collision__s1")
def test_run__declare__table_name_collision__s1() -> None: ...


@pytest.mark.clause("run.declare.unknown-key")
@pytest.mark.scenario("run__declare__unknown_key__s1")
@scenario(FEATURE, "run__declare__unknown_key__s1")
def test_run__declare__unknown_key__s1() -> None: ...


@pytest.mark.clause("run.declare.unknown-block")
@pytest.mark.scenario("run__declare__unknown_block__s1")
@scenario(FEATURE, "run__declare__unknown_block__s1")
def test_run__declare__unknown_block__s1() -> None: ...


@pytest.mark.clause("run.declare.duplicate-id")
@pytest.mark.scenario("run__declare__duplicate_id__s1")
@scenario(FEATURE, "run__declare__duplicate_id__s1")
def test_run__declare__duplicate_id__s1() -> None: ...


@pytest.mark.clause("run.declare.invalid")
@pytest.mark.scenario("run__declare__invalid__s1")
@scenario(FEATURE, "run__declare__invalid__s1")
def test_run__declare__invalid__s1() -> None: ...


@pytest.mark.clause("run.declare.replace-unsupported")
@pytest.mark.scenario("run__declare__replace_unsupported__s1")
@scenario(FEATURE, "run__declare__replace_unsupported__s1")
def test_run__declare__replace_unsupported__s1() -> None: ...


@pytest.mark.clause("run.declare.replace-unsupported")
@pytest.mark.scenario("run__declare__replace_unsupported__s2")
@scenario(FEATURE, "run__declare__replace_unsupported__s2")
def test_run__declare__replace_unsupported__s2() -> None: ...
