"""Runs that wait for an answer from outside: asked once, answered once, read alike ever after."""

from __future__ import annotations

import asyncio

import pytest

import contextful
from contextful.adapters.row_blobs import RowBlobs
from contextful.errors import (
    AwakeableAlreadyResolved,
    AwakeableTimedOut,
    AwakeableUnknown,
    ExecutionRewindUnsafe,
)
from contextful.run import suspend
from contextful.run.journal import journal
from contextful_contract.shapes import AwakeableState, RunStatus
from tests.runner.desk import BIG, DAY_MS, LEASE_LAPSED_MS, Desk

DANA, EVE = "user://dana@acme.example", "user://eve@acme.example"


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.mark.clause("run.suspend.awakeable")
def test_a_run_that_waits_closes_and_its_next_attempt_has_the_answer(desk: Desk) -> None:
    token = desk.suspend()
    waits = desk.engine().history()[0]
    desk.world.skip(8 * 3_600_000)

    assert desk.engine().resolve(token, {"approved": True}) == {"approved": True}
    assert desk.attempt() == {"approved": True}

    assert (waits.status, waits.error_kind) == (RunStatus.WAITING, None)
    assert (desk.sent, desk.charged) == ([token], 1)


@pytest.mark.clause("run.suspend.awakeable")
def test_an_answer_wakes_the_owner_that_waits(desk: Desk) -> None:
    token = desk.suspend()
    waits = desk.engine().pending("order-7")
    deadline_ms = desk.engine().awakeable(token).deadline
    desk.world.skip(1_000)

    desk.engine().resolve(token, "yes")

    woken = desk.engine().pending("order-7")
    assert waits is not None
    assert woken is not None
    assert (waits.waiting_until_ms, woken.waiting_until_ms) == (deadline_ms + 1, desk.world.now_ms())


@pytest.mark.clause("run.suspend.awakeable")
def test_an_answer_may_come_before_anybody_waits(desk: Desk) -> None:
    engine = desk.engine()
    with engine.execution("order-7", "plan") as run:
        approval = run.awakeable("approve")
        engine.resolve(approval.token, "yes")

        assert approval.wait() == run.wait("approve") == "yes"


@pytest.mark.clause("run.suspend.resume-is-a-step-output")
def test_the_answer_is_recorded_as_the_output_of_the_awaited_step(desk: Desk) -> None:
    token = desk.suspend()
    desk.engine().resolve(token, "yes")
    awakeable = desk.engine().awakeable(token)

    entry = suspend.entry(awakeable)
    recorded = desk.rows.get(journal.ENTRY, (entry.execution_id, entry.step_label, entry.input_hash))

    assert journal.from_row(recorded) == journal.Recorded(journal.Inline(b'"yes"'))


@pytest.mark.clause("run.suspend.resume-is-a-step-output")
def test_a_person_may_answer_again_once_the_run_is_over(desk: Desk) -> None:
    """The first answer's answer was lost, and the run needed no more than a moment."""
    token = desk.suspend()
    desk.engine().resolve(token, {"approved": True, "by": "dana"})
    desk.attempt()

    assert desk.engine().resolve(token, {"by": "dana", "approved": True}) == {"approved": True, "by": "dana"}
    with pytest.raises(AwakeableAlreadyResolved):
        desk.engine().resolve(token, {"approved": False, "by": "dana"})


def test_a_token_that_no_run_can_read_any_more_is_unknown(desk: Desk) -> None:
    with desk.engine().execution("order-7", "plan") as run:
        token = run.awakeable("approve").token

    with pytest.raises(AwakeableUnknown):
        desk.engine().resolve(token, "yes")
    with pytest.raises(AwakeableUnknown):
        desk.engine().awakeable(token)


def test_each_label_has_a_token_of_its_own_at_every_replay(desk: Desk) -> None:
    def tokens() -> list[str]:
        run = desk.engine().execution("order-7", "plan")
        minted = [run.awakeable(f"approve-{order}").token for order in (1, 2, 1)]
        run.drop()
        desk.world.skip(LEASE_LAPSED_MS)
        return minted

    first = tokens()

    assert tokens() == first
    assert first[0] == first[2] != first[1]
    assert len(desk.awakeables()) == 2


@pytest.mark.clause("run.suspend.unknown-token")
def test_nothing_is_allocated_for_an_unknown_token(desk: Desk) -> None:
    with pytest.raises(AwakeableUnknown):
        desk.engine().resolve("awk-0", BIG)

    assert desk.awakeables() == []
    assert RowBlobs(desk.rows).older_than(1 << 62, limit=1) == []


@pytest.mark.clause("run.suspend.caller-binding")
def test_a_bound_token_takes_the_answer_of_its_caller_alone(desk: Desk) -> None:
    run = desk.engine().execution("order-7", "plan")
    approval = run.awakeable("approve", caller=DANA)

    for caller in (None, EVE):
        with pytest.raises(AwakeableUnknown):
            desk.engine().resolve(approval.token, "yes", caller=caller)
        with pytest.raises(AwakeableUnknown):
            desk.engine().awakeable(approval.token, caller=caller)
    assert desk.engine().awakeable(approval.token, caller=DANA).state is AwakeableState.PENDING
    assert desk.engine().resolve(approval.token, "yes", caller=DANA) == "yes"


def test_an_answer_that_cannot_be_recorded_is_refused_with_its_path(desk: Desk) -> None:
    token = desk.suspend()

    with pytest.raises(ValueError, match=r"payload\['by'\]"):
        desk.engine().resolve(token, {"by": object()})

    assert desk.engine().awakeable(token).state is AwakeableState.PENDING


@pytest.mark.clause("run.suspend.recorded-timeout")
def test_a_wait_past_its_deadline_ends_alike_whatever_the_clock_says_later(desk: Desk) -> None:
    token = desk.suspend()
    deadline_ms = desk.engine().awakeable(token).deadline
    desk.world.skip(DAY_MS + 1)
    ended = []
    for back_ms in (0, 2 * DAY_MS):
        run = desk.engine().execution("order-7", "plan")
        desk.world.skip(-back_ms)
        with pytest.raises(AwakeableTimedOut) as refusal:
            run.wait("approve")
        ended.append(refusal.value.deadline)
        run.drop()
        desk.world.skip(back_ms + LEASE_LAPSED_MS)

    assert ended == [deadline_ms] * 2
    with pytest.raises(AwakeableTimedOut):
        desk.engine().resolve(token, "yes")


@pytest.mark.clause("run.suspend.recorded-timeout")
def test_a_body_may_go_on_without_an_answer(desk: Desk) -> None:
    def body() -> str:
        with desk.engine().execution("order-7", "plan") as run:
            try:
                return str(run.wait("approve", ttl="1h"))
            except AwakeableTimedOut:
                return "nobody answered"

    with pytest.raises(contextful.Suspended):
        body()
    desk.world.skip(3_600_001)

    assert body() == "nobody answered"
    assert desk.engine().history()[0].status is RunStatus.SUCCESS


@pytest.mark.clause("run.suspend.deadline")
def test_a_resolution_that_found_it_too_late_is_final_for_earlier_instants_too(desk: Desk) -> None:
    token = desk.suspend()
    desk.world.skip(DAY_MS + 1)
    with pytest.raises(AwakeableTimedOut):
        desk.engine().resolve(token, "yes")
    desk.world.skip(-DAY_MS)

    with pytest.raises(AwakeableTimedOut):
        desk.engine().resolve(token, "yes")
    assert desk.engine().awakeable(token).state is AwakeableState.TIMED_OUT
    with pytest.raises(AwakeableTimedOut):
        desk.attempt()


@pytest.mark.clause("run.suspend.deadline")
def test_the_caller_says_from_which_instant_its_deadline_counts(desk: Desk) -> None:
    with desk.engine().execution("order-7", "plan") as run:
        approval = run.awakeable("approve", ttl="24h", created_at="2026-02-28T12:00:00Z")

        assert approval.deadline == "2026-03-01T12:00:00Z"
        with pytest.raises(ValueError, match="created_at"):
            run.awakeable("ship", created_at="2026-02-28T12:00:00+00:00")


def test_a_short_wait_keeps_its_thread(desk: Desk) -> None:
    began_ms = desk.world.now_ms()

    with pytest.raises(AwakeableTimedOut), desk.engine().execution("order-7", "plan") as run:
        run.wait("approve", ttl="300s")

    assert desk.world.now_ms() - began_ms == 300_001


def test_a_body_says_how_long_a_wait_keeps_its_thread(desk: Desk) -> None:
    began_ms = desk.world.now_ms()

    with pytest.raises(contextful.Suspended):
        desk.attempt(hold="10m")

    assert desk.world.now_ms() - began_ms == 600_000
    with pytest.raises(ValueError, match="hold"):
        desk.attempt(hold="soon")


def test_a_wait_inside_a_running_loop_is_refused(desk: Desk) -> None:
    with desk.engine().execution("order-7", "plan") as run:

        async def body() -> None:
            run.wait("approve")

        with pytest.raises(RuntimeError, match=r"asyncio\.to_thread"):
            asyncio.run(body())


@pytest.mark.clause("run.journal.one-cutoff")
def test_a_large_answer_is_a_blob_that_row_and_journal_name(desk: Desk) -> None:
    token = desk.suspend()

    desk.engine().resolve(token, BIG)

    (row,) = desk.awakeables()
    assert (row["content"], row["content_bytes"]) == (None, len(BIG) + 2)
    assert RowBlobs(desk.rows).get(str(row["blob"])) == b'"%b"' % BIG.encode()
    assert desk.attempt() == BIG


@pytest.mark.clause("run.own.rewind-unsafe")
def test_work_that_an_answer_may_still_reach_is_not_rewound(desk: Desk) -> None:
    run = desk.engine().execution("order-7", "plan")
    run.awakeable("approve", ttl="1h")
    run.drop()
    desk.world.skip(LEASE_LAPSED_MS)

    with pytest.raises(ExecutionRewindUnsafe) as refusal:
        desk.engine().rewind(run.execution_id, reason="tidy up", force=True)

    assert refusal.value.blocker == "the awakeable approve, which has until 2026-03-01T01:00:00Z"
    desk.world.skip(3_600_000)
    desk.engine().rewind(run.execution_id, reason="tidy up", force=True)
    assert desk.engine().pending("order-7") is None


def test_a_minted_token_holds_its_owner(desk: Desk) -> None:
    """Somebody outside may have it by now."""
    run = desk.engine().execution("order-7", "plan")
    run.awakeable("approve")

    with pytest.raises(KeyError), run:
        raise KeyError

    assert desk.engine().pending("order-7") is not None


def test_a_row_goes_once_its_deadline_has_passed_and_its_execution_has_retired(desk: Desk) -> None:
    desk.engine().resolve(desk.suspend(), "yes")
    desk.attempt()
    held = desk.engine().execution("order-8", "plan")
    held.awakeable("approve")
    held.drop()
    desk.world.skip(DAY_MS + 1)

    desk.engine().execution("order-9", "plan").drop()

    assert [row["execution_id"] for row in desk.awakeables()] == [held.execution_id]


@pytest.mark.clause("run.suspend.postgres-reconciliation")
def test_a_row_that_missed_its_resolution_gets_it_back_from_the_journal(desk: Desk) -> None:
    token = desk.suspend()
    entry = suspend.entry(desk.engine().awakeable(token))
    desk.rows.commit(journal.delivered(entry, journal.Inline(b'"yes"')))

    with pytest.raises(AwakeableAlreadyResolved):
        desk.engine().resolve(token, "no")

    assert desk.engine().resolve(token, "yes") == "yes"
    assert [row["state"] for row in desk.awakeables()] == ["resolved"]
    assert desk.attempt() == "yes"
