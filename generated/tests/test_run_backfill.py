"""The scenarios of run.backfill, bound. Written by `python -m codegen` from spec/run/backfill.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/backfill.feature"
STEM = "run__backfill"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.backfill.chunk-plan")
@pytest.mark.scenario("run__backfill__chunk_plan__s1")
@scenario(FEATURE, "run__backfill__chunk_plan__s1")
def test_run__backfill__chunk_plan__s1() -> None: ...


@pytest.mark.clause("run.backfill.chunk-plan")
@pytest.mark.scenario("run__backfill__chunk_plan__s2")
@scenario(FEATURE, "run__backfill__chunk_plan__s2")
def test_run__backfill__chunk_plan__s2() -> None: ...


@pytest.mark.clause("run.backfill.chunk-parallelism")
@pytest.mark.scenario("run__backfill__chunk_parallelism__s1")
@scenario(FEATURE, "run__backfill__chunk_parallelism__s1")
def test_run__backfill__chunk_parallelism__s1() -> None: ...


@pytest.mark.clause("run.backfill.chunk-lease")
@pytest.mark.scenario("run__backfill__chunk_lease__s1")
@scenario(FEATURE, "run__backfill__chunk_lease__s1")
def test_run__backfill__chunk_lease__s1() -> None: ...


@pytest.mark.clause("run.backfill.chunk-lease")
@pytest.mark.scenario("run__backfill__chunk_lease__s2")
@scenario(FEATURE, "run__backfill__chunk_lease__s2")
def test_run__backfill__chunk_lease__s2() -> None: ...


@pytest.mark.clause("run.backfill.chunk-commit")
@pytest.mark.scenario("run__backfill__chunk_commit__s1")
@scenario(FEATURE, "run__backfill__chunk_commit__s1")
def test_run__backfill__chunk_commit__s1() -> None: ...


@pytest.mark.clause("run.backfill.chunk-rewind")
@pytest.mark.scenario("run__backfill__chunk_rewind__s1")
@scenario(FEATURE, "run__backfill__chunk_rewind__s1")
def test_run__backfill__chunk_rewind__s1() -> None: ...


@pytest.mark.clause("run.backfill.chunk-rewind")
@pytest.mark.scenario("run__backfill__chunk_rewind__s2")
@scenario(FEATURE, "run__backfill__chunk_rewind__s2")
def test_run__backfill__chunk_rewind__s2() -> None: ...


@pytest.mark.clause("run.backfill.rewind-window-invalid")
@pytest.mark.scenario("run__backfill__rewind_window_invalid__s1")
@scenario(FEATURE, "run__backfill__rewind_window_invalid__s1")
def test_run__backfill__rewind_window_invalid__s1() -> None: ...
