"""The scenarios of run.record, bound. Written by `python -m codegen` from spec/run/record.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/record.feature"
STEM = "run__record"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.record.reserved-table")
@pytest.mark.scenario("run__record__reserved_table__s1")
@scenario(FEATURE, "run__record__reserved_table__s1")
def test_run__record__reserved_table__s1() -> None: ...


@pytest.mark.clause("run.record.reserved-table")
@pytest.mark.scenario("run__record__reserved_table__s2")
@scenario(FEATURE, "run__record__reserved_table__s2")
def test_run__record__reserved_table__s2() -> None: ...


@pytest.mark.clause("run.record.columns")
@pytest.mark.scenario("run__record__columns__s1")
@scenario(FEATURE, "run__record__columns__s1")
def test_run__record__columns__s1() -> None: ...


@pytest.mark.clause("run.record.trace-context")
@pytest.mark.scenario("run__record__trace_context__s1")
@scenario(FEATURE, "run__record__trace_context__s1")
def test_run__record__trace_context__s1() -> None: ...


@pytest.mark.clause("run.record.trace-context")
@pytest.mark.scenario("run__record__trace_context__s2")
@scenario(FEATURE, "run__record__trace_context__s2")
def test_run__record__trace_context__s2() -> None: ...


@pytest.mark.clause("run.record.run-span")
@pytest.mark.scenario("run__record__run_span__s1")
@scenario(FEATURE, "run__record__run_span__s1")
def test_run__record__run_span__s1() -> None: ...


@pytest.mark.clause("run.record.job-trace")
@pytest.mark.scenario("run__record__job_trace__s1")
@scenario(FEATURE, "run__record__job_trace__s1")
def test_run__record__job_trace__s1() -> None: ...


@pytest.mark.clause("run.record.status-set")
@pytest.mark.scenario("run__record__status_set__s1")
@scenario(FEATURE, "run__record__status_set__s1")
def test_run__record__status_set__s1() -> None: ...


@pytest.mark.clause("run.record.row-at-open")
@pytest.mark.scenario("run__record__row_at_open__s1")
@scenario(FEATURE, "run__record__row_at_open__s1")
def test_run__record__row_at_open__s1() -> None: ...


@pytest.mark.clause("run.record.row-at-open")
@pytest.mark.scenario("run__record__row_at_open__s2")
@scenario(FEATURE, "run__record__row_at_open__s2")
def test_run__record__row_at_open__s2() -> None: ...


@pytest.mark.clause("run.record.row-at-open")
@pytest.mark.scenario("run__record__row_at_open__s3")
@scenario(FEATURE, "run__record__row_at_open__s3")
def test_run__record__row_at_open__s3() -> None: ...


@pytest.mark.clause("run.record.row-at-open")
@pytest.mark.scenario("run__record__row_at_open__s4")
@scenario(FEATURE, "run__record__row_at_open__s4")
def test_run__record__row_at_open__s4() -> None: ...


@pytest.mark.clause("run.record.record-folds")
@pytest.mark.scenario("run__record__record_folds__s1")
@scenario(FEATURE, "run__record__record_folds__s1")
def test_run__record__record_folds__s1() -> None: ...


@pytest.mark.clause("run.record.record-folds")
@pytest.mark.scenario("run__record__record_folds__s2")
@scenario(FEATURE, "run__record__record_folds__s2")
def test_run__record__record_folds__s2() -> None: ...


@pytest.mark.clause("run.record.record-folds")
@pytest.mark.scenario("run__record__record_folds__s3")
@scenario(FEATURE, "run__record__record_folds__s3")
def test_run__record__record_folds__s3() -> None: ...


@pytest.mark.clause("run.record.rebuild-restores-history")
@pytest.mark.scenario("run__record__rebuild_restores_history__s1")
@scenario(FEATURE, "run__record__rebuild_restores_history__s1")
def test_run__record__rebuild_restores_history__s1() -> None: ...


@pytest.mark.clause("run.record.time-travel")
@pytest.mark.scenario("run__record__time_travel__s1")
@scenario(FEATURE, "run__record__time_travel__s1")
def test_run__record__time_travel__s1() -> None: ...


@pytest.mark.clause("run.record.owner-lease")
@pytest.mark.scenario("run__record__owner_lease__s1")
@scenario(FEATURE, "run__record__owner_lease__s1")
def test_run__record__owner_lease__s1() -> None: ...


@pytest.mark.clause("run.record.owner-lease")
@pytest.mark.scenario("run__record__owner_lease__s2")
@scenario(FEATURE, "run__record__owner_lease__s2")
def test_run__record__owner_lease__s2() -> None: ...


@pytest.mark.clause("run.record.orphan-reap")
@pytest.mark.scenario("run__record__orphan_reap__s1")
@scenario(FEATURE, "run__record__orphan_reap__s1")
def test_run__record__orphan_reap__s1() -> None: ...


@pytest.mark.clause("run.record.orphan-reap")
@pytest.mark.scenario("run__record__orphan_reap__s2")
@scenario(FEATURE, "run__record__orphan_reap__s2")
def test_run__record__orphan_reap__s2() -> None: ...


@pytest.mark.clause("run.record.orphan-reap")
@pytest.mark.scenario("run__record__orphan_reap__s3")
@scenario(FEATURE, "run__record__orphan_reap__s3")
def test_run__record__orphan_reap__s3() -> None: ...


@pytest.mark.clause("run.record.orphan-reap")
@pytest.mark.scenario("run__record__orphan_reap__s4")
@scenario(FEATURE, "run__record__orphan_reap__s4")
def test_run__record__orphan_reap__s4() -> None: ...


@pytest.mark.clause("run.record.taken-over")
@pytest.mark.scenario("run__record__taken_over__s1")
@scenario(FEATURE, "run__record__taken_over__s1")
def test_run__record__taken_over__s1() -> None: ...


@pytest.mark.clause("run.record.taken-over")
@pytest.mark.scenario("run__record__taken_over__s2")
@scenario(FEATURE, "run__record__taken_over__s2")
def test_run__record__taken_over__s2() -> None: ...


@pytest.mark.clause("run.record.writing-site")
@pytest.mark.scenario("run__record__writing_site__s1")
@scenario(FEATURE, "run__record__writing_site__s1")
def test_run__record__writing_site__s1() -> None: ...


@pytest.mark.clause("run.record.site-id-length")
@pytest.mark.scenario("run__record__site_id_length__s1")
@scenario(FEATURE, "run__record__site_id_length__s1")
def test_run__record__site_id_length__s1() -> None: ...


@pytest.mark.clause("run.record.site-id-length")
@pytest.mark.scenario("run__record__site_id_length__s2")
@scenario(FEATURE, "run__record__site_id_length__s2")
def test_run__record__site_id_length__s2() -> None: ...


@pytest.mark.clause("run.record.site-id-length")
@pytest.mark.scenario("run__record__site_id_length__s3")
@scenario(FEATURE, "run__record__site_id_length__s3")
def test_run__record__site_id_length__s3() -> None: ...


@pytest.mark.clause("run.record.site-id-length")
@pytest.mark.scenario("run__record__site_id_length__s4")
@scenario(FEATURE, "run__record__site_id_length__s4")
def test_run__record__site_id_length__s4() -> None: ...


@pytest.mark.clause("run.record.site-id-length")
@pytest.mark.scenario("run__record__site_id_length__s5")
@scenario(FEATURE, "run__record__site_id_length__s5")
def test_run__record__site_id_length__s5() -> None: ...


@pytest.mark.clause("run.record.site-id-unresolved")
@pytest.mark.scenario("run__record__site_id_unresolved__s1")
@scenario(FEATURE, "run__record__site_id_unresolved__s1")
def test_run__record__site_id_unresolved__s1() -> None: ...


@pytest.mark.clause("run.record.site-id-unresolved")
@pytest.mark.scenario("run__record__site_id_unresolved__s2")
@scenario(FEATURE, "run__record__site_id_unresolved__s2")
def test_run__record__site_id_unresolved__s2() -> None: ...


@pytest.mark.clause("run.record.site-id-unresolved")
@pytest.mark.scenario("run__record__site_id_unresolved__s3")
@scenario(FEATURE, "run__record__site_id_unresolved__s3")
def test_run__record__site_id_unresolved__s3() -> None: ...


@pytest.mark.clause("run.record.site-id-unresolved")
@pytest.mark.scenario("run__record__site_id_unresolved__s4")
@scenario(FEATURE, "run__record__site_id_unresolved__s4")
def test_run__record__site_id_unresolved__s4() -> None: ...


@pytest.mark.clause("run.record.history-window")
@pytest.mark.scenario("run__record__history_window__s1")
@scenario(FEATURE, "run__record__history_window__s1")
def test_run__record__history_window__s1() -> None: ...


@pytest.mark.clause("run.record.history-window")
@pytest.mark.scenario("run__record__history_window__s2")
@scenario(FEATURE, "run__record__history_window__s2")
def test_run__record__history_window__s2() -> None: ...


@pytest.mark.clause("run.record.describe-window")
@pytest.mark.scenario("run__record__describe_window__s1")
@scenario(FEATURE, "run__record__describe_window__s1")
def test_run__record__describe_window__s1() -> None: ...


@pytest.mark.clause("run.record.describe-window")
@pytest.mark.scenario("run__record__describe_window__s2")
@scenario(FEATURE, "run__record__describe_window__s2")
def test_run__record__describe_window__s2() -> None: ...


@pytest.mark.clause("run.record.bound-spelling")
@pytest.mark.scenario("run__record__bound_spelling__s1")
@scenario(FEATURE, "run__record__bound_spelling__s1")
def test_run__record__bound_spelling__s1() -> None: ...


@pytest.mark.clause("run.record.bound-spelling")
@pytest.mark.scenario("run__record__bound_spelling__s2")
@scenario(FEATURE, "run__record__bound_spelling__s2")
def test_run__record__bound_spelling__s2() -> None: ...


@pytest.mark.clause("run.record.truncation-flag")
@pytest.mark.scenario("run__record__truncation_flag__s1")
@scenario(FEATURE, "run__record__truncation_flag__s1")
def test_run__record__truncation_flag__s1() -> None: ...


@pytest.mark.clause("run.record.truncation-flag")
@pytest.mark.scenario("run__record__truncation_flag__s2")
@scenario(FEATURE, "run__record__truncation_flag__s2")
def test_run__record__truncation_flag__s2() -> None: ...


@pytest.mark.clause("run.record.truncation-flag")
@pytest.mark.scenario("run__record__truncation_flag__s3")
@scenario(FEATURE, "run__record__truncation_flag__s3")
def test_run__record__truncation_flag__s3() -> None: ...


@pytest.mark.clause("run.record.history-export")
@pytest.mark.scenario("run__record__history_export__s1")
@scenario(FEATURE, "run__record__history_export__s1")
def test_run__record__history_export__s1() -> None: ...


@pytest.mark.clause("run.record.export-ceiling")
@pytest.mark.scenario("run__record__export_ceiling__s1")
@scenario(FEATURE, "run__record__export_ceiling__s1")
def test_run__record__export_ceiling__s1() -> None: ...


@pytest.mark.clause("run.record.export-ceiling")
@pytest.mark.scenario("run__record__export_ceiling__s2")
@scenario(FEATURE, "run__record__export_ceiling__s2")
def test_run__record__export_ceiling__s2() -> None: ...


@pytest.mark.clause("run.record.export-ceiling")
@pytest.mark.scenario("run__record__export_ceiling__s3")
@scenario(FEATURE, "run__record__export_ceiling__s3")
def test_run__record__export_ceiling__s3() -> None: ...


@pytest.mark.clause("run.record.error-cap")
@pytest.mark.scenario("run__record__error_cap__s1")
@scenario(FEATURE, "run__record__error_cap__s1")
def test_run__record__error_cap__s1() -> None: ...


@pytest.mark.clause("run.record.error-cap")
@pytest.mark.scenario("run__record__error_cap__s2")
@scenario(FEATURE, "run__record__error_cap__s2")
def test_run__record__error_cap__s2() -> None: ...


@pytest.mark.clause("run.record.failure-publishes")
@pytest.mark.scenario("run__record__failure_publishes__s1")
@scenario(FEATURE, "run__record__failure_publishes__s1")
def test_run__record__failure_publishes__s1() -> None: ...


@pytest.mark.clause("run.record.skipped-count")
@pytest.mark.scenario("run__record__skipped_count__s1")
@scenario(FEATURE, "run__record__skipped_count__s1")
def test_run__record__skipped_count__s1() -> None: ...


@pytest.mark.clause("run.record.skipped-count")
@pytest.mark.scenario("run__record__skipped_count__s2")
@scenario(FEATURE, "run__record__skipped_count__s2")
def test_run__record__skipped_count__s2() -> None: ...


@pytest.mark.clause("run.record.sweep-bounds")
@pytest.mark.scenario("run__record__sweep_bounds__s1")
@scenario(FEATURE, "run__record__sweep_bounds__s1")
def test_run__record__sweep_bounds__s1() -> None: ...


@pytest.mark.clause("run.record.sweep-bounds")
@pytest.mark.scenario("run__record__sweep_bounds__s2")
@scenario(FEATURE, "run__record__sweep_bounds__s2")
def test_run__record__sweep_bounds__s2() -> None: ...


@pytest.mark.clause("run.record.plan-identity")
@pytest.mark.scenario("run__record__plan_identity__s1")
@scenario(FEATURE, "run__record__plan_identity__s1")
def test_run__record__plan_identity__s1() -> None: ...


@pytest.mark.clause("run.record.plan-identity")
@pytest.mark.scenario("run__record__plan_identity__s2")
@scenario(FEATURE, "run__record__plan_identity__s2")
def test_run__record__plan_identity__s2() -> None: ...


@pytest.mark.clause("run.record.schema-diff-home")
@pytest.mark.scenario("run__record__schema_diff_home__s1")
@scenario(FEATURE, "run__record__schema_diff_home__s1")
def test_run__record__schema_diff_home__s1() -> None: ...


@pytest.mark.clause("run.record.schema-diff-home")
@pytest.mark.scenario("run__record__schema_diff_home__s2")
@scenario(FEATURE, "run__record__schema_diff_home__s2")
def test_run__record__schema_diff_home__s2() -> None: ...


@pytest.mark.clause("run.record.schema-diff-shape")
@pytest.mark.scenario("run__record__schema_diff_shape__s1")
@scenario(FEATURE, "run__record__schema_diff_shape__s1")
def test_run__record__schema_diff_shape__s1() -> None: ...
