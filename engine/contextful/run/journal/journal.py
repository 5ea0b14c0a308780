"""run.journal, under its first heading: a step's value is recorded once and returned ever after.

                  +--------------- the lease lapsed: taken over ---------------+
                  v                                                            |
    absent --claim--> pending --record--> recorded                             |
                       |   |                                                   |
                       |   +--------------------- the process dies ------------+
                       +--fail--> failed --the run closes on it--> absent
                                    |
                                    +--the body goes on--> failed, for ever

A failure that the body catches is as much an answer as a value, so it is kept; the one that ends the run is
let go, so that the next attempt tries again. What can't be recorded exactly stays failed: its effect has run.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NamedTuple, assert_never, cast

from contextful.kernel import digest
from contextful.kernel.change import Change, Clear, Delete, Insert, Require, Update
from contextful.kernel.failure import Failure
from contextful.kernel.table import Kind, Row, Scalar, Table
from contextful.run.own import own
from contextful.run.record import RUN, Lease, capped
from contextful_contract import limits
from contextful_contract.errors import BlobMissing
from contextful_contract.shapes import EntryKey, FailureTag

ENTRY = Table(
    "entry",
    key=("execution_id", "step_label", "input_hash"),
    columns={
        "execution_id": Kind.TEXT,
        "step_label": Kind.TEXT,
        "input_hash": Kind.TEXT,
        "state": Kind.TEXT,
        "run_id": Kind.TEXT,
        "claim": Kind.TEXT,
        "attempt": Kind.INTEGER,
        "not_before_ms": Kind.INTEGER,
        "content": Kind.BYTES,
        "blob": Kind.TEXT,
        "content_bytes": Kind.INTEGER,
        "failure": Kind.TEXT,
        "ahead": Kind.INTEGER,
    },
    indexes=(("blob",), ("execution_id", "ahead")),
)
AHEAD_BYTES_MAX = 4 << 10  # values up to this size are read ahead in a replay, in the order they were recorded
BEHIND = -1  # an answer that is not read ahead has its turn below zero, so that one index finds every answer


SWEEP = Table(
    "blob_sweep", key=("name",), columns={"name": Kind.TEXT, "swept_ms": Kind.INTEGER}
)  # one row: when the last pass began


class Inline(NamedTuple):
    """A value's bytes, in its row."""

    content: bytes


@dataclass(frozen=True, slots=True)
class Blob:
    """A value's bytes, elsewhere under their digest."""

    sha256: str
    content_bytes: int


Stored = Inline | Blob


class Claim(NamedTuple):
    """A pending entry: whose it is, the attempt under way or next, the instant before which it may not run, and why."""

    run_id: str
    claim: str
    attempt: int
    not_before_ms: int | None = None
    failure: Failure | None = None


class Recorded(NamedTuple):
    """The answer: a value."""

    value: Stored


@dataclass(frozen=True, slots=True)
class Refused:
    """The answer: a failure."""

    failure: Failure


Answer = Recorded | Refused
State = Claim | Answer | None


class Mine(NamedTuple):
    """The caller holds the claim, once the changes are committed."""

    claim: Claim
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """Another caller's claim is live, at the latest until this instant unless it is renewed."""

    claim: Claim
    until_ms: int


def key(execution_id: str, step_label: str, input_hash: str) -> EntryKey:
    """The entry key of one step with one input, within one execution."""
    return EntryKey(execution_id=execution_id, step_label=step_label, input_hash=input_hash)  ##= run.journal.entry-key


def idempotency_key(entry: EntryKey) -> str:
    """What every request of the step carries, the same at each re-entry: 32 hexadecimal characters."""
    ##= run.journal.idempotency-key
    return digest.of([entry.execution_id, entry.step_label, entry.input_hash])[:32]


def claim(
    entry: EntryKey, standing: State, lease: Lease | None, *, run_id: str, claim_id: str, now_ms: int
) -> Recorded | Refused | Held | Mine:
    """What a caller does about an entry. `lease` is the one that guards the standing claim, if one does."""
    match standing:
        case Recorded() | Refused():
            return standing  ##= run.journal.step-output
        case None:
            return fresh(entry, run_id=run_id, claim_id=claim_id)
        case Claim():
            if lease is not None and now_ms < lease.expires_ms:
                return Held(standing, lease.expires_ms)
            ##= run.journal.claim-takeover
            taken = standing._replace(run_id=run_id, claim=claim_id)
            takeover = Update(ENTRY, _key(entry), _held(standing), _claim(taken))
            return Mine(taken, (takeover, *_still_lapsed(standing.run_id, lease)))
        case _:
            assert_never(standing)


def fresh(entry: EntryKey, *, run_id: str, claim_id: str) -> Mine:
    """The claim of an entry that nobody has claimed."""
    claim = Claim(run_id, claim_id, attempt=1)
    return Mine(claim, (Insert(ENTRY, _key(entry) | _claim(claim)),))


def postponed(entry: EntryKey, held: Claim, attempt: int, not_before_ms: int, failure: Failure) -> tuple[Claim, Change]:
    """The claim with its next attempt's number and instant, and why it waits, written before any wait begins."""
    waiting = Claim(held.run_id, held.claim, attempt, not_before_ms, failure)
    return waiting, Update(ENTRY, _key(entry), _held(held), _claim(waiting) | {"failure": _failure_text(failure)})


def answered(entry: EntryKey, held: Claim, answer: Answer, ordinal: int) -> Change:
    """The answer takes the claim's place, if the claim still stands; `ordinal` is its turn in a replay."""
    set_ = _answer(answer, ordinal)
    return Update(ENTRY, _key(entry), _held(held), set_ if held.failure is None else {"failure": None, **set_})


def delivered(entry: EntryKey, value: Stored) -> Change:
    """A value from outside is recorded at once: nobody here claims what nobody here computes."""
    return Insert(ENTRY, _key(entry) | _answer(Recorded(value), BEHIND))


def withdrawn(entry: EntryKey, held: Claim) -> Change:
    """The claim goes, as if the step had not been reached: its answer is not one to keep."""
    return Delete(ENTRY, _key(entry), _held(held))


def forget(entry: EntryKey, failure: Failure) -> Change | None:
    """The failure that ends a run is let go, so that the next attempt tries again; one about the value is not."""
    if failure.final:
        return None  ##= run.retry.failure-let-go
    return Delete(ENTRY, _key(entry), {"state": "failed"})


def collection(execution_id: str) -> Change:
    """Every entry of the execution goes with its owner."""
    return Clear(ENTRY, {"execution_id": execution_id})  ##= run.journal.collection


def place(content: bytes) -> Stored:
    """Where a value's bytes belong. The cutoff is the same whatever step recorded them."""
    if len(content) <= limits.JOURNAL_INLINE_CUTOFF_BYTES:  ##= run.journal.one-cutoff
        return Inline(content)  ##= run.journal.inline-cutoff
    return Blob(digest.of_bytes(content), len(content))


def found(blob: Blob, content: bytes | None) -> bytes:
    """The content that a row refers to; never an empty stand-in for it."""
    if content is None:
        raise BlobMissing(reference=blob.sha256)  ##= run.journal.missing-blob
    return content


def sweepable(*, referenced: bool, age_ms: int) -> bool:
    """Whether a blob may go: nothing refers to it, and it is older than a row can lag behind its blob."""
    return not referenced and age_ms > limits.BLOB_SWEEP_GRACE_MS  ##= run.journal.blob-sweep


def sweep_due(row: Row | None, now_ms: int) -> Change | None:
    """The change that begins a pass, where the last one is long enough ago; whoever commits it sweeps."""
    if row is None:
        return Insert(SWEEP, {"name": "blobs", "swept_ms": now_ms})
    swept_ms = cast(int, row["swept_ms"])
    if now_ms - swept_ms < limits.BLOB_SWEEP_INTERVAL_MS:
        return None
    return Update(SWEEP, {"name": "blobs"}, {"swept_ms": swept_ms}, {"swept_ms": now_ms})


def guarded(scope: str, holder: str) -> Require:
    """Nothing is claimed or recorded for an attempt that another has superseded."""
    return Require(own.OWNER, {"scope": scope}, {"holder": holder})


def from_row(row: Row | None) -> State:
    """The state that a row stands for."""
    if row is None:
        return None
    if row["state"] == "recorded":
        if row["blob"] is None:
            return Recorded(Inline(cast(bytes, row["content"])))
        return Recorded(Blob(cast(str, row["blob"]), cast(int, row["content_bytes"])))
    if row["state"] == "failed":
        return Refused(_failure(cast(str, row["failure"])))
    return Claim(
        cast(str, row["run_id"]),
        cast(str, row["claim"]),
        cast(int, row["attempt"]),
        cast(int | None, row["not_before_ms"]),
        None if row["failure"] is None else _failure(cast(str, row["failure"])),
    )


def _claim(claim: Claim) -> dict[str, Scalar]:
    return {
        "state": "pending",
        "run_id": claim.run_id,
        "claim": claim.claim,
        "attempt": claim.attempt,
        "not_before_ms": claim.not_before_ms,
    }


def _answer(answer: Answer, ordinal: int) -> dict[str, Scalar]:
    if isinstance(answer, Refused):
        return {"state": "failed", "failure": _failure_text(answer.failure), "ahead": BEHIND}
    match answer.value:
        case Inline(content):
            ahead = ordinal if len(content) <= AHEAD_BYTES_MAX else BEHIND
            return {"state": "recorded", "content": content, "content_bytes": len(content), "ahead": ahead}
        case Blob(sha256, content_bytes):
            return {"state": "recorded", "blob": sha256, "content_bytes": content_bytes, "ahead": BEHIND}


def _key(entry: EntryKey) -> dict[str, Scalar]:
    return {
        "execution_id": entry.execution_id,
        "step_label": entry.step_label,
        "input_hash": entry.input_hash,
    }


def _still_lapsed(run_id: str, lease: Lease | None) -> tuple[Change, ...]:
    """A run that renews its lease after all keeps its claims."""
    if lease is None:
        return ()
    return (Require(RUN, {"run_id": run_id}, {"lease_expires_ms": lease.expires_ms}),)


def _held(held: Claim) -> Row:
    return {"state": "pending", "claim": held.claim}


def _failure_text(failure: Failure) -> str:
    message, deterministic, final = capped(failure.message), failure.deterministic, failure.final
    facts = {"tag": failure.tag.value, "message": message, "deterministic": deterministic, "final": final}
    return json.dumps(facts | {"retry_after_ms": failure.retry_after_ms})


def _failure(text: str) -> Failure:
    held = json.loads(text)
    deterministic = held["deterministic"]
    final = held.get("final", deterministic)  # as every such failure was, before the two were told apart
    return Failure(FailureTag(held["tag"]), held["message"], held.get("retry_after_ms"), deterministic, final)
