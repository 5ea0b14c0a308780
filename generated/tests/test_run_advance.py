"""The scenarios of run.advance, bound. Written by `python -m codegen` from spec/run/advance.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/advance.feature"
STEM = "run__advance"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.advance.cursor-kind")
@pytest.mark.scenario("run__advance__cursor_kind__s1")
@scenario(FEATURE, "run__advance__cursor_kind__s1")
def test_run__advance__cursor_kind__s1() -> None: ...


@pytest.mark.clause("run.advance.cursor-kind")
@pytest.mark.scenario("run__advance__cursor_kind__s2")
@scenario(FEATURE, "run__advance__cursor_kind__s2")
def test_run__advance__cursor_kind__s2() -> None: ...


@pytest.mark.clause("run.advance.cursor-kind")
@pytest.mark.scenario("run__advance__cursor_kind__s3")
@scenario(FEATURE, "run__advance__cursor_kind__s3")
def test_run__advance__cursor_kind__s3() -> None: ...


@pytest.mark.clause("run.advance.concurrency-by-kind")
@pytest.mark.scenario("run__advance__concurrency_by_kind__s1")
@scenario(FEATURE, "run__advance__concurrency_by_kind__s1")
def test_run__advance__concurrency_by_kind__s1() -> None: ...


@pytest.mark.clause("run.advance.concurrency-by-kind")
@pytest.mark.scenario("run__advance__concurrency_by_kind__s2")
@scenario(FEATURE, "run__advance__concurrency_by_kind__s2")
def test_run__advance__concurrency_by_kind__s2() -> None: ...


@pytest.mark.clause("run.advance.commit-with-rows")
@pytest.mark.scenario("run__advance__commit_with_rows__s1")
@scenario(FEATURE, "run__advance__commit_with_rows__s1")
def test_run__advance__commit_with_rows__s1() -> None: ...


@pytest.mark.clause("run.advance.commit-with-rows")
@pytest.mark.scenario("run__advance__commit_with_rows__s2")
@scenario(FEATURE, "run__advance__commit_with_rows__s2")
def test_run__advance__commit_with_rows__s2() -> None: ...


@pytest.mark.clause("run.advance.cursor-bytes")
@pytest.mark.scenario("run__advance__cursor_bytes__s1")
@scenario(FEATURE, "run__advance__cursor_bytes__s1")
def test_run__advance__cursor_bytes__s1() -> None: ...


@pytest.mark.clause("run.advance.cursor-bytes")
@pytest.mark.scenario("run__advance__cursor_bytes__s2")
@scenario(FEATURE, "run__advance__cursor_bytes__s2")
def test_run__advance__cursor_bytes__s2() -> None: ...


@pytest.mark.clause("run.advance.inclusive-boundary")
@pytest.mark.scenario("run__advance__inclusive_boundary__s1")
@scenario(FEATURE, "run__advance__inclusive_boundary__s1")
def test_run__advance__inclusive_boundary__s1() -> None: ...


@pytest.mark.clause("run.advance.inclusive-boundary")
@pytest.mark.scenario("run__advance__inclusive_boundary__s2")
@scenario(FEATURE, "run__advance__inclusive_boundary__s2")
def test_run__advance__inclusive_boundary__s2() -> None: ...


@pytest.mark.clause("run.advance.inclusive-boundary")
@pytest.mark.scenario("run__advance__inclusive_boundary__s3")
@scenario(FEATURE, "run__advance__inclusive_boundary__s3")
def test_run__advance__inclusive_boundary__s3() -> None: ...


@pytest.mark.clause("run.advance.watermark-shape")
@pytest.mark.scenario("run__advance__watermark_shape__s1")
@scenario(FEATURE, "run__advance__watermark_shape__s1")
def test_run__advance__watermark_shape__s1() -> None: ...


@pytest.mark.clause("run.advance.field-rename")
@pytest.mark.scenario("run__advance__field_rename__s1")
@scenario(FEATURE, "run__advance__field_rename__s1")
def test_run__advance__field_rename__s1() -> None: ...


@pytest.mark.clause("run.advance.frontier")
@pytest.mark.scenario("run__advance__frontier__s1")
@scenario(FEATURE, "run__advance__frontier__s1")
def test_run__advance__frontier__s1() -> None: ...


@pytest.mark.clause("run.advance.frontier")
@pytest.mark.scenario("run__advance__frontier__s2")
@scenario(FEATURE, "run__advance__frontier__s2")
def test_run__advance__frontier__s2() -> None: ...


@pytest.mark.clause("run.advance.frontier")
@pytest.mark.scenario("run__advance__frontier__s3")
@scenario(FEATURE, "run__advance__frontier__s3")
def test_run__advance__frontier__s3() -> None: ...


@pytest.mark.clause("run.advance.walk-position")
@pytest.mark.scenario("run__advance__walk_position__s1")
@scenario(FEATURE, "run__advance__walk_position__s1")
def test_run__advance__walk_position__s1() -> None: ...


@pytest.mark.clause("run.advance.walk-position")
@pytest.mark.scenario("run__advance__walk_position__s2")
@scenario(FEATURE, "run__advance__walk_position__s2")
def test_run__advance__walk_position__s2() -> None: ...


@pytest.mark.clause("run.advance.unorderable-position")
@pytest.mark.scenario("run__advance__unorderable_position__s1")
@scenario(FEATURE, "run__advance__unorderable_position__s1")
def test_run__advance__unorderable_position__s1() -> None: ...


@pytest.mark.clause("run.advance.unorderable-position")
@pytest.mark.scenario("run__advance__unorderable_position__s2")
@scenario(FEATURE, "run__advance__unorderable_position__s2")
def test_run__advance__unorderable_position__s2() -> None: ...


@pytest.mark.clause("run.advance.allowed-lateness")
@pytest.mark.scenario("run__advance__allowed_lateness__s1")
@scenario(FEATURE, "run__advance__allowed_lateness__s1")
def test_run__advance__allowed_lateness__s1() -> None: ...


@pytest.mark.clause("run.advance.allowed-lateness")
@pytest.mark.scenario("run__advance__allowed_lateness__s2")
@scenario(FEATURE, "run__advance__allowed_lateness__s2")
def test_run__advance__allowed_lateness__s2() -> None: ...


@pytest.mark.clause("run.advance.turning-incremental-on")
@pytest.mark.scenario("run__advance__turning_incremental_on__s1")
@scenario(FEATURE, "run__advance__turning_incremental_on__s1")
def test_run__advance__turning_incremental_on__s1() -> None: ...


@pytest.mark.clause("run.advance.skip-unchanged")
@pytest.mark.scenario("run__advance__skip_unchanged__s1")
@scenario(FEATURE, "run__advance__skip_unchanged__s1")
def test_run__advance__skip_unchanged__s1() -> None: ...


@pytest.mark.clause("run.advance.skip-unchanged")
@pytest.mark.scenario("run__advance__skip_unchanged__s2")
@scenario(FEATURE, "run__advance__skip_unchanged__s2")
def test_run__advance__skip_unchanged__s2() -> None: ...


@pytest.mark.clause("run.advance.snapshot-completion")
@pytest.mark.scenario("run__advance__snapshot_completion__s1")
@scenario(FEATURE, "run__advance__snapshot_completion__s1")
def test_run__advance__snapshot_completion__s1() -> None: ...


@pytest.mark.clause("run.advance.snapshot-completion")
@pytest.mark.scenario("run__advance__snapshot_completion__s2")
@scenario(FEATURE, "run__advance__snapshot_completion__s2")
def test_run__advance__snapshot_completion__s2() -> None: ...


@pytest.mark.clause("run.advance.zero-row-commit")
@pytest.mark.scenario("run__advance__zero_row_commit__s1")
@scenario(FEATURE, "run__advance__zero_row_commit__s1")
def test_run__advance__zero_row_commit__s1() -> None: ...


@pytest.mark.clause("run.advance.zero-row-commit")
@pytest.mark.scenario("run__advance__zero_row_commit__s2")
@scenario(FEATURE, "run__advance__zero_row_commit__s2")
def test_run__advance__zero_row_commit__s2() -> None: ...


@pytest.mark.clause("run.advance.zero-row-commit")
@pytest.mark.scenario("run__advance__zero_row_commit__s3")
@scenario(FEATURE, "run__advance__zero_row_commit__s3")
def test_run__advance__zero_row_commit__s3() -> None: ...
