"""Performs run.project: folds what runs emit, and hands each subscriber the run's view and all that follows it.

emissions --fold--> view of the run --at most once in 100 ms--> ring of 256 --> each subscriber, at its own pace
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from contextful.ports.observer import Observer
from contextful.ports.world import World
from contextful.run import project
from contextful.run.record import Run
from contextful.runner.emission import Emissions, Emitted, Emitter, change
from contextful_contract import limits
from contextful_contract.shapes import Change, Snapshot, StepView, Version

Told = Callable[[], None]


class Seen(NamedTuple):
    """A run that is in view: whether this process runs it, and whether anybody watches."""

    run_id: str
    emits: bool
    watched: bool


class _Ring:
    """The last broadcasts of a run: of each, what had moved, so that long runs take no more room than once."""

    def __init__(self) -> None:
        self._broadcasts: deque[Snapshot] = deque()  # each with the steps that had moved since the one before
        self._before: dict[str, StepView] = {}  # the steps before the oldest of them
        self._latest: Snapshot | None = None

    def __len__(self) -> int:
        return len(self._broadcasts)

    def add(self, latest: Snapshot, moved: Snapshot) -> None:
        """A broadcast, whole and as what it changes; the oldest goes, where there are more than a ring of them."""
        self._latest = latest
        self._broadcasts.append(moved)
        if len(self._broadcasts) > limits.BROADCAST_RING_ENTRIES:  ##= run.project.broadcast-ring
            self._before |= {step.label: step for step in self._broadcasts.popleft().steps}

    def last(self, count: int) -> Sequence[Snapshot]:
        """The last so many, whole, in their order."""
        if count == 0 or self._latest is None:
            return ()
        if count == 1:
            return (self._latest,)
        steps, whole = dict(self._before), deque[Snapshot](maxlen=count)
        for broadcast in self._broadcasts:
            steps |= {step.label: step for step in broadcast.steps}
            whole.append(replace(broadcast, steps=tuple(steps.values())))
        return tuple(whole)


class _Channel:
    """One run's view, and the last snapshots of it that were broadcast."""

    def __init__(self, run: Run, version: Version) -> None:
        self.run = run
        self.fold = project.Fold(run.run_id, run.pipeline_id or run.host_scope, version)
        self.ring = _Ring()
        self.broadcast_count = 0
        self.last_ms: int | None = None
        self.changed = False
        self.ended_ms: int | None = None
        self.told: list[Told] = []
        self.emits = False

    def take(self, version: Version, changed: Change, now_ms: int) -> None:
        self.changed |= self.fold.take(version, changed)
        if self.ended_ms is None and self.fold.status.terminal:
            self.ended_ms, self.last_ms = now_ms, None  # the end is flushed at once

    def due_ms(self, now_ms: int) -> int | None:
        return project.due_ms(self.last_ms, now_ms) if self.changed else None

    def broadcast(self, now_ms: int) -> None:
        self.ring.add(self.fold.snapshot(), self.fold.shown(self.fold.moved()))
        self.broadcast_count += 1
        self.last_ms, self.changed = now_ms, False


class Subscription:
    """One reader's place among a run's broadcasts. It reads, and can do no more (run.project.read-only-socket)."""

    def __init__(self, channel: _Channel, turn: threading.Lock, told: Told, *, oldest: bool) -> None:
        self._channel = channel
        self._turn = turn
        self._told = told
        self._held: Version | None = None
        self._folded = () if oldest and len(channel.ring) else (channel.fold.snapshot(),)
        self._read = channel.broadcast_count - (len(channel.ring) if oldest else 0)
        channel.told.append(told)

    def take(self) -> Sequence[Snapshot]:
        """What has come since the last call, in order; the latest alone, where more than a ring of them has."""
        with self._turn:
            ring, count = self._channel.ring, self._channel.broadcast_count
            missed = count - self._read if count - self._read <= len(ring) else 1
            come = [*self._folded, *ring.last(missed)]
            self._folded, self._read = (), count
        return [snapshot for snapshot in come if self._above(snapshot.version)]

    def close(self) -> None:
        """Be told no more."""
        with self._turn:
            self._channel.told = [told for told in self._channel.told if told is not self._told]

    def _above(self, version: Version) -> bool:
        if self._held is not None and not project.newer(version, self._held):
            return False
        self._held = version
        return True


class Hub:
    """The live view of the runs that one process sees. Its epoch is when it started; what it holds is gone with it."""

    def __init__(self, world: World, *, wake: Told = lambda: None) -> None:
        self._world = world
        self._epoch = world.now_ms()
        self._counter = 0
        self._turn = threading.Lock()
        self._channels: dict[str, _Channel] = {}
        self.emissions = Emissions(wake)

    def watching(self, run: Run) -> Observer:
        """The observer that a run of this process emits to."""
        return Emitter(run, self.emissions, self._world)

    def turn(self) -> int | None:
        """Fold what was emitted, broadcast what is due, let go of what has ended; in how many ms more is due."""
        now_ms = self._world.now_ms()
        with self._turn:
            self._fold(self.emissions.take(), now_ms)
            told, next_ms = self._broadcast(now_ms)
            ended = [channel for channel in self._channels.values() if project.evicted(channel.ended_ms, now_ms)]
            for channel in ended:
                del self._channels[channel.run.run_id]
        for tell in told:
            tell()
        self.emissions.due = next_ms is not None
        return None if next_ms is None else next_ms - now_ms

    def subscribe(self, run_id: str, told: Told = lambda: None, *, oldest: bool = False) -> Subscription | None:
        """The run's view as it is folded now and all that follows it; none where the hub has not seen the run.

        With `oldest` it begins with the oldest broadcast that is still held. `told` is called when more has come.
        """
        self.turn()
        with self._turn:  ##= run.project.connect
            channel = self._channels.get(run_id)
            return None if channel is None else Subscription(channel, self._turn, told, oldest=oldest)

    def show(self, run: Run, steps: Iterable[Change] = ()) -> None:
        """Fold what the durable record says of a run, which this process need not have seen.

        What the view shows already goes unheard: a run that has not moved is not broadcast.
        """
        now_ms = self._world.now_ms()
        with self._turn:
            seen = run.run_id in self._channels
            channel = self._channel(run)
            for each in (*project.on_record(run, seen=seen), *steps):
                if channel.fold.tells(each):
                    self._take(channel, each, now_ms)  ##= run.project.best-effort
        self.turn()

    def unended(self) -> Sequence[Seen]:
        """The runs that are not shown to have ended."""
        with self._turn:
            unended = [channel for channel in self._channels.values() if channel.ended_ms is None]
            return [Seen(channel.run.run_id, channel.emits, bool(channel.told)) for channel in unended]

    def subscriber_count(self) -> int:
        """How many read."""
        with self._turn:
            return sum(len(channel.told) for channel in self._channels.values())

    def __len__(self) -> int:
        """How many runs are held."""
        self.turn()
        return len(self._channels)

    def _fold(self, emitted: Iterable[Emitted], now_ms: int) -> None:
        for each in emitted:
            changed = change(each)
            if changed is not None:
                channel = self._channel(each.run)
                channel.emits = True
                self._take(channel, changed, now_ms)

    def _channel(self, run: Run) -> _Channel:
        return self._channels.setdefault(run.run_id, _Channel(run, Version(epoch=self._epoch, counter=0)))

    def _take(self, channel: _Channel, changed: Change, now_ms: int) -> None:
        self._counter += 1
        channel.take(Version(epoch=self._epoch, counter=self._counter), changed, now_ms)

    def _broadcast(self, now_ms: int) -> tuple[Sequence[Told], int | None]:
        """Who is to be told of the broadcasts that were due, and when the next is."""
        told: list[Told] = []
        later: list[int] = []
        for channel in self._channels.values():
            due_ms = channel.due_ms(now_ms)
            if due_ms is None:
                continue
            if due_ms > now_ms:
                later.append(due_ms)
                continue
            channel.broadcast(now_ms)
            told += channel.told
        return told, min(later, default=None)
