"""The scenarios of run.cancel, bound. Written by `python -m codegen` from spec/run/cancel.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/cancel.feature"
STEM = "run__cancel"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.cancel.catalog-channel")
@pytest.mark.scenario("run__cancel__catalog_channel__s1")
@scenario(FEATURE, "run__cancel__catalog_channel__s1")
def test_run__cancel__catalog_channel__s1() -> None: ...


@pytest.mark.clause("run.cancel.catalog-channel")
@pytest.mark.scenario("run__cancel__catalog_channel__s2")
@scenario(FEATURE, "run__cancel__catalog_channel__s2")
def test_run__cancel__catalog_channel__s2() -> None: ...


@pytest.mark.clause("run.cancel.two-grains")
@pytest.mark.scenario("run__cancel__two_grains__s1")
@scenario(FEATURE, "run__cancel__two_grains__s1")
def test_run__cancel__two_grains__s1() -> None: ...


@pytest.mark.clause("run.cancel.two-grains")
@pytest.mark.scenario("run__cancel__two_grains__s2")
@scenario(FEATURE, "run__cancel__two_grains__s2")
def test_run__cancel__two_grains__s2() -> None: ...


@pytest.mark.clause("run.cancel.two-grains")
@pytest.mark.scenario("run__cancel__two_grains__s3")
@scenario(FEATURE, "run__cancel__two_grains__s3")
def test_run__cancel__two_grains__s3() -> None: ...


@pytest.mark.clause("run.cancel.host-grain")
@pytest.mark.scenario("run__cancel__host_grain__s1")
@scenario(FEATURE, "run__cancel__host_grain__s1")
def test_run__cancel__host_grain__s1() -> None: ...


@pytest.mark.clause("run.cancel.not-in-flight")
@pytest.mark.scenario("run__cancel__not_in_flight__s1")
@scenario(FEATURE, "run__cancel__not_in_flight__s1")
def test_run__cancel__not_in_flight__s1() -> None: ...


@pytest.mark.clause("run.cancel.not-in-flight")
@pytest.mark.scenario("run__cancel__not_in_flight__s2")
@scenario(FEATURE, "run__cancel__not_in_flight__s2")
def test_run__cancel__not_in_flight__s2() -> None: ...


@pytest.mark.clause("run.cancel.not-in-flight")
@pytest.mark.scenario("run__cancel__not_in_flight__s3")
@scenario(FEATURE, "run__cancel__not_in_flight__s3")
def test_run__cancel__not_in_flight__s3() -> None: ...


@pytest.mark.clause("run.cancel.authority-from-the-record")
@pytest.mark.scenario("run__cancel__authority_from_the_record__s1")
@scenario(FEATURE, "run__cancel__authority_from_the_record__s1")
def test_run__cancel__authority_from_the_record__s1() -> None: ...


@pytest.mark.clause("run.cancel.stop-unauthorized")
@pytest.mark.scenario("run__cancel__stop_unauthorized__s1")
@scenario(FEATURE, "run__cancel__stop_unauthorized__s1")
def test_run__cancel__stop_unauthorized__s1() -> None: ...


@pytest.mark.clause("run.cancel.stop-unauthorized")
@pytest.mark.scenario("run__cancel__stop_unauthorized__s2")
@scenario(FEATURE, "run__cancel__stop_unauthorized__s2")
def test_run__cancel__stop_unauthorized__s2() -> None: ...


@pytest.mark.clause("run.cancel.stop-route")
@pytest.mark.scenario("run__cancel__stop_route__s1")
@scenario(FEATURE, "run__cancel__stop_route__s1")
def test_run__cancel__stop_route__s1() -> None: ...


@pytest.mark.clause("run.cancel.stop-route")
@pytest.mark.scenario("run__cancel__stop_route__s2")
@scenario(FEATURE, "run__cancel__stop_route__s2")
def test_run__cancel__stop_route__s2() -> None: ...


@pytest.mark.clause("run.cancel.one-token")
@pytest.mark.scenario("run__cancel__one_token__s1")
@scenario(FEATURE, "run__cancel__one_token__s1")
def test_run__cancel__one_token__s1() -> None: ...


@pytest.mark.clause("run.cancel.one-token")
@pytest.mark.scenario("run__cancel__one_token__s2")
@scenario(FEATURE, "run__cancel__one_token__s2")
def test_run__cancel__one_token__s2() -> None: ...


@pytest.mark.clause("run.cancel.one-token")
@pytest.mark.scenario("run__cancel__one_token__s3")
@scenario(FEATURE, "run__cancel__one_token__s3")
def test_run__cancel__one_token__s3() -> None: ...


@pytest.mark.clause("run.cancel.one-token")
@pytest.mark.scenario("run__cancel__one_token__s4")
@scenario(FEATURE, "run__cancel__one_token__s4")
def test_run__cancel__one_token__s4() -> None: ...


@pytest.mark.clause("run.cancel.poll-interval")
@pytest.mark.scenario("run__cancel__poll_interval__s1")
@scenario(FEATURE, "run__cancel__poll_interval__s1")
def test_run__cancel__poll_interval__s1() -> None: ...


@pytest.mark.clause("run.cancel.poll-interval")
@pytest.mark.scenario("run__cancel__poll_interval__s2")
@scenario(FEATURE, "run__cancel__poll_interval__s2")
def test_run__cancel__poll_interval__s2() -> None: ...


@pytest.mark.clause("run.cancel.storage-blip")
@pytest.mark.scenario("run__cancel__storage_blip__s1")
@scenario(FEATURE, "run__cancel__storage_blip__s1")
def test_run__cancel__storage_blip__s1() -> None: ...


@pytest.mark.clause("run.cancel.engine-keeper")
@pytest.mark.scenario("run__cancel__engine_keeper__s1")
@scenario(FEATURE, "run__cancel__engine_keeper__s1")
def test_run__cancel__engine_keeper__s1() -> None: ...


@pytest.mark.clause("run.cancel.engine-keeper")
@pytest.mark.scenario("run__cancel__engine_keeper__s2")
@scenario(FEATURE, "run__cancel__engine_keeper__s2")
def test_run__cancel__engine_keeper__s2() -> None: ...


@pytest.mark.clause("run.cancel.keeper-panic")
@pytest.mark.scenario("run__cancel__keeper_panic__s1")
@scenario(FEATURE, "run__cancel__keeper_panic__s1")
def test_run__cancel__keeper_panic__s1() -> None: ...


@pytest.mark.clause("run.cancel.keeper-panic")
@pytest.mark.scenario("run__cancel__keeper_panic__s2")
@scenario(FEATURE, "run__cancel__keeper_panic__s2")
def test_run__cancel__keeper_panic__s2() -> None: ...


@pytest.mark.clause("run.cancel.keeper-panic")
@pytest.mark.scenario("run__cancel__keeper_panic__s3")
@scenario(FEATURE, "run__cancel__keeper_panic__s3")
def test_run__cancel__keeper_panic__s3() -> None: ...


@pytest.mark.clause("run.cancel.land-path-uncut")
@pytest.mark.scenario("run__cancel__land_path_uncut__s1")
@scenario(FEATURE, "run__cancel__land_path_uncut__s1")
def test_run__cancel__land_path_uncut__s1() -> None: ...


@pytest.mark.clause("run.cancel.abandoned-work")
@pytest.mark.scenario("run__cancel__abandoned_work__s1")
@scenario(FEATURE, "run__cancel__abandoned_work__s1")
def test_run__cancel__abandoned_work__s1() -> None: ...


@pytest.mark.clause("run.cancel.child-reaped")
@pytest.mark.scenario("run__cancel__child_reaped__s1")
@scenario(FEATURE, "run__cancel__child_reaped__s1")
def test_run__cancel__child_reaped__s1() -> None: ...


@pytest.mark.clause("run.cancel.distinct-terminal-status")
@pytest.mark.scenario("run__cancel__distinct_terminal_status__s1")
@scenario(FEATURE, "run__cancel__distinct_terminal_status__s1")
def test_run__cancel__distinct_terminal_status__s1() -> None: ...


@pytest.mark.clause("run.cancel.resumable-remains")
@pytest.mark.scenario("run__cancel__resumable_remains__s1")
@scenario(FEATURE, "run__cancel__resumable_remains__s1")
def test_run__cancel__resumable_remains__s1() -> None: ...


@pytest.mark.clause("run.cancel.resumable-remains")
@pytest.mark.scenario("run__cancel__resumable_remains__s2")
@scenario(FEATURE, "run__cancel__resumable_remains__s2")
def test_run__cancel__resumable_remains__s2() -> None: ...


@pytest.mark.clause("run.cancel.resumable-remains")
@pytest.mark.scenario("run__cancel__resumable_remains__s3")
@scenario(FEATURE, "run__cancel__resumable_remains__s3")
def test_run__cancel__resumable_remains__s3() -> None: ...
