"""Answers at every instant around a suspension, and processes that die at every operation of either."""

from __future__ import annotations

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel.table import Select
from contextful.run.journal import journal
from contextful.testing import Crash, Crashes, SimRows, SimWorld, SkippingWorld, every_order
from contextful_contract.shapes import AwakeableState
from tests.runner.desk import BIG, DAY_MS, LEASE_LAPSED_MS, Desk


def operations(desk: Desk, what: str) -> int:
    """How many instants there are at which a process may die that runs the body, or that resolves."""
    crashes = Crashes()
    if what == "suspend":
        with pytest.raises(contextful.Suspended):
            desk.attempt(crashes)
    else:
        desk.engine(crashes).resolve(desk.suspend(), BIG)
    return crashes.count


@pytest.mark.clause("run.suspend.resume-is-a-step-output")
@pytest.mark.clause("run.suspend.survives-restart")
def test_a_run_killed_at_any_operation_of_its_suspension_gets_the_answer_that_was_given() -> None:
    count = operations(Desk(), "suspend")
    assert count > 20, "the walk covers mint, step and close"

    for at in range(count):
        desk = Desk()
        with pytest.raises((Crash, contextful.Suspended)):
            desk.attempt(Crashes(at))
        desk.world.skip(LEASE_LAPSED_MS)
        token = desk.sent[-1] if desk.sent else desk.suspend()
        desk.engine().resolve(token, "yes")

        assert desk.attempt() == "yes", f"killed at operation {at}"
        assert len(desk.awakeables()) == 1
        assert (set(desk.sent), desk.charged) == ({token}, 1)
        assert desk.engine().pending("order-7") is None


@pytest.mark.clause("run.suspend.resume-is-a-step-output")
def test_an_answer_killed_at_any_operation_is_there_whole_or_not_at_all() -> None:
    count = operations(Desk(), "resolve")
    assert count > 5, "the walk covers the blob and the commit"

    for at in range(count):
        desk = Desk()
        token = desk.suspend()
        with pytest.raises(Crash):
            desk.engine(Crashes(at)).resolve(token, BIG)
        awakeable = desk.engine().awakeable(token)
        entries = desk.rows.select(Select(journal.ENTRY, {"execution_id": awakeable.execution_id}))

        resolved = awakeable.state is AwakeableState.RESOLVED
        assert [entry["step_label"] for entry in entries] == ["approve", "send"][not resolved :]
        assert desk.engine().resolve(token, BIG) == BIG
        assert desk.attempt() == BIG, f"killed at operation {at}"


class Race:
    """A body that waits, and a person who answers from another process as soon as the token is out."""

    def __init__(self, world: SimWorld, *, hold: str) -> None:
        self.world = world
        self.rows = MemoryRows()
        self.sent = world.event()
        self.hold = hold
        self.token = ""
        self.answered_ms = self.received_ms = 0
        world.process("run", self.body)
        world.process("person", self.answer)
        world.run()
        self.run = world.outcomes["run"]

    def engine(self) -> contextful.Engine:
        """An engine of the process that asks."""
        rows = SimRows(self.rows, self.world)
        return contextful.Engine(rows, RowBlobs(rows), self.world)

    def body(self) -> object:
        """Ask, and wait."""
        with self.engine().execution("order-7", "plan") as run:
            self.world.wait(self.world.event(), 1)  # the keeper has its first turn, and is out of the way
            approval = run.awakeable("approve")
            self.token = approval.token
            self.sent.set()
            answer = approval.wait(hold=self.hold)
            self.received_ms = self.world.now_ms()
            return answer

    def answer(self) -> object:
        """Say yes."""
        self.world.wait(self.sent, DAY_MS)
        recorded = self.engine().resolve(self.token, "yes")
        self.answered_ms = self.world.now_ms()
        return recorded

    def resumed(self) -> object:
        """What a later attempt receives, in a world where nobody else acts."""
        engine = contextful.Engine(self.rows, RowBlobs(self.rows), SkippingWorld(now_ms=self.world.now_ms()))
        owner = engine.pending("order-7")
        assert owner is not None
        assert owner.waiting_until_ms is not None
        assert owner.waiting_until_ms <= self.world.now_ms(), "an answer that came wakes the owner"
        with engine.execution("order-7", "plan") as run:
            return run.wait("approve")


@pytest.mark.clause("run.suspend.awakeable")
def test_in_every_order_an_answer_around_the_suspension_is_received_and_wakes() -> None:
    outcomes: list[str] = []

    def history(world: SimWorld) -> None:
        race = Race(world, hold="0s")
        assert world.outcomes["person"] == "yes"
        outcomes.append(type(race.run).__name__)
        assert race.run == "yes" or race.resumed() == "yes"

    orders = every_order(history)

    assert orders == len(outcomes) > 100
    assert set(outcomes) == {"str", "Awaiting"}


@pytest.mark.clause("run.suspend.awakeable")
def test_in_every_order_a_wait_in_process_is_woken_within_50_ms_of_an_answer_by_another() -> None:
    def history(world: SimWorld) -> None:
        race = Race(world, hold="1h")
        assert (race.run, world.outcomes["person"]) == ("yes", "yes")
        assert race.received_ms - race.answered_ms <= 50

    assert every_order(history) > 40


@pytest.mark.clause("run.suspend.awakeable")
def test_a_wait_in_process_is_woken_at_once_by_an_answer_of_the_same_engine() -> None:
    world = SimWorld(seed=1)
    rows = MemoryRows()
    began_ms = world.now_ms()
    woken_ms: list[int] = []

    def process() -> object:
        engine = contextful.Engine(SimRows(rows, world), RowBlobs(rows), world)
        with engine.execution("order-7", "plan") as run:
            approval = run.awakeable("approve")

            def answer() -> None:
                world.wait(world.event(), 75)
                engine.resolve(approval.token, "yes")

            world.start("person", answer)
            answered = approval.wait(hold="1h")
            woken_ms.append(world.now_ms())
            return answered

    world.process("run", process)
    world.run()

    assert (world.outcomes["run"], woken_ms) == ("yes", [began_ms + 75])
