"""What executions do over every `Rows`: at whatever instant around a suspension an answer, a stop or a kill comes."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel.change import Change, Survives, Update
from contextful.kernel.failure import RateLimited
from contextful.kernel.signal import Stopped, Suspended
from contextful.kernel.table import Row, Scalar, Select, Table
from contextful.ports.rows import Rows
from contextful.run import record
from contextful.runner.engine import Engine
from contextful.runner.execution import Execution
from contextful.testing.clock import SkippingWorld
from contextful.testing.faults import Crash, Crashes, CrashingRows
from contextful_contract.errors import (
    AwakeableAlreadyResolved,
    AwakeableTimedOut,
    AwakeableUnknown,
    CancelTargetNotInFlight,
)
from contextful_contract.shapes import RunStatus

DAY_MS = 86_400_000
OPERATIONS_MAX = 50  # more than an attempt takes that comes to wait
Act = Callable[[], object]


class MeetingRows:
    """Rows of a process that meets an act of somebody else before one of its operations, or after its last."""

    def __init__(self, rows: Rows, act: Act, *, at: int) -> None:
        self._rows = rows
        self._act = act
        self._at = at
        self.count = 0

    def get(self, table: Table, key: Sequence[Scalar]) -> Row | None:
        """As the rows beneath."""
        self._meet()
        return self._rows.get(table, key)

    def select(self, select: Select) -> Sequence[Row]:
        """As the rows beneath."""
        self._meet()
        return self._rows.select(select)

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:
        """As the rows beneath."""
        self._meet()
        return self._rows.commit(*changes, survives=survives)

    def now_ms(self, local_ms: int) -> int:
        """As the rows beneath."""
        return self._rows.now_ms(local_ms)

    def close(self) -> None:
        """They are somebody else's to close."""

    def _meet(self) -> None:
        if self.count == self._at:
            self._act()
        self.count += 1


@dataclass
class Order:
    """A body that pays, asks for an approval, waits and pays again; and what has come of it."""

    rows: Rows
    scope: str
    token: str = ""
    paid: list[str] = field(default_factory=list)
    attempts: int = 0
    late: bool = False  # a stop found nothing to end

    def __post_init__(self) -> None:
        self.world = SkippingWorld(seed=zlib.crc32(self.scope.encode()))  # no two draw the same ids

    def engine(self, rows: Rows | None = None) -> Engine:
        """An engine of a process of its own."""
        return Engine(rows or self.rows, RowBlobs(self.rows), self.world)

    def body(self, run: Execution) -> object:
        """Pay for what is recorded once."""
        run.step("quote", self.paid.append, "quote")
        approval = run.awakeable("approve")
        self.token = approval.token
        answer = approval.wait(hold="0s")
        run.step("charge", self.paid.append, "charge")
        return answer

    def attempt(self, rows: Rows | None = None) -> object:
        """One attempt: what the body returned, or the signal that it left with."""
        self.attempts += 1
        try:
            with self.engine(rows).execution(self.scope, "plan", run_id=self.run_id()) as run:
                return self.body(run)
        except (Suspended, Stopped) as signal:
            return signal

    def answer_if_asked(self) -> None:
        """The same, once there is a token."""
        if self.token:
            self.answer()

    def stop(self) -> None:
        """Somebody else asks for a stop of the last attempt."""
        try:
            self.engine().stop(self.run_id())
        except CancelTargetNotInFlight:
            self.late = True

    def run_id(self) -> str:
        """The last attempt's."""
        return f"{self.scope}.{self.attempts}"

    def answer(self) -> object:
        """Somebody else says yes."""
        return self.engine().resolve(self.token, "yes")

    def lapse(self) -> None:
        """The dead attempt's lease is over, whichever clock judges it."""
        self.rows.commit(Update(record.RUN, {"run_id": self.run_id()}, {}, {"lease_expires_ms": 1}))

    def status(self) -> RunStatus:
        """How the last attempt stands on record."""
        run = self.engine().run(self.run_id())
        assert run is not None
        return run.status


class ExecutionSuite:
    """Give it a `rows` fixture over the engine's tables and those of `RowBlobs`, empty.

    It walks over all instants; over a store that takes its time, over some.
    """

    every = 1

    @pytest.mark.clause("run.suspend.awakeable")
    @pytest.mark.clause("run.suspend.resume-is-a-step-output")
    def test_an_answer_at_any_instant_around_a_suspension_is_received(self, rows: Rows) -> None:
        received: list[str] = []
        for at in range(0, OPERATIONS_MAX, self.every):
            order = Order(rows, f"answered-{at}")
            meets = MeetingRows(rows, order.answer_if_asked, at=at)
            outcome = order.attempt(meets)
            owner = order.engine().pending(order.scope)
            if owner is None:
                assert outcome == "yes"
            else:
                answered = order.engine().awakeable(order.token).state.final
                woken = owner.waiting_until_ms is not None and owner.waiting_until_ms <= order.world.now_ms()
                assert answered == woken, f"an answer before operation {at} wakes the run"
                order.answer()
                assert order.attempt() == "yes"
            assert order.paid == ["quote", "charge"]
            received.append(type(outcome).__name__)
            if meets.count <= at:
                break

        assert self.every > 1 or set(received) == {"str", "Awaiting"}, "the walk has both sides"
        assert at > 10

    @pytest.mark.clause("run.cancel.catalog-channel")
    @pytest.mark.clause("run.cancel.one-token")
    def test_a_stop_at_any_instant_around_a_suspension_ends_the_run(self, rows: Rows) -> None:
        for at in range(0, OPERATIONS_MAX, self.every):
            order = Order(rows, f"stopped-{at}")
            meets = MeetingRows(rows, order.stop, at=at)
            order.attempt(meets)
            if order.late or meets.count <= at:  # the run was not there yet, or has left
                assert order.status() is RunStatus.WAITING
                order.stop()
            assert order.status() is RunStatus.CANCELED, f"a stop before operation {at}"
            if meets.count <= at:
                break

        assert at > 10

    @pytest.mark.clause("run.suspend.survives-restart")
    @pytest.mark.clause("run.suspend.resume-is-a-step-output")
    def test_a_run_killed_at_any_operation_has_one_token_and_gets_its_answer(self, rows: Rows) -> None:
        for at in range(0, OPERATIONS_MAX, self.every):
            order = Order(rows, f"killed-{at}")
            crashes = Crashes(at)
            try:
                order.attempt(CrashingRows(rows, crashes))
            except Crash:
                order.lapse()
            sent = order.token
            order.attempt()
            assert sent in ("", order.token)

            order.answer()

            assert order.attempt() == "yes", f"killed at operation {at}"
            assert order.paid.count("charge") == 1
            if crashes.count < at:
                break

        assert at > 20

    @pytest.mark.clause("run.suspend.conflicting-resolution")
    @pytest.mark.clause("run.suspend.unknown-token")
    @pytest.mark.clause("run.suspend.expired-token")
    def test_a_token_is_answered_once_and_in_time(self, rows: Rows) -> None:
        order, late = Order(rows, "in-time"), Order(rows, "late")
        order.attempt()
        late.attempt()

        assert [order.answer(), order.answer()] == ["yes", "yes"]
        with pytest.raises(AwakeableAlreadyResolved):
            order.engine().resolve(order.token, "no")
        with pytest.raises(AwakeableUnknown):
            order.engine().resolve("awk-nobody", "yes")
        late.world.skip(DAY_MS + 1)
        with pytest.raises(AwakeableTimedOut):
            late.answer()
        late.world.skip(-DAY_MS)  # another process's clock is behind
        with pytest.raises(AwakeableTimedOut):
            late.answer()

    @pytest.mark.clause("run.retry.not-before")
    @pytest.mark.clause("run.retry.resume-at")
    def test_a_wait_and_the_attempts_that_are_left_outlive_the_process(self, rows: Rows) -> None:
        world = SkippingWorld()
        began_ms: list[int] = []

        def fetch() -> str:
            began_ms.append(world.now_ms())
            if len(began_ms) == 1:
                raise RateLimited("busy", retry_after_ms=900_000)
            return "page"

        def attempt() -> object:
            with Engine(rows, RowBlobs(rows), world).execution("throttled", "plan") as run:
                return run.step("fetch", fetch)

        with pytest.raises(Suspended):
            attempt()
        world.skip(700_000)

        assert attempt() == "page"
        assert began_ms[1] - began_ms[0] == 900_000
