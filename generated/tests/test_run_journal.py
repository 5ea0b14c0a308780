"""The scenarios of run.journal, bound. Written by `python -m codegen` from spec/run/journal.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/journal.feature"
STEM = "run__journal"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.journal.step-output")
@pytest.mark.scenario("run__journal__step_output__s1")
@scenario(FEATURE, "run__journal__step_output__s1")
def test_run__journal__step_output__s1() -> None: ...


@pytest.mark.clause("run.journal.step-output")
@pytest.mark.scenario("run__journal__step_output__s2")
@scenario(FEATURE, "run__journal__step_output__s2")
def test_run__journal__step_output__s2() -> None: ...


@pytest.mark.clause("run.journal.entry-key")
@pytest.mark.scenario("run__journal__entry_key__s1")
@scenario(FEATURE, "run__journal__entry_key__s1")
def test_run__journal__entry_key__s1() -> None: ...


@pytest.mark.clause("run.journal.entry-key")
@pytest.mark.scenario("run__journal__entry_key__s2")
@scenario(FEATURE, "run__journal__entry_key__s2")
def test_run__journal__entry_key__s2() -> None: ...


@pytest.mark.clause("run.journal.claim-takeover")
@pytest.mark.scenario("run__journal__claim_takeover__s1")
@scenario(FEATURE, "run__journal__claim_takeover__s1")
def test_run__journal__claim_takeover__s1() -> None: ...


@pytest.mark.clause("run.journal.claim-takeover")
@pytest.mark.scenario("run__journal__claim_takeover__s2")
@scenario(FEATURE, "run__journal__claim_takeover__s2")
def test_run__journal__claim_takeover__s2() -> None: ...


@pytest.mark.clause("run.journal.claim-takeover")
@pytest.mark.scenario("run__journal__claim_takeover__s3")
@scenario(FEATURE, "run__journal__claim_takeover__s3")
def test_run__journal__claim_takeover__s3() -> None: ...


@pytest.mark.clause("run.journal.idempotency-key")
@pytest.mark.scenario("run__journal__idempotency_key__s1")
@scenario(FEATURE, "run__journal__idempotency_key__s1")
def test_run__journal__idempotency_key__s1() -> None: ...


@pytest.mark.clause("run.journal.idempotency-key")
@pytest.mark.scenario("run__journal__idempotency_key__s2")
@scenario(FEATURE, "run__journal__idempotency_key__s2")
def test_run__journal__idempotency_key__s2() -> None: ...


@pytest.mark.clause("run.journal.inline-cutoff")
@pytest.mark.scenario("run__journal__inline_cutoff__s1")
@scenario(FEATURE, "run__journal__inline_cutoff__s1")
def test_run__journal__inline_cutoff__s1() -> None: ...


@pytest.mark.clause("run.journal.inline-cutoff")
@pytest.mark.scenario("run__journal__inline_cutoff__s2")
@scenario(FEATURE, "run__journal__inline_cutoff__s2")
def test_run__journal__inline_cutoff__s2() -> None: ...


@pytest.mark.clause("run.journal.blob-write")
@pytest.mark.scenario("run__journal__blob_write__s1")
@scenario(FEATURE, "run__journal__blob_write__s1")
def test_run__journal__blob_write__s1() -> None: ...


@pytest.mark.clause("run.journal.blob-write")
@pytest.mark.scenario("run__journal__blob_write__s2")
@scenario(FEATURE, "run__journal__blob_write__s2")
def test_run__journal__blob_write__s2() -> None: ...


@pytest.mark.clause("run.journal.missing-blob")
@pytest.mark.scenario("run__journal__missing_blob__s1")
@scenario(FEATURE, "run__journal__missing_blob__s1")
def test_run__journal__missing_blob__s1() -> None: ...


@pytest.mark.clause("run.journal.collection")
@pytest.mark.scenario("run__journal__collection__s1")
@scenario(FEATURE, "run__journal__collection__s1")
def test_run__journal__collection__s1() -> None: ...


@pytest.mark.clause("run.journal.collection")
@pytest.mark.scenario("run__journal__collection__s2")
@scenario(FEATURE, "run__journal__collection__s2")
def test_run__journal__collection__s2() -> None: ...


@pytest.mark.clause("run.journal.one-cutoff")
@pytest.mark.scenario("run__journal__one_cutoff__s1")
@scenario(FEATURE, "run__journal__one_cutoff__s1")
def test_run__journal__one_cutoff__s1() -> None: ...


@pytest.mark.clause("run.journal.one-cutoff")
@pytest.mark.scenario("run__journal__one_cutoff__s2")
@scenario(FEATURE, "run__journal__one_cutoff__s2")
def test_run__journal__one_cutoff__s2() -> None: ...


@pytest.mark.clause("run.journal.one-cutoff")
@pytest.mark.scenario("run__journal__one_cutoff__s3")
@scenario(FEATURE, "run__journal__one_cutoff__s3")
def test_run__journal__one_cutoff__s3() -> None: ...


@pytest.mark.clause("run.journal.fan-out-join")
@pytest.mark.scenario("run__journal__fan_out_join__s1")
@scenario(FEATURE, "run__journal__fan_out_join__s1")
def test_run__journal__fan_out_join__s1() -> None: ...


@pytest.mark.clause("run.journal.fan-out-join")
@pytest.mark.scenario("run__journal__fan_out_join__s2")
@scenario(FEATURE, "run__journal__fan_out_join__s2")
def test_run__journal__fan_out_join__s2() -> None: ...


@pytest.mark.clause("run.journal.blob-sweep")
@pytest.mark.scenario("run__journal__blob_sweep__s1")
@scenario(FEATURE, "run__journal__blob_sweep__s1")
def test_run__journal__blob_sweep__s1() -> None: ...


@pytest.mark.clause("run.journal.blob-sweep")
@pytest.mark.scenario("run__journal__blob_sweep__s2")
@scenario(FEATURE, "run__journal__blob_sweep__s2")
def test_run__journal__blob_sweep__s2() -> None: ...


@pytest.mark.clause("run.journal.blob-sweep")
@pytest.mark.scenario("run__journal__blob_sweep__s3")
@scenario(FEATURE, "run__journal__blob_sweep__s3")
def test_run__journal__blob_sweep__s3() -> None: ...


@pytest.mark.clause("run.journal.blob-sweep")
@pytest.mark.scenario("run__journal__blob_sweep__s4")
@scenario(FEATURE, "run__journal__blob_sweep__s4")
def test_run__journal__blob_sweep__s4() -> None: ...


@pytest.mark.clause("run.journal.blob-sweep")
@pytest.mark.scenario("run__journal__blob_sweep__s5")
@scenario(FEATURE, "run__journal__blob_sweep__s5")
def test_run__journal__blob_sweep__s5() -> None: ...


@pytest.mark.clause("run.journal.effect-boundary")
@pytest.mark.scenario("run__journal__effect_boundary__s1")
@scenario(FEATURE, "run__journal__effect_boundary__s1")
def test_run__journal__effect_boundary__s1() -> None: ...


@pytest.mark.clause("run.journal.unwired-capability")
@pytest.mark.scenario("run__journal__unwired_capability__s1")
@scenario(FEATURE, "run__journal__unwired_capability__s1")
def test_run__journal__unwired_capability__s1() -> None: ...


@pytest.mark.clause("run.journal.machine-state")
@pytest.mark.scenario("run__journal__machine_state__s1")
@scenario(FEATURE, "run__journal__machine_state__s1")
def test_run__journal__machine_state__s1() -> None: ...


@pytest.mark.clause("run.journal.machine-state")
@pytest.mark.scenario("run__journal__machine_state__s2")
@scenario(FEATURE, "run__journal__machine_state__s2")
def test_run__journal__machine_state__s2() -> None: ...


@pytest.mark.clause("run.journal.recorded-batch")
@pytest.mark.scenario("run__journal__recorded_batch__s1")
@scenario(FEATURE, "run__journal__recorded_batch__s1")
def test_run__journal__recorded_batch__s1() -> None: ...


@pytest.mark.clause("run.journal.recorded-batch")
@pytest.mark.scenario("run__journal__recorded_batch__s2")
@scenario(FEATURE, "run__journal__recorded_batch__s2")
def test_run__journal__recorded_batch__s2() -> None: ...


@pytest.mark.clause("run.journal.replay-lands")
@pytest.mark.scenario("run__journal__replay_lands__s1")
@scenario(FEATURE, "run__journal__replay_lands__s1")
def test_run__journal__replay_lands__s1() -> None: ...


@pytest.mark.clause("run.journal.replay-lands")
@pytest.mark.scenario("run__journal__replay_lands__s2")
@scenario(FEATURE, "run__journal__replay_lands__s2")
def test_run__journal__replay_lands__s2() -> None: ...


@pytest.mark.clause("run.journal.replay-lands")
@pytest.mark.scenario("run__journal__replay_lands__s3")
@scenario(FEATURE, "run__journal__replay_lands__s3")
def test_run__journal__replay_lands__s3() -> None: ...


@pytest.mark.clause("run.journal.replay-lands")
@pytest.mark.scenario("run__journal__replay_lands__s4")
@scenario(FEATURE, "run__journal__replay_lands__s4")
def test_run__journal__replay_lands__s4() -> None: ...


@pytest.mark.clause("run.journal.replay-lands")
@pytest.mark.scenario("run__journal__replay_lands__s5")
@scenario(FEATURE, "run__journal__replay_lands__s5")
def test_run__journal__replay_lands__s5() -> None: ...


@pytest.mark.clause("run.journal.replay-lands")
@pytest.mark.scenario("run__journal__replay_lands__s6")
@scenario(FEATURE, "run__journal__replay_lands__s6")
def test_run__journal__replay_lands__s6() -> None: ...


@pytest.mark.clause("run.journal.ledger-settles-first")
@pytest.mark.scenario("run__journal__ledger_settles_first__s1")
@scenario(FEATURE, "run__journal__ledger_settles_first__s1")
def test_run__journal__ledger_settles_first__s1() -> None: ...


@pytest.mark.clause("run.journal.redacting-source")
@pytest.mark.scenario("run__journal__redacting_source__s1")
@scenario(FEATURE, "run__journal__redacting_source__s1")
def test_run__journal__redacting_source__s1() -> None: ...


@pytest.mark.clause("run.journal.redacting-source")
@pytest.mark.scenario("run__journal__redacting_source__s2")
@scenario(FEATURE, "run__journal__redacting_source__s2")
def test_run__journal__redacting_source__s2() -> None: ...


@pytest.mark.clause("run.journal.prepared-owner")
@pytest.mark.scenario("run__journal__prepared_owner__s1")
@scenario(FEATURE, "run__journal__prepared_owner__s1")
def test_run__journal__prepared_owner__s1() -> None: ...


@pytest.mark.clause("run.journal.prepared-replay")
@pytest.mark.scenario("run__journal__prepared_replay__s1")
@scenario(FEATURE, "run__journal__prepared_replay__s1")
def test_run__journal__prepared_replay__s1() -> None: ...


@pytest.mark.clause("run.journal.opt-out")
@pytest.mark.scenario("run__journal__opt_out__s1")
@scenario(FEATURE, "run__journal__opt_out__s1")
def test_run__journal__opt_out__s1() -> None: ...


@pytest.mark.clause("run.journal.opt-out")
@pytest.mark.scenario("run__journal__opt_out__s2")
@scenario(FEATURE, "run__journal__opt_out__s2")
def test_run__journal__opt_out__s2() -> None: ...


@pytest.mark.clause("run.journal.opt-out")
@pytest.mark.scenario("run__journal__opt_out__s3")
@scenario(FEATURE, "run__journal__opt_out__s3")
def test_run__journal__opt_out__s3() -> None: ...


@pytest.mark.clause("run.journal.escape-hatch")
@pytest.mark.scenario("run__journal__escape_hatch__s1")
@scenario(FEATURE, "run__journal__escape_hatch__s1")
def test_run__journal__escape_hatch__s1() -> None: ...


@pytest.mark.clause("run.journal.substrate-port")
@pytest.mark.scenario("run__journal__substrate_port__s1")
@scenario(FEATURE, "run__journal__substrate_port__s1")
def test_run__journal__substrate_port__s1() -> None: ...


@pytest.mark.clause("run.journal.storage-ports")
@pytest.mark.scenario("run__journal__storage_ports__s1")
@scenario(FEATURE, "run__journal__storage_ports__s1")
def test_run__journal__storage_ports__s1() -> None: ...


@pytest.mark.clause("run.journal.storage-ports")
@pytest.mark.scenario("run__journal__storage_ports__s2")
@scenario(FEATURE, "run__journal__storage_ports__s2")
def test_run__journal__storage_ports__s2() -> None: ...


@pytest.mark.clause("run.journal.sqlite-stores")
@pytest.mark.scenario("run__journal__sqlite_stores__s1")
@scenario(FEATURE, "run__journal__sqlite_stores__s1")
def test_run__journal__sqlite_stores__s1() -> None: ...


@pytest.mark.clause("run.journal.sqlite-stores")
@pytest.mark.scenario("run__journal__sqlite_stores__s2")
@scenario(FEATURE, "run__journal__sqlite_stores__s2")
def test_run__journal__sqlite_stores__s2() -> None: ...


@pytest.mark.clause("run.journal.sqlite-write-lock")
@pytest.mark.scenario("run__journal__sqlite_write_lock__s1")
@scenario(FEATURE, "run__journal__sqlite_write_lock__s1")
def test_run__journal__sqlite_write_lock__s1() -> None: ...


@pytest.mark.clause("run.journal.postgres-stores")
@pytest.mark.scenario("run__journal__postgres_stores__s1")
@scenario(FEATURE, "run__journal__postgres_stores__s1")
def test_run__journal__postgres_stores__s1() -> None: ...


@pytest.mark.clause("run.journal.postgres-stores")
@pytest.mark.scenario("run__journal__postgres_stores__s2")
@scenario(FEATURE, "run__journal__postgres_stores__s2")
def test_run__journal__postgres_stores__s2() -> None: ...


@pytest.mark.clause("run.journal.container-profile")
@pytest.mark.scenario("run__journal__container_profile__s1")
@scenario(FEATURE, "run__journal__container_profile__s1")
def test_run__journal__container_profile__s1() -> None: ...


@pytest.mark.clause("run.journal.d1-profile")
@pytest.mark.scenario("run__journal__d1_profile__s1")
@scenario(FEATURE, "run__journal__d1_profile__s1")
def test_run__journal__d1_profile__s1() -> None: ...


@pytest.mark.clause("run.journal.d1-blob")
@pytest.mark.scenario("run__journal__d1_blob__s1")
@scenario(FEATURE, "run__journal__d1_blob__s1")
def test_run__journal__d1_blob__s1() -> None: ...


@pytest.mark.clause("run.journal.d1-blob")
@pytest.mark.scenario("run__journal__d1_blob__s2")
@scenario(FEATURE, "run__journal__d1_blob__s2")
def test_run__journal__d1_blob__s2() -> None: ...


@pytest.mark.clause("run.journal.d1-transport")
@pytest.mark.scenario("run__journal__d1_transport__s1")
@scenario(FEATURE, "run__journal__d1_transport__s1")
def test_run__journal__d1_transport__s1() -> None: ...


@pytest.mark.clause("run.journal.d1-transport")
@pytest.mark.scenario("run__journal__d1_transport__s2")
@scenario(FEATURE, "run__journal__d1_transport__s2")
def test_run__journal__d1_transport__s2() -> None: ...


@pytest.mark.clause("run.journal.d1-transport")
@pytest.mark.scenario("run__journal__d1_transport__s3")
@scenario(FEATURE, "run__journal__d1_transport__s3")
def test_run__journal__d1_transport__s3() -> None: ...


@pytest.mark.clause("run.journal.d1-initialize")
@pytest.mark.scenario("run__journal__d1_initialize__s1")
@scenario(FEATURE, "run__journal__d1_initialize__s1")
def test_run__journal__d1_initialize__s1() -> None: ...


@pytest.mark.clause("run.journal.d1-guard")
@pytest.mark.scenario("run__journal__d1_guard__s1")
@scenario(FEATURE, "run__journal__d1_guard__s1")
def test_run__journal__d1_guard__s1() -> None: ...


@pytest.mark.clause("run.journal.d1-recovery")
@pytest.mark.scenario("run__journal__d1_recovery__s1")
@scenario(FEATURE, "run__journal__d1_recovery__s1")
def test_run__journal__d1_recovery__s1() -> None: ...


@pytest.mark.clause("run.journal.d1-recovery")
@pytest.mark.scenario("run__journal__d1_recovery__s2")
@scenario(FEATURE, "run__journal__d1_recovery__s2")
def test_run__journal__d1_recovery__s2() -> None: ...


@pytest.mark.clause("run.journal.d1-backup")
@pytest.mark.scenario("run__journal__d1_backup__s1")
@scenario(FEATURE, "run__journal__d1_backup__s1")
def test_run__journal__d1_backup__s1() -> None: ...


@pytest.mark.clause("run.journal.storage-incomplete")
@pytest.mark.scenario("run__journal__storage_incomplete__s1")
@scenario(FEATURE, "run__journal__storage_incomplete__s1")
def test_run__journal__storage_incomplete__s1() -> None: ...


@pytest.mark.clause("run.journal.storage-incomplete")
@pytest.mark.scenario("run__journal__storage_incomplete__s2")
@scenario(FEATURE, "run__journal__storage_incomplete__s2")
def test_run__journal__storage_incomplete__s2() -> None: ...


@pytest.mark.clause("run.journal.storage-unsupported")
@pytest.mark.scenario("run__journal__storage_unsupported__s1")
@scenario(FEATURE, "run__journal__storage_unsupported__s1")
def test_run__journal__storage_unsupported__s1() -> None: ...


@pytest.mark.clause("run.journal.storage-unsupported")
@pytest.mark.scenario("run__journal__storage_unsupported__s2")
@scenario(FEATURE, "run__journal__storage_unsupported__s2")
def test_run__journal__storage_unsupported__s2() -> None: ...


@pytest.mark.clause("run.journal.execution-schema")
@pytest.mark.scenario("run__journal__execution_schema__s1")
@scenario(FEATURE, "run__journal__execution_schema__s1")
def test_run__journal__execution_schema__s1() -> None: ...


@pytest.mark.clause("run.journal.execution-schema")
@pytest.mark.scenario("run__journal__execution_schema__s2")
@scenario(FEATURE, "run__journal__execution_schema__s2")
def test_run__journal__execution_schema__s2() -> None: ...


@pytest.mark.clause("run.journal.execution-recovery")
@pytest.mark.scenario("run__journal__execution_recovery__s1")
@scenario(FEATURE, "run__journal__execution_recovery__s1")
def test_run__journal__execution_recovery__s1() -> None: ...


@pytest.mark.clause("run.journal.execution-recovery")
@pytest.mark.scenario("run__journal__execution_recovery__s2")
@scenario(FEATURE, "run__journal__execution_recovery__s2")
def test_run__journal__execution_recovery__s2() -> None: ...


@pytest.mark.clause("run.journal.execution-recovery")
@pytest.mark.scenario("run__journal__execution_recovery__s3")
@scenario(FEATURE, "run__journal__execution_recovery__s3")
def test_run__journal__execution_recovery__s3() -> None: ...


@pytest.mark.clause("run.journal.current-owner")
@pytest.mark.scenario("run__journal__current_owner__s1")
@scenario(FEATURE, "run__journal__current_owner__s1")
def test_run__journal__current_owner__s1() -> None: ...


@pytest.mark.clause("run.journal.current-owner")
@pytest.mark.scenario("run__journal__current_owner__s2")
@scenario(FEATURE, "run__journal__current_owner__s2")
def test_run__journal__current_owner__s2() -> None: ...


@pytest.mark.clause("run.journal.durable-dispatch")
@pytest.mark.scenario("run__journal__durable_dispatch__s1")
@scenario(FEATURE, "run__journal__durable_dispatch__s1")
def test_run__journal__durable_dispatch__s1() -> None: ...


@pytest.mark.clause("run.journal.guard-callback")
@pytest.mark.scenario("run__journal__guard_callback__s1")
@scenario(FEATURE, "run__journal__guard_callback__s1")
def test_run__journal__guard_callback__s1() -> None: ...


@pytest.mark.clause("run.journal.guard-callback")
@pytest.mark.scenario("run__journal__guard_callback__s2")
@scenario(FEATURE, "run__journal__guard_callback__s2")
def test_run__journal__guard_callback__s2() -> None: ...


@pytest.mark.clause("run.journal.guard-callback")
@pytest.mark.scenario("run__journal__guard_callback__s3")
@scenario(FEATURE, "run__journal__guard_callback__s3")
def test_run__journal__guard_callback__s3() -> None: ...


@pytest.mark.clause("run.journal.guard-callback")
@pytest.mark.scenario("run__journal__guard_callback__s4")
@scenario(FEATURE, "run__journal__guard_callback__s4")
def test_run__journal__guard_callback__s4() -> None: ...


@pytest.mark.clause("run.journal.plan-pin")
@pytest.mark.scenario("run__journal__plan_pin__s1")
@scenario(FEATURE, "run__journal__plan_pin__s1")
def test_run__journal__plan_pin__s1() -> None: ...


@pytest.mark.clause("run.journal.store-input")
@pytest.mark.scenario("run__journal__store_input__s1")
@scenario(FEATURE, "run__journal__store_input__s1")
def test_run__journal__store_input__s1() -> None: ...


@pytest.mark.clause("run.journal.open-as-of")
@pytest.mark.scenario("run__journal__open_as_of__s1")
@scenario(FEATURE, "run__journal__open_as_of__s1")
def test_run__journal__open_as_of__s1() -> None: ...


@pytest.mark.clause("run.journal.open-as-of")
@pytest.mark.scenario("run__journal__open_as_of__s2")
@scenario(FEATURE, "run__journal__open_as_of__s2")
def test_run__journal__open_as_of__s2() -> None: ...


@pytest.mark.clause("run.journal.open-as-of")
@pytest.mark.scenario("run__journal__open_as_of__s3")
@scenario(FEATURE, "run__journal__open_as_of__s3")
def test_run__journal__open_as_of__s3() -> None: ...


@pytest.mark.clause("run.journal.input-pin")
@pytest.mark.scenario("run__journal__input_pin__s1")
@scenario(FEATURE, "run__journal__input_pin__s1")
def test_run__journal__input_pin__s1() -> None: ...


@pytest.mark.clause("run.journal.input-pin")
@pytest.mark.scenario("run__journal__input_pin__s2")
@scenario(FEATURE, "run__journal__input_pin__s2")
def test_run__journal__input_pin__s2() -> None: ...


@pytest.mark.clause("run.journal.input-truncated")
@pytest.mark.scenario("run__journal__input_truncated__s1")
@scenario(FEATURE, "run__journal__input_truncated__s1")
def test_run__journal__input_truncated__s1() -> None: ...


@pytest.mark.clause("run.journal.row-step")
@pytest.mark.scenario("run__journal__row_step__s1")
@scenario(FEATURE, "run__journal__row_step__s1")
def test_run__journal__row_step__s1() -> None: ...


@pytest.mark.clause("run.journal.row-concurrency")
@pytest.mark.scenario("run__journal__row_concurrency__s1")
@scenario(FEATURE, "run__journal__row_concurrency__s1")
def test_run__journal__row_concurrency__s1() -> None: ...


@pytest.mark.clause("run.journal.row-concurrency")
@pytest.mark.scenario("run__journal__row_concurrency__s2")
@scenario(FEATURE, "run__journal__row_concurrency__s2")
def test_run__journal__row_concurrency__s2() -> None: ...


@pytest.mark.clause("run.journal.row-output")
@pytest.mark.scenario("run__journal__row_output__s1")
@scenario(FEATURE, "run__journal__row_output__s1")
def test_run__journal__row_output__s1() -> None: ...


@pytest.mark.clause("run.journal.row-output")
@pytest.mark.scenario("run__journal__row_output__s2")
@scenario(FEATURE, "run__journal__row_output__s2")
def test_run__journal__row_output__s2() -> None: ...


@pytest.mark.clause("run.journal.body-projection")
@pytest.mark.scenario("run__journal__body_projection__s1")
@scenario(FEATURE, "run__journal__body_projection__s1")
def test_run__journal__body_projection__s1() -> None: ...
