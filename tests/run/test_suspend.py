"""Awakeables, decided: minted, found by an instant, resolved, expired."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from contextful.errors import AwakeableAlreadyResolved, AwakeableTimedOut, AwakeableUnknown
from contextful.kernel import codec, digest
from contextful.run import suspend
from contextful.run.journal.journal import Blob, Inline, Stored
from contextful_contract import shapes
from contextful_contract.shapes import Awakeable, AwakeableState, StoredAt, WaitOutcome

CREATED = "2026-03-01T00:00:00Z"
CREATED_MS = 1_772_323_200_000
DEADLINE_MS = CREATED_MS + 86_400_000
YES = Inline(b'"yes"')
FRESH = suspend.mint(token="awk-1", execution_id="exec-1", step_label="approve", created_at=CREATED, ttl="24h")


def resolved(awakeable: Awakeable, payload: str = "yes", *, now_ms: int = CREATED_MS) -> Awakeable:
    """The awakeable, once it is resolved with the payload."""
    stored = Inline(codec.encode(payload))
    return suspend.resolve(awakeable, stored, payload_sha256=digest.of(payload), now_ms=now_ms)


@pytest.mark.clause("run.suspend.deadline")
def test_the_deadline_is_the_creation_and_the_time_to_live() -> None:
    minted = FRESH

    assert minted == Awakeable(
        token="awk-1",
        execution_id="exec-1",
        step_label="approve",
        created_at=CREATED_MS,
        ttl_secs=86_400,
        deadline=DEADLINE_MS,
        state=AwakeableState.PENDING,
        payload_sha256=None,
        payload=None,
    )


@pytest.mark.clause("run.suspend.deadline")
@pytest.mark.parametrize(
    "created_at", ["2026-03-01T08:00:00+08:00", "2026-03-01T00:00:00", "2026-03-01", "now", ""], ids=repr
)
def test_an_instant_that_is_not_in_zulu_time_is_refused(created_at: str) -> None:
    with pytest.raises(ValueError, match="created_at"):
        suspend.mint(token="awk-1", execution_id="exec-1", step_label="approve", created_at=created_at, ttl="24h")


@pytest.mark.parametrize(
    "ttl", ["0s", "-1h", "24", "1 h", "9999d", "", "9" * 5_000 + "d", 24, None], ids="{!r:.9}".format
)
def test_a_time_to_live_that_is_none_is_refused(ttl: Any) -> None:
    with pytest.raises(ValueError, match="ttl"):
        suspend.mint(token="awk-1", execution_id="exec-1", step_label="approve", created_at=CREATED, ttl=ttl)


def test_a_deadline_that_cannot_be_spelled_is_refused() -> None:
    with pytest.raises(ValueError, match="created_at"):
        suspend.mint(token="t", execution_id="e", step_label="l", created_at="9999-12-31T23:59:59Z", ttl="24h")


@pytest.mark.parametrize("caller", ["a\x00b", "\ud800"], ids=["NUL", "half a pair"])
def test_a_caller_that_no_store_can_hold_is_refused(caller: str) -> None:
    with pytest.raises(ValueError, match="caller"):
        suspend.mint(token="t", execution_id="e", step_label="l", created_at=CREATED, ttl="24h", caller=caller)


@pytest.mark.clause("run.suspend.deadline")
@pytest.mark.parametrize(
    ("now_ms", "state"),
    [
        (CREATED_MS - 1, AwakeableState.PENDING),
        (DEADLINE_MS, AwakeableState.PENDING),
        (DEADLINE_MS + 1, AwakeableState.TIMED_OUT),
        (DEADLINE_MS + 86_400_000, AwakeableState.TIMED_OUT),
    ],
    ids=["before its creation", "at its deadline", "right after", "a day after"],
)
def test_an_instant_past_the_deadline_finds_it_timed_out(now_ms: int, state: AwakeableState) -> None:
    assert suspend.as_of(FRESH, now_ms) == replace(FRESH, state=state)


@pytest.mark.clause("run.suspend.deadline")
def test_what_has_timed_out_stays_so_whatever_the_instant() -> None:
    expired = suspend.expire(FRESH, DEADLINE_MS + 1)
    assert expired is not None

    assert suspend.as_of(expired, CREATED_MS) == expired
    assert suspend.expire(expired, DEADLINE_MS + 2) is None
    with pytest.raises(AwakeableTimedOut):
        resolved(expired, now_ms=CREATED_MS)


def test_what_is_resolved_never_times_out() -> None:
    assert suspend.as_of(resolved(FRESH), DEADLINE_MS + 1) == resolved(FRESH)


@pytest.mark.clause("run.suspend.awakeable")
def test_a_resolution_is_taken_up_to_the_deadline_itself() -> None:
    assert resolved(FRESH, now_ms=DEADLINE_MS) == replace(
        FRESH,
        state=AwakeableState.RESOLVED,
        payload_sha256=hashlib.sha256(b'"yes"').hexdigest(),
        payload=shapes.Stored(at=StoredAt.INLINE, text='"yes"'),
    )


@pytest.mark.clause("run.suspend.expired-token")
def test_a_resolution_past_the_deadline_is_refused_with_it() -> None:
    with pytest.raises(AwakeableTimedOut) as refusal:
        resolved(FRESH, now_ms=DEADLINE_MS + 1)

    assert refusal.value.deadline == DEADLINE_MS


@pytest.mark.clause("run.suspend.resume-is-a-step-output")
def test_the_same_payload_again_is_the_one_on_record_even_past_the_deadline() -> None:
    assert resolved(resolved(FRESH), now_ms=DEADLINE_MS + 1) == resolved(FRESH)


@pytest.mark.clause("run.suspend.conflicting-resolution")
@pytest.mark.parametrize("now_ms", [CREATED_MS, DEADLINE_MS + 1], ids=["in time", "past the deadline"])
def test_another_payload_is_refused_with_the_digest_of_the_one_on_record(now_ms: int) -> None:
    with pytest.raises(AwakeableAlreadyResolved) as refusal:
        resolved(resolved(FRESH), "no", now_ms=now_ms)

    assert refusal.value.recorded == hashlib.sha256(b'"yes"').hexdigest()


@pytest.mark.clause("run.suspend.unknown-token")
def test_no_row_is_unknown() -> None:
    with pytest.raises(AwakeableUnknown):
        suspend.known(None, "user://dana@acme.example")


@pytest.mark.clause("run.suspend.caller-binding")
@pytest.mark.parametrize("caller", [None, "user://eve@acme.example"], ids=["nobody", "another"])
def test_a_bound_awakeable_answers_others_as_if_it_were_not_there(caller: str | None) -> None:
    bound = replace(FRESH, caller="user://dana@acme.example")

    with pytest.raises(AwakeableUnknown) as refused:
        suspend.known(bound, caller)
    with pytest.raises(AwakeableUnknown) as unknown:
        suspend.known(None, caller)

    assert (str(refused.value), vars(refused.value)) == (str(unknown.value), vars(unknown.value))
    assert suspend.known(bound, "user://dana@acme.example") == bound


@pytest.mark.clause("run.suspend.caller-binding")
@pytest.mark.parametrize("caller", [None, "user://eve@acme.example"], ids=["nobody", "anybody"])
def test_where_no_subject_is_bound_the_token_is_all_the_authority(caller: str | None) -> None:
    assert suspend.known(FRESH, caller) == FRESH


@pytest.mark.clause("run.suspend.resume-is-a-step-output")
def test_the_awaited_step_is_keyed_on_its_token() -> None:
    entry = suspend.entry(FRESH)

    assert (entry.execution_id, entry.step_label) == ("exec-1", "approve")
    assert entry.input_hash == hashlib.sha256(b"awakeable:awk-1").hexdigest()


STORED: dict[str, tuple[Stored, shapes.Stored]] = {
    "inline": (YES, shapes.Stored(at=StoredAt.INLINE, text='"yes"')),
    "a blob": (Blob("ab" * 32, 1 << 21), shapes.Stored(at=StoredAt.BLOB, sha256="ab" * 32, bytes=1 << 21)),
}


@pytest.mark.clause("run.suspend.postgres-reconciliation")
@pytest.mark.parametrize(("recorded", "payload"), STORED.values(), ids=STORED.keys())
def test_a_row_gets_back_what_the_journal_has(recorded: Stored, payload: shapes.Stored) -> None:
    recovered = suspend.recovered(FRESH, recorded, payload_sha256="cd" * 32)

    assert recovered == replace(FRESH, state=AwakeableState.RESOLVED, payload_sha256="cd" * 32, payload=payload)


def test_a_row_gets_back_that_its_time_was_up() -> None:
    recovered = suspend.recovered(FRESH, suspend.TIMEOUT, payload_sha256="cd" * 32)

    assert recovered == replace(FRESH, state=AwakeableState.TIMED_OUT)


@pytest.mark.clause("run.suspend.recorded-timeout")
def test_what_is_recorded_of_a_wait_without_an_answer_says_so() -> None:
    assert codec.decode(suspend.TIMEOUT.content) == WaitOutcome(timed_out=True)


@pytest.mark.parametrize(
    ("hold_ms", "remaining_ms", "holds_ms"),
    [(None, 300_001, 300_001), (None, 300_002, 0), (0, 1_000, 0), (600_000, 86_400_000, 600_000), (600_000, 5, 5)],
    ids=["as short as a retry's sleep", "longer", "not at all", "for a while", "no longer than it lasts"],
)
def test_how_long_a_wait_keeps_its_thread(hold_ms: int | None, remaining_ms: int, holds_ms: int) -> None:
    assert suspend.holds_ms(FRESH, hold_ms, DEADLINE_MS + 1 - remaining_ms) == holds_ms


@pytest.mark.parametrize(
    "awakeable",
    [
        FRESH,
        resolved(FRESH),
        replace(FRESH, caller="user://dana@acme.example"),
        suspend.recovered(FRESH, Blob("ab" * 32, 1 << 21), payload_sha256="cd" * 32),
    ],
    ids=["pending", "resolved", "bound", "with a blob"],
)
def test_a_row_is_read_back_as_the_awakeable(awakeable: Awakeable) -> None:
    inserted = suspend.inserted(awakeable)

    assert suspend.from_row(inserted.row) == awakeable
