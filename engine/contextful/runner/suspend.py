"""Performs run.suspend: an awakeable is minted for a body, waited for, and resolved by a party outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from contextful.kernel import codec, digest, instant
from contextful.kernel.change import Change
from contextful.kernel.signal import Awaiting
from contextful.kernel.table import Select
from contextful.ports.observer import StepAwaiting
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import suspend
from contextful.run.journal import journal
from contextful.run.own import own
from contextful.runner.board import Board
from contextful.runner.journal import Attempt, Journal
from contextful.runner.settle import settle
from contextful_contract.errors import AwakeableTimedOut, AwakeableUnknown
from contextful_contract.shapes import Awakeable, AwakeableState

POLL_MS = 50  # how soon a resolution by another process is noticed
DROPPED_MAX = 10_000  # a pass; what is left waits for the next


class Minted:
    """An awakeable in the hands of its body: a token to send out, and the wait for what comes back."""

    def __init__(self, awakeable: Awakeable, wait: Callable[[int | None], object]) -> None:
        self.token = awakeable.token
        self.deadline = instant.spell(awakeable.deadline)
        self._wait = wait

    def wait(self, *, hold: str | None = None) -> Any:
        """The payload that resolved it, now and at every replay.

        Until there is one, the attempt closes `waiting` and its next one resumes here. It keeps its thread instead for
        as long as `hold` says; where nobody says, if the deadline is at most 5 min away.

        Past the deadline this raises AwakeableTimedOut, on the word of the record and so at every replay alike. It is
        an error rather than a value, for a body that forgets to look would take a value for an approval; one that can
        go on without an answer catches it.
        """
        hold_ms = None if hold is None else instant.span_ms(hold)
        if hold is not None and hold_ms is None:
            raise ValueError(f'hold is {hold!r}, and must be a length of time such as "0s", "90s" or "24h"')
        return self._wait(hold_ms)


class Awakeables:
    """Awakeables over their ports."""

    def __init__(self, rows: Rows, world: World, journal: Journal, board: Board) -> None:
        self._rows = rows
        self._world = world
        self._journal = journal
        self._board = board

    def mint(self, attempt: Attempt, label: str, *, ttl: str, caller: str | None, created_at: str | None) -> Awakeable:
        """The awakeable that the execution has under this label, minted where no attempt has reached it yet."""
        execution_id = attempt.owner.execution_id

        def decide() -> tuple[Awakeable, Sequence[Change]]:
            row = self._rows.get(suspend.AWAKEABLE, (execution_id, label))
            if row is not None:
                return suspend.from_row(row), ()
            self._journal.still_ours(attempt)
            fresh = suspend.mint(
                token=f"awk-{self._world.draw(128):032x}",
                execution_id=execution_id,
                step_label=label,
                created_at=instant.spell(self._world.now_ms()) if created_at is None else created_at,
                ttl=ttl,
                caller=caller,
            )
            return fresh, (suspend.inserted(fresh), *attempt.guards)  ##= run.suspend.awakeable

        return settle(self._rows, decide)

    def wait(self, attempt: Attempt, awakeable: Awakeable, *, hold_ms: int | None) -> object:
        """The payload, once it is recorded. Leaves the body where it would hold its thread for too long."""
        entry = suspend.entry(awakeable)
        left_ms = suspend.holds_ms(awakeable, hold_ms, self._world.now_ms())
        attempt.observer.tell(StepAwaiting(awakeable.step_label, awakeable.deadline))
        while True:  # ends: with an answer, at the deadline, with a stop, or when its thread has been held for so long
            with self._board.watching(entry) as changed, attempt.token.telling(changed.set):
                recorded = self._recorded(awakeable)
                if recorded == suspend.TIMEOUT:
                    raise AwakeableTimedOut(deadline=awakeable.deadline)  ##= run.suspend.recorded-timeout
                if recorded is not None:
                    return self._journal.replayed(attempt, awakeable.step_label, entry.input_hash, recorded)
                attempt.token.check()
                now_ms = self._world.now_ms()
                if suspend.remaining(awakeable, now_ms) == 0:
                    self._journal.still_ours(attempt)
                    self._time_out(awakeable, now_ms)
                elif left_ms == 0:
                    raise Awaiting(label=awakeable.step_label, until_ms=awakeable.deadline + 1)
                else:
                    self._world.wait(changed, min(POLL_MS, left_ms))
                    left_ms -= min(POLL_MS, left_ms)

    def resolve(self, token: str, payload: object, *, caller: str | None) -> object:
        """The payload on record for the token, which this one becomes where there is none."""
        content = _encoded(payload)
        payload_sha256 = digest.of(payload)
        now_ms = self._world.now_ms()

        def decide() -> tuple[Awakeable, Sequence[Change]]:
            standing = self.known(token, caller, now_ms)
            stored = journal.place(content)
            resolved = suspend.resolve(standing, stored, payload_sha256=payload_sha256, now_ms=now_ms)
            if resolved == standing:
                return resolved, ()
            return resolved, self._recording(resolved, self._journal.placed(content), now_ms)

        try:
            resolved = settle(self._rows, decide)
        except AwakeableTimedOut:
            self._time_out(self.known(token, caller, now_ms), now_ms)  # so that no earlier instant finds it pending
            raise
        self._board.ring(suspend.entry(resolved))
        return codec.decode(content)

    def known(self, token: str, caller: str | None, now_ms: int) -> Awakeable:
        """The awakeable that answers to this token from this caller."""
        rows = self._rows.select(Select(suspend.AWAKEABLE, {"token": token}, limit=1))
        found = suspend.known(suspend.from_row(rows[0]) if rows else None, caller)
        if found.state is not AwakeableState.PENDING:
            return found
        recorded = self._recorded(found)
        if recorded is None:
            return suspend.awaited(found, owned=self._owner(found) is not None, now_ms=now_ms)
        payload = codec.decode(self._journal.content(recorded))
        recovered = suspend.recovered(found, recorded, payload_sha256=digest.of(payload))
        self._rows.commit(suspend.settled(recovered))
        return recovered

    def look(self, token: str, caller: str | None) -> Awakeable:
        """Where the token's awakeable stands now; resolves nothing."""
        now_ms = self._world.now_ms()
        return suspend.as_of(self.known(token, caller, now_ms), now_ms)

    def drop(self) -> int:
        """Drop the rows past their deadline that no execution reads any more; how many went."""
        asked = Select(suspend.AWAKEABLE, {}, order="deadline_ms", before=self._world.now_ms(), limit=DROPPED_MAX)
        past = [suspend.from_row(row) for row in self._rows.select(asked)]
        return sum(self._rows.commit(suspend.dropped(each)) for each in past if self._owner(each) is None)

    def _time_out(self, awakeable: Awakeable, now_ms: int) -> None:
        """Record that nobody has answered in time, unless somebody has."""

        def decide() -> tuple[None, Sequence[Change]]:
            row = self._rows.get(suspend.AWAKEABLE, (awakeable.execution_id, awakeable.step_label))
            expired = None if row is None else suspend.expire(suspend.from_row(row), now_ms)
            if expired is None or self._owner(expired) is None:
                return None, ()
            return None, self._recording(expired, suspend.TIMEOUT, now_ms)

        settle(self._rows, decide)
        self._board.ring(suspend.entry(awakeable))

    def _recording(self, awakeable: Awakeable, value: journal.Stored, now_ms: int) -> Sequence[Change]:
        """The row leaves `pending`, the journal has the value, a run that waits is woken: in one commit, or not yet."""
        owner = self._owner(awakeable)
        if owner is None:
            raise AwakeableUnknown
        delivered = journal.delivered(suspend.entry(awakeable), value)
        return suspend.settled(awakeable), delivered, own.woken(owner, now_ms), *self._above(owner, now_ms)

    def _above(self, owner: own.Owner, now_ms: int) -> Sequence[Change]:
        """Whoever waits for all the parts, of which the owner is one, is woken with it."""
        above = owner.scope.above if isinstance(owner.scope, own.HostScope) else None
        row = None if above is None else self._rows.get(own.OWNER, (above.key(),))
        return () if row is None else (own.woken(own.from_row(row), now_ms),)

    def _recorded(self, awakeable: Awakeable) -> journal.Stored | None:
        """What the journal has for the awaited step."""
        entry = suspend.entry(awakeable)
        row = self._rows.get(journal.ENTRY, (entry.execution_id, entry.step_label, entry.input_hash))
        state = journal.from_row(row)
        return state.value if isinstance(state, journal.Recorded) else None

    def _owner(self, awakeable: Awakeable) -> own.Owner | None:
        rows = self._rows.select(Select(own.OWNER, {"execution_id": awakeable.execution_id}, limit=1))
        return own.from_row(rows[0]) if rows else None


def _encoded(payload: object) -> bytes:
    try:
        return codec.encode(payload, root="payload")
    except codec.Unrecordable as refusal:
        raise ValueError(str(refusal)) from None
