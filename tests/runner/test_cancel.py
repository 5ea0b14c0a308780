"""Stops, as a body meets them: it has no say, whatever it is made of."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.errors import CancelTargetNotInFlight
from contextful.kernel.table import Row, Select
from contextful.run.record import Run
from contextful.testing import SimRows, SimWorld, SkippingWorld, every_order
from contextful_contract.shapes import FailureTag, RunStatus, StopMark

LEASE_LAPSED_MS = 31_000
Body = Callable[[contextful.Execution], object]


@dataclass
class Place:
    """Stores, processes that come and go over them, and a person with an engine of their own."""

    rows: MemoryRows = field(default_factory=MemoryRows)
    world: SkippingWorld = field(default_factory=SkippingWorld)

    def engine(self) -> contextful.Engine:
        """An engine of a process of its own."""
        return contextful.Engine(self.rows, RowBlobs(self.rows), self.world)

    def stop(self, run_id: str = "run-a", **asked: Any) -> None:
        """A person asks for a stop."""
        self.engine().stop(run_id, **asked)

    def run(self, run_id: str = "run-a") -> Run:
        """The run's row, which stands."""
        run = self.engine().run(run_id)
        assert run is not None
        return run

    def attempt(self, body: Body, run_id: str = "run-a") -> object:
        """One attempt at the scope."""
        with self.engine().execution("index-42", "plan-a", run_id=run_id) as run:
            return body(run)


@pytest.fixture
def place() -> Place:
    return Place()


@pytest.mark.clause("run.cancel.catalog-channel")
def test_a_stop_stands_on_the_row_with_its_instant_scope_and_reason(place: Place) -> None:
    place.engine().execution("index-42", "plan-a", run_id="run-a")

    marked = place.engine().stop("run-a", reason="wrong key; api_key=hunter2")

    assert marked == ["run-a"]
    at = place.world.now_ms()
    assert place.run().stop == StopMark(requested_at=at, scope="run", reason="wrong key; api_key=[REDACTED:credential]")


@pytest.mark.clause("run.cancel.catalog-channel")
def test_a_newer_stop_takes_the_place_of_an_older_one(place: Place) -> None:
    place.engine().execution("index-42", "plan-a", run_id="run-a")
    place.stop(reason="wrong key")
    place.world.skip(1_000)

    place.stop(scope="pipeline")

    assert place.run().stop == StopMark(requested_at=place.world.now_ms(), scope="pipeline")


@pytest.mark.clause("run.cancel.not-in-flight")
@pytest.mark.parametrize("scope", ["run", "pipeline"])
def test_there_is_nothing_to_stop_where_nothing_is_in_flight(place: Place, scope: str) -> None:
    place.attempt(lambda _: None)

    for run_id in ("run-a", "run-nobody-knows"):
        with pytest.raises(CancelTargetNotInFlight) as refusal:
            place.stop(run_id, scope=scope)
        assert refusal.value.run_id == run_id
    assert place.run().stop is None


@pytest.mark.clause("run.cancel.poll-interval")
def test_a_run_that_was_stopped_before_its_first_await_does_nothing(place: Place) -> None:
    ran: list[str] = []

    def body(run: contextful.Execution) -> None:
        place.stop()
        run.step("fetch", ran.append, "fetch")

    with pytest.raises(contextful.Stopped, match="a stop of scope run was asked at 2026-03-01T00:00:00Z"):
        place.attempt(body)

    assert ran == []
    assert (place.run().status, place.run().error_kind) == (RunStatus.CANCELED, FailureTag.CANCELED)
    assert place.engine().pending("index-42") is None


@pytest.mark.clause("run.cancel.one-token")
def test_a_run_that_was_stopped_is_not_given_what_is_recorded(place: Place) -> None:
    given: list[str] = []

    def body(run: contextful.Execution) -> None:
        given.append(run.step("fetch", lambda: "page"))
        raise ValueError("no second page")

    def stopped(run: contextful.Execution) -> None:
        place.stop("run-b")
        body(run)

    with pytest.raises(ValueError, match="no second page"):
        place.attempt(body)
    with pytest.raises(contextful.Stopped):
        place.attempt(stopped, "run-b")

    assert given == ["page"]


def keeps_no_exception(run: contextful.Execution) -> None:
    """A body that is careless with errors."""
    with contextlib.suppress(Exception):
        run.step("fetch", lambda: "page")


def keeps_everything(run: contextful.Execution) -> None:
    """A body that would keep a signal."""
    with contextlib.suppress(BaseException):
        run.step("fetch", lambda: "page")


def returns_in_finally(run: contextful.Execution) -> str:
    """A body that leaves well whatever happens."""
    try:
        run.step("fetch", lambda: "page")
    finally:
        return "well"  # noqa: B012


def raises_another(run: contextful.Execution) -> None:
    """A body that puts its own error in the place of a signal."""
    try:
        run.step("fetch", lambda: "page")
    except BaseException:  # noqa: BLE001
        raise ValueError("no page") from None


def in_threads(run: contextful.Execution) -> None:
    """A body whose threads take its steps, and that looks at none of their results."""
    with ThreadPoolExecutor(2) as pool:
        pool.map(lambda page: run.step("fetch", lambda: page, input=page), range(2))


def in_a_task_group(run: contextful.Execution) -> None:
    """A body that is a coroutine with tasks of its own."""

    async def fetch() -> None:
        async with asyncio.TaskGroup() as group:
            for page in range(2):
                group.create_task(asyncio.to_thread(run.step, "fetch", lambda page: page, page))

    asyncio.run(fetch())


def in_a_shield(run: contextful.Execution) -> None:
    """A body that is a coroutine, and lets nobody cancel what it waits for."""

    async def fetch() -> None:
        with contextlib.suppress(BaseException):
            await asyncio.shield(asyncio.to_thread(run.step, "fetch", lambda: "page"))

    asyncio.run(fetch())


def in_branches(run: contextful.Execution) -> None:
    """A body that joins branches, and goes on without those that fail."""
    run.gather("both", {name: lambda: run.step("fetch", lambda: "page") for name in "ab"}, allow_partial=True)


def in_a_wait(run: contextful.Execution) -> None:
    """A body that waits for a person, and for nobody else."""
    with contextlib.suppress(Exception):
        run.wait("approve")


BODIES = [
    keeps_no_exception,
    keeps_everything,
    returns_in_finally,
    raises_another,
    in_threads,
    in_a_task_group,
    in_a_shield,
    in_branches,
    in_a_wait,
]


@pytest.mark.clause("run.cancel.abandoned-work")
@pytest.mark.clause("run.cancel.one-token")
@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_no_body_swallows_a_stop(place: Place, body: Body) -> None:
    def stopped(run: contextful.Execution) -> None:
        place.stop()
        body(run)

    with pytest.raises(contextful.Stopped):
        place.attempt(stopped)

    assert (place.run().status, place.run().error_kind) == (RunStatus.CANCELED, FailureTag.CANCELED)


def test_no_body_swallows_a_suspension(place: Place) -> None:
    def careless(run: contextful.Execution) -> str:
        with contextlib.suppress(BaseException):
            run.wait("approve")
        return "well"

    with pytest.raises(contextful.Suspended):
        place.attempt(careless)

    assert place.run().status is RunStatus.WAITING


def test_an_interrupt_is_what_it_is_even_after_a_signal(place: Place) -> None:
    def interrupted(run: contextful.Execution) -> None:
        with contextlib.suppress(BaseException):
            run.wait("approve")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        place.attempt(interrupted)

    assert place.run().status is RunStatus.CANCELED


class Watched:
    """A run in a simulated world, and a person who stops it after a while."""

    def __init__(self, world: SimWorld, body: Callable[[Watched, contextful.Execution], object]) -> None:
        self.world = world
        self.rows = MemoryRows()
        self.ran: list[str] = []
        self.body = body
        self.answer: object = None

    def engine(self) -> contextful.Engine:
        """An engine of the process that asks."""
        rows = SimRows(self.rows, self.world)
        return contextful.Engine(rows, RowBlobs(rows), self.world)

    def play(self, *, stop_ms: int, scope: str = "run") -> Watched:
        """Let it all happen."""

        def run() -> object:
            with self.engine().execution("index-42", "plan-a", run_id="run-a") as execution:
                return self.body(self, execution)

        def person() -> object:
            self.wait(stop_ms)
            return self.engine().stop("run-a", scope=scope)

        self.world.process("run", run)
        self.world.process("person", person)
        self.world.run()
        self.answer = self.world.outcomes["run"]
        return self

    def wait(self, duration_ms: int) -> None:
        """Let time pass."""
        self.world.wait(self.world.event(), duration_ms)

    def later(self) -> Place:
        """The same stores, once everybody has left."""
        return Place(self.rows, SkippingWorld(now_ms=self.world.now_ms()))


def test_an_effect_under_way_ends_and_is_recorded_and_nothing_begins_after_it() -> None:
    def body(watched: Watched, run: contextful.Execution) -> None:
        run.step("charge", lambda: (watched.wait(2_000), watched.ran.append("charge")))
        run.step("send", watched.ran.append, "send")

    watched = Watched(SimWorld(1), body).play(stop_ms=700)

    assert isinstance(watched.answer, contextful.Stopped)
    place = watched.later()
    assert place.run().status is RunStatus.CANCELED
    place.attempt(lambda run: body(watched, run), "run-b")
    assert watched.ran == ["charge", "send"]


@pytest.mark.clause("run.cancel.one-token")
def test_a_stop_ends_the_wait_for_another_s_claim() -> None:
    """A thread waits for the value of a step that another one is at."""

    def body(watched: Watched, run: contextful.Execution) -> None:
        watched.world.aside("other", lambda: _quietly(lambda: run.step("charge", lambda: watched.wait(60_000))))
        watched.wait(1)
        try:
            run.step("charge", lambda: watched.ran.append("twice"))
        finally:
            watched.ran.append(f"left at {watched.world.now_ms() - began_ms}")

    world = SimWorld(1)
    began_ms = world.now_ms()
    watched = Watched(world, body).play(stop_ms=100)

    assert isinstance(watched.answer, contextful.Stopped)
    assert watched.ran == ["left at 500"]


def _quietly(call: Callable[[], object]) -> None:
    with contextlib.suppress(BaseException):
        call()


def throttled() -> None:
    """A vendor that asks for a quarter of an hour."""
    raise contextful.RateLimited("later", retry_after_ms=900_000)


@pytest.mark.clause("run.cancel.abandoned-work")
@pytest.mark.clause("run.cancel.resumable-remains")
def test_a_run_that_waits_is_canceled_at_once_and_keeps_what_it_recorded(place: Place) -> None:
    effect: list[str] = []

    def body(run: contextful.Execution) -> None:
        run.step("read", effect.append, "read")
        run.step("send", throttled)

    with pytest.raises(contextful.Suspended):
        place.attempt(body)

    place.stop(reason="enough")

    row, owner = place.run(), place.engine().pending("index-42")
    assert (row.status, row.error_kind, row.next_attempt_ms) == (RunStatus.CANCELED, FailureTag.CANCELED, None)
    assert owner is not None
    assert owner.waiting_until_ms is None
    with pytest.raises(contextful.Suspended):
        place.attempt(body, "run-b")
    assert effect == ["read"]


@pytest.mark.clause("run.cancel.resumable-remains")
def test_a_run_that_waits_and_has_recorded_nothing_releases_its_owner(place: Place) -> None:
    with pytest.raises(contextful.Suspended):
        place.attempt(lambda run: run.step("send", throttled))

    place.stop()

    assert place.run().status is RunStatus.CANCELED
    assert place.engine().pending("index-42") is None


@pytest.mark.clause("run.cancel.resumable-remains")
def test_an_answer_that_comes_after_a_stop_is_there_for_the_next_attempt(place: Place) -> None:
    tokens: list[str] = []

    def body(run: contextful.Execution) -> object:
        approval = run.awakeable("approve")
        tokens.append(approval.token)
        return approval.wait()

    with pytest.raises(contextful.Suspended):
        place.attempt(body)
    place.stop()

    place.engine().resolve(tokens[0], "yes")

    assert place.attempt(body, "run-b") == "yes"
    assert tokens[0] == tokens[1]


@pytest.mark.clause("run.cancel.not-in-flight")
def test_in_every_order_a_stop_around_a_suspension_ends_the_run() -> None:
    seen: set[str] = set()

    def history(world: SimWorld) -> None:
        watched = Watched(world, lambda watched, run: (watched.wait(1), run.wait("approve"))).play(stop_ms=1)
        place = watched.later()
        assert world.outcomes["person"] == ["run-a"]
        assert place.run().status is RunStatus.CANCELED
        seen.add(type(watched.answer).__name__)

    assert every_order(history) > 100
    assert seen == {"Stopped", "Awaiting"}


@pytest.mark.clause("run.cancel.host-grain")
def test_a_stop_of_a_host_scope_ends_what_runs_under_it_and_passes_over_what_has_waited(place: Place) -> None:
    with pytest.raises(contextful.Suspended):
        place.attempt(lambda run: run.step("send", throttled), "run-a")
    place.world.skip(900_000)
    place.engine().execution("index-42", "plan-a", run_id="run-b")
    place.engine().execution("index-43", "plan-a", run_id="run-c")

    marked = place.engine().stop("run-b", scope="pipeline")

    assert marked == ["run-b"]
    assert (place.run("run-a").status, place.run("run-b").status) == (RunStatus.WAITING, RunStatus.RUNNING)
    assert place.run("run-c").stop is None
    assert place.engine().pending("index-42") is not None, "the attempt at work decides about its owner"


@pytest.mark.clause("run.cancel.engine-keeper")
def test_one_read_a_beat_serves_every_run() -> None:
    world = SimWorld(1)
    looks: list[int] = []

    class Counting(SimRows):
        def select(self, select: Select) -> Sequence[Row]:
            if select.order == "stop_requested_ms":
                looks.append(world.now_ms())
            return super().select(select)

    def process() -> None:
        rows = Counting(MemoryRows(), world)
        engine = contextful.Engine(rows, RowBlobs(rows), world)
        runs = [engine.execution(f"index-{number}", "plan-a") for number in range(20)]
        world.wait(world.event(), 2_000)
        for run in runs:
            run.drop()

    began_ms = world.now_ms()
    world.process("run", process)
    world.run()

    assert world.outcomes["run"] is None
    assert [at - began_ms for at in looks] in ([500, 1_000, 1_500], [500, 1_000, 1_500, 2_000])


def test_an_engine_that_is_closed_keeps_nothing() -> None:
    world = SimWorld(1)

    def process() -> int:
        rows = SimRows(MemoryRows(), world)
        engine = contextful.Engine(rows, RowBlobs(rows), world)
        engine.execution("index-42", "plan-a")
        engine.close()
        world.wait(world.event(), 1)
        return world.running("contextful-keeper")

    world.process("run", process)
    world.run()

    assert world.outcomes["run"] == 0


@pytest.mark.clause("run.own.unclosed-execution")
def test_the_lease_of_a_dropped_handle_lapses_though_its_process_lives_on() -> None:
    world = SimWorld(1)

    def process() -> bool:
        rows = SimRows(MemoryRows(), world)
        with contextful.Engine(rows, RowBlobs(rows), world) as engine:
            dropped = engine.execution("index-42", "plan-a")
            dropped.drop()
            world.wait(world.event(), 31_000)
            return engine.execution("index-42", "plan-a").execution_id == dropped.execution_id

    world.process("run", process)
    world.run()

    assert world.outcomes["run"] is True
