"""What watching costs: events through the hub to a hundred subscribers, and the pace of a run that somebody watches."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from tools.benches import Goal, Row
from tools.command import ROOT

if TYPE_CHECKING:
    import contextful

UNWATCHED = "steps, nobody watches"
SUBSCRIBERS = 100
EVENTS = 100_000
STEPS = 500
ROUNDS = 9


def rows() -> Sequence[Row]:
    """Events a second, and steps a second with and without a subscriber."""
    sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "generated")]
    import contextful

    with (
        TemporaryDirectory(dir=ROOT / "build") as folder,
        contextful.Engine.open(Path(folder) / "alone") as alone,
        contextful.Engine.open(Path(folder) / "seen") as seen,
    ):
        seen.live()
        without_s, live_s, with_s = _paces(alone, seen)
    return (
        Row(f"events to {SUBSCRIBERS} subscribers", EVENTS / _events_s(), "a second"),
        Row("steps, no hub", STEPS / without_s, "a second"),
        Row(UNWATCHED, STEPS / live_s, "a second", "steps, no hub"),
        Row("steps, one subscriber", STEPS / with_s, "a second", UNWATCHED, Goal(at_least=0.97, of_ratio=True)),
    )


def _paces(alone: contextful.Engine, seen: contextful.Engine) -> tuple[float, float, float]:
    """The best of each, taken in turns, for a machine's pace changes from one second to the next."""
    taken: list[list[float]] = [[], [], []]
    for _ in range(ROUNDS):
        taken[0].append(_run_s(alone, watched=False))
        taken[1].append(_run_s(seen, watched=False))
        taken[2].append(_run_s(seen, watched=True))
    return min(taken[0]), min(taken[1]), min(taken[2])


def _run_s(engine: contextful.Engine, *, watched: bool) -> float:
    with engine.execution("bench", "plan") as run:
        if watched:
            told: list[Callable[[], object]] = []
            subscription = engine.live().subscribe(run.run_id, lambda: _read(told))
            assert subscription is not None
            told.append(subscription.take)
        began_s = perf_counter()
        for step in range(STEPS):
            run.step("step", lambda given: given, step)
        return perf_counter() - began_s


def _read(takes: Sequence[Callable[[], object]]) -> None:
    """Read what was broadcast, as a subscriber does when it is told."""
    for take in takes:
        take()


def _events_s() -> float:
    """A run that emits as fast as it can, to subscribers each of whom reads all that is broadcast."""
    from contextful.adapters.system import SystemWorld
    from contextful.ports.observer import StepStarted
    from contextful.run.record import Run
    from contextful.runner.emission import EVENTS_MAX
    from contextful.runner.hub import Hub
    from contextful_contract.shapes import RunStatus

    world = SystemWorld()
    hub = Hub(world)
    run = Run("r-1", "exec-1", "plan", "here", RunStatus.RUNNING, world.now_ms(), host_scope="bench")
    observer = hub.watching(run)
    hub.turn()
    subscriptions = []
    for _ in range(SUBSCRIBERS):
        told = threading.Event()
        subscription = hub.subscribe("r-1", told.set)
        assert subscription is not None
        subscriptions.append(subscription)
    began_s = perf_counter()
    for number in range(EVENTS):
        observer.tell(StepStarted(f"step-{number % 100}", 1))
        if number % EVENTS_MAX == EVENTS_MAX - 1:
            hub.turn()
            for subscription in subscriptions:
                subscription.take()
    hub.turn()
    assert hub.emissions.dropped == 0
    return perf_counter() - began_s
