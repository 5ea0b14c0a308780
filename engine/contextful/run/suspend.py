"""run.suspend: a run waits until a party outside resolves its awakeable, or the deadline passes.

(none) --mint--> pending --resolve--> resolved --the same payload--> resolved
                    |                     +------another payload--> AwakeableAlreadyResolved
                    +--an instant past the deadline--> timed_out --resolve--> AwakeableTimedOut

The row says where an awakeable stands. What the run reads, now and at every replay, is the journal's entry; the commit
that moves the row out of `pending` records it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never, cast

from contextful.kernel import codec, digest, instant, text
from contextful.kernel.change import Change, Delete, Insert, Require, Update
from contextful.kernel.table import Kind, Row, Select, Table
from contextful.run import retry
from contextful.run.journal import journal
from contextful_contract.errors import AwakeableAlreadyResolved, AwakeableTimedOut, AwakeableUnknown
from contextful_contract.shapes import Awakeable, AwakeableState, EntryKey, Stored, StoredAt, WaitOutcome

##= run.suspend.survives-restart
AWAKEABLE = Table(
    "awakeable",
    key=("execution_id", "step_label"),  # so that a replay finds its token, and a retired execution its awakeables
    columns={
        "execution_id": Kind.TEXT,
        "step_label": Kind.TEXT,
        "token": Kind.TEXT,
        "created_ms": Kind.INTEGER,
        "ttl_secs": Kind.INTEGER,
        "deadline_ms": Kind.INTEGER,
        "state": Kind.TEXT,
        "payload_sha256": Kind.TEXT,
        "content": Kind.BYTES,
        "blob": Kind.TEXT,
        "content_bytes": Kind.INTEGER,
        "caller": Kind.TEXT,
    },
    indexes=(("token",), ("state", "blob"), ("deadline_ms",), ("execution_id", "state", "deadline_ms")),
)
TTL_MS_MAX = 10 * 366 * 86_400_000
TIMEOUT = journal.Inline(codec.encode(WaitOutcome(timed_out=True)))  # what is recorded of a wait without an answer
PENDING: Row = {"state": AwakeableState.PENDING.value}


def mint(
    *, token: str, execution_id: str, step_label: str, created_at: str, ttl: str, caller: str | None = None
) -> Awakeable:
    """An awakeable that nobody has answered yet, and that anyone may answer up to its deadline."""
    created_ms = instant.read(created_at)
    ttl_ms = instant.span_ms(ttl)
    if created_ms is None:
        raise ValueError(f"created_at is {created_at!r}, and must be a UTC instant such as 2026-03-01T00:00:00Z")
    if ttl_ms is None or not 0 < ttl_ms <= TTL_MS_MAX:
        raise ValueError(f'ttl is {ttl!r}, and must be a length of time such as "90s", "24h" or "7d", up to ten years')
    if created_ms + ttl_ms > instant.LATEST_MS:
        raise ValueError(f"created_at is {created_at!r}, and no instant {ttl} after that can be spelled")
    return Awakeable(
        token=token,
        execution_id=execution_id,
        step_label=step_label,
        created_at=created_ms,
        ttl_secs=ttl_ms // 1_000,
        deadline=created_ms + ttl_ms,  ##= run.suspend.deadline
        state=AwakeableState.PENDING,
        payload_sha256=None,
        payload=None,
        caller=None if caller is None else text.admitted("caller", caller),
    )


def known(awakeable: Awakeable | None, caller: str | None) -> Awakeable:
    """The awakeable, for whoever holds its token and is the caller that it is bound to, if it is."""
    if awakeable is None:
        raise AwakeableUnknown  ##= run.suspend.unknown-token
    if awakeable.caller is not None and awakeable.caller != caller:
        raise AwakeableUnknown  ##= run.suspend.caller-binding
    return awakeable


def awaited(awakeable: Awakeable, *, owned: bool, now_ms: int) -> Awakeable:
    """The awakeable, unless it is pending and its execution has retired: an answer would reach nobody."""
    if not owned and as_of(awakeable, now_ms).state is AwakeableState.PENDING:
        raise AwakeableUnknown
    return awakeable


def as_of(awakeable: Awakeable, now_ms: int) -> Awakeable:
    """The awakeable as an instant finds it. The deadline itself is the last that finds it pending."""
    if awakeable.state is AwakeableState.PENDING and awakeable.deadline < now_ms:
        return replace(awakeable, state=AwakeableState.TIMED_OUT)
    return awakeable


def expire(awakeable: Awakeable, now_ms: int) -> Awakeable | None:
    """The awakeable as it leaves `pending` without an answer, where this instant finds that its time is up."""
    found = as_of(awakeable, now_ms)
    return None if found == awakeable else found


def resolve(awakeable: Awakeable, payload: journal.Stored, *, payload_sha256: str, now_ms: int) -> Awakeable:
    """The awakeable once the payload has resolved it, now or before."""
    found = as_of(awakeable, now_ms)
    match found.state:
        case AwakeableState.PENDING:
            return _resolved(found, payload, payload_sha256)
        case AwakeableState.RESOLVED if found.payload_sha256 == payload_sha256:
            return found
        case AwakeableState.RESOLVED:
            raise AwakeableAlreadyResolved(recorded=str(found.payload_sha256))  ##= run.suspend.conflicting-resolution
        case AwakeableState.TIMED_OUT:
            raise AwakeableTimedOut(deadline=found.deadline)  ##= run.suspend.expired-token
        case _:
            assert_never(found.state)


def recovered(awakeable: Awakeable, recorded: journal.Stored, *, payload_sha256: str) -> Awakeable:
    """The awakeable as the journal has it: replay goes by the record, whatever its row has missed."""
    if recorded == TIMEOUT:
        return replace(awakeable, state=AwakeableState.TIMED_OUT)
    return _resolved(awakeable, recorded, payload_sha256)  ##= run.suspend.postgres-reconciliation


def entry(awakeable: Awakeable) -> EntryKey:
    """The key of the awaited step. Its input is the token."""
    ##= run.suspend.resume-is-a-step-output
    input_hash = digest.of_bytes(f"awakeable:{awakeable.token}".encode())
    return journal.key(awakeable.execution_id, awakeable.step_label, input_hash)


def holds_ms(awakeable: Awakeable, hold_ms: int | None, now_ms: int) -> int:
    """How long a wait that begins now may keep its thread; with 0 it suspends at once.

    Where the body says nothing, a wait that is over as soon as a retry's sleep would be is worth its thread.
    """
    remaining_ms = remaining(awakeable, now_ms)
    if hold_ms is not None:
        return min(hold_ms, remaining_ms)
    return remaining_ms if retry.sleeps_in_process(awakeable.deadline - now_ms) else 0


def remaining(awakeable: Awakeable, now_ms: int) -> int:
    """The milliseconds until the first instant past the deadline; none are left once it has come."""
    return max(0, awakeable.deadline + 1 - now_ms)


def open_in(execution_id: str, now_ms: int) -> Select:
    """The execution's awakeables that may still be answered."""
    return Select(AWAKEABLE, {"execution_id": execution_id, **PENDING}, order="deadline_ms", since=now_ms)


def inserted(awakeable: Awakeable) -> Insert:
    """The row at mint."""
    return Insert(AWAKEABLE, _key(awakeable.execution_id, awakeable.step_label) | _facts(awakeable))


def settled(awakeable: Awakeable) -> Change:
    """The row once it has left `pending`, which it does once."""
    return Update(AWAKEABLE, _key(awakeable.execution_id, awakeable.step_label), PENDING, _facts(awakeable))


def unanswered(awakeable: Awakeable) -> Change:
    """The commit finds the awakeable still pending, or nothing of it is applied."""
    return Require(AWAKEABLE, _key(awakeable.execution_id, awakeable.step_label), PENDING)


def dropped(awakeable: Awakeable) -> Change:
    """The row goes: its execution has retired, and its deadline has passed."""
    return Delete(AWAKEABLE, _key(awakeable.execution_id, awakeable.step_label))


def from_row(row: Row) -> Awakeable:
    """The awakeable that a row stands for."""
    return Awakeable(
        token=cast(str, row["token"]),
        execution_id=cast(str, row["execution_id"]),
        step_label=cast(str, row["step_label"]),
        created_at=cast(int, row["created_ms"]),
        ttl_secs=cast(int, row["ttl_secs"]),
        deadline=cast(int, row["deadline_ms"]),
        state=AwakeableState(cast(str, row["state"])),
        payload_sha256=cast(str | None, row["payload_sha256"]),
        payload=_payload(row),
        caller=cast(str | None, row["caller"]),
    )


def _resolved(awakeable: Awakeable, payload: journal.Stored, payload_sha256: str) -> Awakeable:
    return replace(awakeable, state=AwakeableState.RESOLVED, payload_sha256=payload_sha256, payload=_spelled(payload))


def _facts(awakeable: Awakeable) -> dict[str, str | int | bytes | None]:
    payload = awakeable.payload
    return {
        "token": awakeable.token,
        "created_ms": awakeable.created_at,
        "ttl_secs": awakeable.ttl_secs,
        "deadline_ms": awakeable.deadline,
        "state": awakeable.state.value,
        "payload_sha256": awakeable.payload_sha256,
        "content": None if payload is None or payload.text is None else payload.text.encode(),
        "blob": None if payload is None else payload.sha256,
        "content_bytes": None if payload is None else payload.bytes,
        "caller": awakeable.caller,
    }


def _payload(row: Row) -> Stored | None:
    if row["blob"] is not None:
        return _spelled(journal.Blob(cast(str, row["blob"]), cast(int, row["content_bytes"])))
    if row["content"] is not None:
        return _spelled(journal.Inline(cast(bytes, row["content"])))
    return None


def _spelled(stored: journal.Stored) -> Stored:
    """What is recorded is JSON, and so is UTF-8."""
    match stored:
        case journal.Inline(content):
            return Stored(at=StoredAt.INLINE, text=content.decode())
        case journal.Blob(sha256, content_bytes):
            return Stored(at=StoredAt.BLOB, sha256=sha256, bytes=content_bytes)


def _key(execution_id: str, step_label: str) -> dict[str, str | int | bytes | None]:
    return {"execution_id": execution_id, "step_label": step_label}
