"""Performs run.journal and run.retry: a step is claimed, its effect runs, and its value is recorded."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from typing import assert_never

from contextful.kernel import codec
from contextful.kernel.change import Change, Require, Survives
from contextful.kernel.failure import Failure, classify
from contextful.kernel.signal import Stopped, Suspended, Unrecorded
from contextful.kernel.table import Row
from contextful.ports.blobs import Blobs
from contextful.ports.holds import Holds
from contextful.ports.observer import Observer, StepRecorded, StepRefused, StepRetrying, StepStarted
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import record, retry
from contextful.run.journal import journal
from contextful.run.own import own
from contextful.runner import admitted, ending
from contextful.runner.board import Board
from contextful.runner.read_ahead import ReadAhead
from contextful.runner.settle import settle
from contextful.runner.token import Token
from contextful.runner.waits import Waits
from contextful_contract.errors import StepFailed
from contextful_contract.shapes import BoundHit, EntryKey, FailureTag

Claiming = journal.Recorded | journal.Refused | journal.Held | journal.Mine

ENDLESS = record.Lease(holder="", expires_ms=1 << 62)
POLL_MS = 50  # how soon a value that another process recorded is noticed
# The steps that this call is within, by claim and entry: the inmost is the last.
IN_PROGRESS: ContextVar[tuple[tuple[journal.Claim, EntryKey], ...]] = ContextVar("contextful_steps", default=())


def idempotency_key() -> str:
    """The key that every request of the effect in progress carries (run.journal.idempotency-key)."""
    in_progress = IN_PROGRESS.get()
    if not in_progress:
        raise RuntimeError(
            "an idempotency key belongs to a step: ask for it inside the step's effect,"
            " and before the effect goes on in a thread that it starts itself"
        )
    return journal.idempotency_key(in_progress[-1][1])


@dataclass(frozen=True, slots=True)
class Attempt:
    """The attempt that steps run under: its owner, what is read ahead for it, its seed, its token, who watches.

    With its guards, nothing is written for it once another has superseded it. One that `sleeps` waits for a step's next
    attempt in its process, as long as that is near.
    """

    run_id: str
    owner: own.Owner
    guards: tuple[Require, ...]
    ahead: ReadAhead
    seed: int
    token: Token
    observer: Observer
    trace_id: str | None = None
    sleeps: bool = True


@dataclass(frozen=True, slots=True)
class Fresh:
    """A value that was recorded just now: where its bytes are, how many, and what they stand for."""

    stored: journal.Stored
    content_bytes: int
    value: object


class Journal:
    """The journal over its ports."""

    def __init__(self, rows: Rows, blobs: Blobs, world: World, board: Board, holds: Holds | None = None) -> None:
        self._rows = rows
        self._blobs = blobs
        self._world = world
        self._board = board
        self._holds = holds
        self._claims = count()
        self._live: set[str] = set()  # the claims that a call of this process is at
        self._waits = Waits()

    def step(
        self, attempt: Attempt, label: str, input_hash: str, effect: Callable[[], object], schedule: retry.Schedule
    ) -> object:
        """The step's recorded value, from its effect where nothing is recorded yet."""
        ahead = attempt.ahead.take(label, input_hash)
        if ahead is not None:
            return self.replayed(attempt, label, input_hash, ahead.value)
        entry = self.entry(attempt, label, input_hash)
        while True:  # ends: each round answers, or waits on a claim whose lease is live or lapses
            claim_id = f"{attempt.owner.holder}.{next(self._claims)}"
            self._live.add(claim_id)
            try:
                match self._claimed(attempt, entry, claim_id):
                    case journal.Recorded(stored):
                        return self.replayed(attempt, label, input_hash, stored)
                    case journal.Refused(failure):
                        raise _refusal(entry, failure)
                    case journal.Mine(claim):
                        answer = self._answered(attempt, entry, claim, effect, schedule)
                        if answer is not None:
                            return self._fresh(attempt, entry, answer)
                    case journal.Held(claim):
                        self._await(attempt, entry, claim)
                    case verdict:
                        assert_never(verdict)
            finally:
                self._live.discard(claim_id)  # however the call ends: a claim that it leaves behind is anybody's

    def entry(self, attempt: Attempt, label: str, input_hash: str) -> EntryKey:
        """The key of a step of the attempt's execution."""
        return journal.key(attempt.owner.execution_id, label, input_hash)  ##= run.own.execution-id-keys-the-journal

    def replayed(self, attempt: Attempt, label: str, input_hash: str, stored: journal.Stored) -> object:
        """The value that was recorded before."""
        content = self.content(stored)
        value = _decoded(label, content)
        attempt.observer.tell(StepRecorded(label, len(content), True, input_hash))
        return value

    def content(self, stored: journal.Stored) -> bytes:
        """The recorded bytes, from wherever they are."""
        match stored:
            case journal.Inline(content):
                return content
            case journal.Blob(sha256):
                return journal.found(stored, self._blobs.get(sha256))

    def recorded(self, entry: EntryKey) -> bytes | None:
        """The bytes that are recorded under the key; none where no value is."""
        state = journal.from_row(self._row(entry))
        return self.content(state.value) if isinstance(state, journal.Recorded) else None

    def placed(self, content: bytes) -> journal.Stored:
        """The bytes where they belong: a blob is kept ahead of the row that is to name it."""
        stored = journal.place(content)
        if isinstance(stored, journal.Blob):
            self._blobs.put(stored.sha256, content, now_ms=self._world.now_ms())
        return stored

    def still_ours(self, attempt: Attempt) -> None:
        """A superseded attempt goes no further: all that it was admitted on still stands."""
        for guard in attempt.guards:
            row = self._rows.get(guard.table, guard.table.key_of(guard.key))
            if row is None or any(row[column] != value for column, value in guard.expect.items()):
                ##= run.items.fence
                raise Stopped(f"attempt {attempt.run_id} no longer owns {attempt.owner.scope}")

    @contextmanager
    def holding(self, attempt: Attempt) -> Iterator[None]:
        """While within, nobody supersedes the attempt where the profile has a strict guard: they wait.

        Elsewhere what an attempt was admitted on is looked at right before, and whatever comes of it recorded only if
        it still stands.
        """
        if self._holds is None:
            yield
            return
        with self._holds.holding(attempt.guards) as stands:
            if not stands:
                raise Stopped(f"attempt {attempt.run_id} no longer owns {attempt.owner.scope}")
            with admitted.within(attempt.owner.scope):
                yield

    def collect(self, attempt: Attempt, also: Sequence[Change]) -> None:
        """Drop what the execution has recorded so far; `also` commits with it, as a checkpoint's position does."""

        def decide() -> tuple[None, Sequence[Change]]:
            self.still_ours(attempt)
            return None, (*attempt.guards, journal.collection(attempt.owner.execution_id), *also)

        settle(self._rows, decide)
        attempt.ahead.forget()

    def _claimed(self, attempt: Attempt, entry: EntryKey, claim_id: str) -> Claiming:
        """The claim, or what stands in its way. A fresh execution most likely holds nothing, so it claims unseen."""
        if not attempt.ahead.resumed:
            unseen = journal.fresh(entry, run_id=attempt.run_id, claim_id=claim_id)
            if self._rows.commit(*unseen.changes, *attempt.guards, survives=Survives.PROCESS):
                return unseen

        def decide() -> tuple[Claiming, Sequence[Change]]:
            standing = self._standing(attempt, entry)
            lease = self._lease(attempt, standing) if isinstance(standing, journal.Claim) else None
            now_ms = self._world.now_ms() if lease is None else self._rows.now_ms(self._world.now_ms())
            verdict = journal.claim(entry, standing, lease, run_id=attempt.run_id, claim_id=claim_id, now_ms=now_ms)
            return verdict, (*verdict.changes, *attempt.guards) if isinstance(verdict, journal.Mine) else ()

        return settle(self._rows, decide, survives=Survives.PROCESS)

    def _answered(
        self,
        attempt: Attempt,
        entry: EntryKey,
        claim: journal.Claim,
        effect: Callable[[], object],
        schedule: retry.Schedule,
    ) -> Fresh | journal.Refused | None:
        """The answer that the attempts under this claim came to; none where the claim was lost meanwhile."""
        for _ in range(retry.ATTEMPTS_MAX):
            self._rest(attempt, entry, claim, schedule)
            attempt.token.check()
            attempt.observer.tell(StepStarted(entry.step_label, claim.attempt))
            with self.holding(attempt):
                outcome = self._run(entry, claim, effect)
            if not isinstance(outcome, Failure):
                return outcome if self._record(attempt, entry, claim, journal.Recorded(outcome.stored)) else None
            if outcome.bound is not None:
                self._struck(attempt, BoundHit(step_label=entry.step_label, attempt=claim.attempt, bound=outcome.bound))
            jitter_raw = _jitter(attempt.seed, entry, claim.attempt)
            match retry.decide(schedule, claim.attempt, outcome, jitter_raw):
                case retry.GiveUp():
                    refused = journal.Refused(outcome)
                    return refused if self._record(attempt, entry, claim, refused) else None
                case retry.Again(delay_ms):
                    postponed = self._postpone(entry, claim, self._world.now_ms() + delay_ms, outcome)
                    if postponed is None:
                        return None
                    message = record.capped(outcome.message)
                    attempt.observer.tell(StepRetrying(entry.step_label, claim.attempt, message, delay_ms, outcome))
                    claim = postponed
        raise AssertionError("a schedule has no more attempts than that")

    def _run(self, entry: EntryKey, claim: journal.Claim, effect: Callable[[], object]) -> Fresh | Failure:
        """Run the effect once: its value, ready to be recorded, or its classified failure."""
        token = IN_PROGRESS.set((*IN_PROGRESS.get(), (claim, entry)))
        try:
            value = effect()
        except Exception as error:  # noqa: BLE001 (whatever user code raises is classified)
            return classify(error)
        except Unrecorded:
            self._rows.commit(journal.withdrawn(entry, claim))
            self._board.ring(entry)
            raise
        finally:
            IN_PROGRESS.reset(token)
        try:
            content, back = codec.exchanged(value)
        except codec.Unrecordable as refusal:
            return Failure(FailureTag.PERMANENT, str(refusal), deterministic=True, final=True)
        return Fresh(self.placed(content), len(content), back)

    def _struck(self, attempt: Attempt, hit: BoundHit) -> None:
        """Keep on the run's row which bound was struck, before any wait, and whatever comes of the next attempt."""

        def decide() -> tuple[None, Sequence[Change]]:
            row = self._rows.get(record.RUN, (attempt.run_id,))
            return None, () if row is None else (record.struck(record.from_row(row), hit),)

        settle(self._rows, decide)

    def _postpone(
        self, entry: EntryKey, claim: journal.Claim, not_before_ms: int, failure: Failure
    ) -> journal.Claim | None:
        """The claim with its next attempt, made durable before any wait; none where it was lost."""
        waiting, change = journal.postponed(entry, claim, claim.attempt + 1, not_before_ms, failure)
        return waiting if self._rows.commit(change) else None  ##= run.retry.not-before

    def _rest(self, attempt: Attempt, entry: EntryKey, claim: journal.Claim, schedule: retry.Schedule) -> None:
        """Wait for the claim's instant, or close the attempt where that is too far off."""
        if claim.not_before_ms is None:
            return
        now_ms = self._world.now_ms()
        remaining_ms = retry.remaining_ms(schedule, claim.failure, claim.not_before_ms, now_ms)
        if remaining_ms <= 0:
            return
        if not (attempt.sleeps and retry.sleeps_in_process(remaining_ms)):
            raise Suspended(label=entry.step_label, until_ms=now_ms + remaining_ms)  ##= run.retry.waiting-state
        self._world.wait(attempt.token.stopped, remaining_ms)  ##= run.retry.resume-at
        self.still_ours(attempt)  # which may have changed in all that time

    def _record(self, attempt: Attempt, entry: EntryKey, claim: journal.Claim, answer: journal.Answer) -> bool:
        """Whether the answer is kept; it is not where the claim was lost meanwhile."""
        change = journal.answered(entry, claim, answer, attempt.ahead.ordinal())
        kept = self._rows.commit(change, *attempt.guards)
        self._board.ring(entry)
        if not kept:
            self.still_ours(attempt)
        return kept

    def _fresh(self, attempt: Attempt, entry: EntryKey, answer: Fresh | journal.Refused) -> object:
        """The first caller gets what a replay gets: the recorded bytes, decoded."""
        if isinstance(answer, journal.Refused):
            attempt.observer.tell(StepRefused(entry.step_label, record.capped(answer.failure.message), answer.failure))
            raise _refusal(entry, answer.failure)
        attempt.observer.tell(StepRecorded(entry.step_label, answer.content_bytes, False, entry.input_hash))
        return answer.value

    def _await(self, attempt: Attempt, entry: EntryKey, held: journal.Claim) -> None:
        """Wait until the entry may have changed."""
        within = [claim.claim for claim, _ in IN_PROGRESS.get()]
        with (
            self._waits.waiting(entry.step_label, within, held.claim),
            self._board.watching(entry) as changed,
            attempt.token.telling(changed.set),
        ):
            if isinstance(journal.from_row(self._row(entry)), journal.Claim):
                self._world.wait(changed, POLL_MS)
        attempt.token.check()

    def _standing(self, attempt: Attempt, entry: EntryKey) -> journal.State:
        """What stands under the key, for an attempt that still owns the execution."""
        row = self._row(entry)
        attempt.ahead.missed(row)
        state = journal.from_row(row)
        if not isinstance(state, journal.Recorded):
            self.still_ours(attempt)
        return state

    def _row(self, entry: EntryKey) -> Row | None:
        return self._rows.get(journal.ENTRY, (entry.execution_id, entry.step_label, entry.input_hash))

    def _lease(self, attempt: Attempt, claim: journal.Claim) -> record.Lease | None:
        """What guards the claim: its run's lease; of this attempt's own, that a call is at it, and no clock."""
        if claim.run_id == attempt.run_id:
            return ENDLESS if claim.claim in self._live else None
        return record.lease(self._rows.get(record.RUN, (claim.run_id,)))


def _decoded(label: str, content: bytes) -> object:
    try:
        return codec.decode(content)
    except codec.Unreadable as refusal:
        raise codec.Unreadable(f"what step {label} has recorded cannot be read: {refusal}") from refusal


def _jitter(seed: int, entry: EntryKey, attempt: int) -> int:
    """A whole number that the seed, the entry and the attempt decide."""
    drawn = f"{seed}:{entry.execution_id}:{entry.step_label}:{entry.input_hash}:{attempt}"
    return int.from_bytes(hashlib.sha256(drawn.encode()).digest()[:8])


def _refusal(entry: EntryKey, failure: Failure) -> StepFailed:
    ##= run.retry.step-failed
    refusal = StepFailed(label=entry.step_label, tag=failure.tag, message=record.capped(failure.message))
    refusal.__cause__ = failure.cause
    ending.refuse(refusal, [entry])
    return refusal
