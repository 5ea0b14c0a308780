"""Stops, decided: how far one reaches, which rows take its mark, what becomes of those that wait."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from contextful.errors import CancelTargetNotInFlight
from contextful.kernel.failure import Failure
from contextful.run import cancel
from contextful.run.record import Closing, Run
from contextful_contract.shapes import FailureTag, RunStatus, StopMark, StopScope

ASKED_MS = 1_767_607_200_000  # 2026-01-05T10:00:00Z
OF_THE_RUN = StopMark(requested_at=ASKED_MS, scope="run", reason="wrong key")
OF_THE_PIPELINE = StopMark(requested_at=ASKED_MS, scope="pipeline")
TABLE = Run("r-1", "exec-1", "plan", "local", RunStatus.RUNNING, ASKED_MS, pipeline_id="shop", table="orders")
HOST = Run("r-1", "exec-1", "plan", "local", RunStatus.RUNNING, ASKED_MS, host_scope="index-42")
IN_FLIGHT = (RunStatus.PENDING, RunStatus.RUNNING, RunStatus.WAITING)


@pytest.mark.clause("run.cancel.two-grains")
@pytest.mark.parametrize(
    ("scope", "grain"),
    [
        ("run", StopScope.RUN),
        ("pipeline", StopScope.PIPELINE),
        ("galaxy", StopScope.RUN),
        ("Pipeline", StopScope.RUN),
        ("", StopScope.RUN),
    ],
    ids=repr,
)
def test_a_scope_of_any_other_spelling_reads_as_run(scope: str, grain: StopScope) -> None:
    assert cancel.grain(StopMark(requested_at=ASKED_MS, scope=scope)) is grain


def reached(asked: Run, mark: StopMark) -> list[Mapping[str, object]]:
    """What the rows have in common, selection by selection."""
    return [dict(asked.equal) for asked in cancel.reach(asked, mark)]


@pytest.mark.clause("run.cancel.two-grains")
def test_a_stop_of_a_run_reaches_that_run() -> None:
    assert reached(TABLE, OF_THE_RUN) == [{"run_id": "r-1"}]


@pytest.mark.clause("run.cancel.two-grains")
def test_a_stop_of_a_pipeline_reaches_what_it_has_in_flight() -> None:
    assert reached(TABLE, OF_THE_PIPELINE) == [{"pipeline_id": "shop", "status": status} for status in IN_FLIGHT]


@pytest.mark.clause("run.cancel.host-grain")
def test_a_stop_of_a_host_scope_reaches_what_that_scope_has_in_flight() -> None:
    assert reached(HOST, OF_THE_PIPELINE) == [{"host_scope": "index-42", "status": status} for status in IN_FLIGHT]


def test_a_stop_of_a_run_that_nobody_knows_reaches_none() -> None:
    assert cancel.reach(None, OF_THE_PIPELINE) == ()


@pytest.mark.clause("run.cancel.not-in-flight")
@pytest.mark.parametrize("status", [status for status in RunStatus if status.terminal], ids=str)
def test_what_has_ended_takes_no_mark(status: RunStatus) -> None:
    ended = replace(TABLE, status=status)

    with pytest.raises(CancelTargetNotInFlight) as refusal:
        cancel.targets([ended], "r-1")

    assert refusal.value.run_id == "r-1"
    going_on = replace(TABLE, run_id="r-0")
    assert cancel.targets([ended, TABLE, going_on], "r-1") == [going_on, TABLE]


@pytest.mark.clause("run.cancel.abandoned-work")
def test_a_run_that_waits_is_closed_by_the_stop_itself() -> None:
    waits = replace(TABLE, status=RunStatus.WAITING)
    says = "a stop of scope run was asked at 2026-01-05T10:00:00Z: wrong key"

    assert cancel.ending(waits, OF_THE_RUN) == Closing(RunStatus.CANCELED, Failure(FailureTag.CANCELED, says))
    assert cancel.ending(TABLE, OF_THE_RUN) is None


@pytest.mark.clause("run.cancel.resumable-remains")
@pytest.mark.parametrize("status", list(RunStatus), ids=str)
@pytest.mark.parametrize("recorded", [True, False], ids=["recorded work", "nothing recorded"])
def test_a_stop_releases_an_owner_with_nothing_to_replay_and_no_other(status: RunStatus, recorded: bool) -> None:
    assert cancel.releases(status, recorded=recorded) is (status is RunStatus.CANCELED and not recorded)


@pytest.mark.clause("run.cancel.distinct-terminal-status")
def test_a_stopped_run_says_nothing_of_its_source() -> None:
    runs = [replace(TABLE, run_id=status.value, status=status) for status in RunStatus]

    assert [run.run_id for run in cancel.upstream(runs)] == [
        status.value for status in RunStatus if status is not RunStatus.CANCELED
    ]
    assert RunStatus.CANCELED.terminal
