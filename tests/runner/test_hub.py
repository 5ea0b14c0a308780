"""The hub on its bad days: readers that stall, runs that die, errors that are long or hostile."""

from __future__ import annotations

import tracemalloc

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.ports.observer import StepStarted
from contextful.run.record import Run
from contextful.runner.hub import Hub
from contextful.runner.live import Live
from contextful.testing import SkippingWorld
from contextful_contract.shapes import FailureTag, RunStatus, Snapshot

LEASE_LAPSED_MS = 31_000


def run_of(world: SkippingWorld) -> Run:
    return Run("r-1", "exec-1", "plan", "here", RunStatus.RUNNING, world.now_ms(), host_scope="scope")


def fail(message: str) -> None:
    raise contextful.Permanent(message)


@pytest.mark.clause("run.project.broadcast-ring")
def test_readers_that_stall_hold_up_nobody_and_take_up_again_at_the_latest() -> None:
    world = SkippingWorld()
    hub = Hub(world)
    observer = hub.watching(run_of(world))
    readers = [hub.subscribe("r-1") for _ in range(200)]
    seen: list[list[Snapshot]] = [[] for _ in readers]

    for number in range(600):
        world.skip(100)
        observer.tell(StepStarted(f"step-{number}", 1))
        hub.turn()
        for place, reader in enumerate(readers[:100]):
            assert reader is not None
            seen[place] += reader.take()

    assert {len(snapshots) for snapshots in seen[:100]} == {601}
    for stalled in readers[100:]:
        assert stalled is not None
        assert [len(snapshot.steps) for snapshot in stalled.take()] == [0, 600]


@pytest.mark.clause("run.project.channel-eviction")
def test_a_process_that_has_seen_a_thousand_runs_holds_what_it_held_after_a_hundred() -> None:
    world = SkippingWorld()
    rows = MemoryRows()
    engine = contextful.Engine(rows, RowBlobs(rows), world)
    hub = Hub(world)
    engine.watch(hub)
    sizes: list[int] = []

    for number in range(1_000):
        with engine.execution("scope", "plan", run_id=f"r-{number}"):
            world.skip(1_000)
        sizes.append(len(hub))

    assert max(sizes) == sizes[100] == sizes[-1] <= 61


@pytest.mark.clause("run.project.terminal-slot")
def test_a_run_whose_process_died_is_shown_as_the_record_has_it() -> None:
    world = SkippingWorld()
    rows = MemoryRows()
    engine = contextful.Engine(rows, RowBlobs(rows), world)
    live = Live(rows, world)
    engine.watch(live.hub)
    engine.execution("scope", "plan", run_id="r-1").step("fetch", lambda: 1)
    world.skip(LEASE_LAPSED_MS)
    assert contextful.Engine(rows, RowBlobs(rows), world).reap() == 1

    subscription = live.subscribe("r-1")

    assert subscription is not None
    assert [snapshot.status for snapshot in subscription.take()] == [RunStatus.PARTIAL_FAILURE]


def test_an_error_is_shown_short_and_without_its_secrets() -> None:
    world = SkippingWorld()
    rows = MemoryRows()
    engine = contextful.Engine(rows, RowBlobs(rows), world)
    hub = Hub(world)
    engine.watch(hub)
    message = "Authorization: Bearer abcdefghijklmnop " + "x" * 50_000_000
    with pytest.raises(contextful.StepFailed), engine.execution("scope", "plan", run_id="r-1") as run:
        run.step("fetch", fail, message, input="fetch")

    subscription = hub.subscribe("r-1")

    assert subscription is not None
    (view,) = subscription.take()
    (step,) = view.steps
    assert view.error is not None
    assert step.failure is not None
    assert step.failure.tag is FailureTag.PERMANENT
    for shown in (view.error.message, step.failure.message):
        assert len(shown) <= 2_048
        assert "abcdefghijklmnop" not in shown


def test_what_nobody_folds_takes_no_more_memory_than_its_channel() -> None:
    world = SkippingWorld()
    hub = Hub(world)
    observer = hub.watching(run_of(world))
    for number in range(10_000):
        observer.tell(StepStarted(f"step-{number}", 1))
    tracemalloc.start()

    for number in range(100_000):
        observer.tell(StepStarted(f"step-{number}", 1))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert held < 64 << 10
    assert hub.emissions.dropped > 100_000


@pytest.mark.clause("run.project.broadcast-ring")
def test_a_ring_of_a_long_run_takes_no_more_room_than_what_has_moved() -> None:
    world = SkippingWorld()
    hub = Hub(world)
    observer = hub.watching(run_of(world))
    late = hub.subscribe("r-1", oldest=True)
    for number in range(4_000):
        observer.tell(StepStarted(f"step-{number}", 1))
    hub.turn()
    tracemalloc.start()

    for number in range(300):
        world.skip(100)
        observer.tell(StepStarted(f"step-{number}", 2))
        hub.turn()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert held < 1 << 20
    oldest = hub.subscribe("r-1", oldest=True)
    assert oldest is not None
    assert late is not None
    snapshots = oldest.take()
    assert [sum(step.attempts == 2 for step in snapshot.steps) for snapshot in snapshots] == list(range(45, 301))
    assert {len(snapshot.steps) for snapshot in snapshots} == {4_000}
