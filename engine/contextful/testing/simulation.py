"""A simulated world: real threads, run one at a time, in an order that a seed decides.

A task gives up its turn at every port call. The seed then picks who goes on, moves the clock, and may end a
process, so that one seed is one history: the same seed gives the same trace.

    world = SimWorld(seed=7)
    world.process("a", lambda: body(engine_over(SimRows(rows, world))))
    world.process("b", …)
    world.run()
"""

from __future__ import annotations

import contextlib
import hashlib
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from contextful.kernel.change import Change, Survives
from contextful.kernel.table import Row, Scalar, Select, Table
from contextful.ports.rows import Rows
from contextful.ports.world import Child, ChildOutcome, Event
from contextful.testing.clock import START_MS
from contextful.testing.faults import Crash

TURNS_MAX = 1_000_000
JUMPS_MS = (1, 1_000, 31_000)


class SimEvent:
    """An event of the simulated world."""

    def __init__(self) -> None:
        self._set = False

    def set(self) -> None:
        """It has happened."""
        self._set = True

    def is_set(self) -> bool:
        """Whether it has happened."""
        return self._set


def _shut() -> threading.Lock:
    """A lock that whoever comes waits at until another opens it: cheaper than a semaphore, at every turn."""
    lock = threading.Lock()
    lock.acquire()
    return lock


class Order(Protocol):
    """Who has the next turn, and whether chance strikes: a seed's, unless somebody else decides."""

    def choice(self, ready: Sequence[Any]) -> Any:
        """One of those that could go on."""

    def random(self) -> float:
        """A number from 0 up to 1."""


@dataclass(eq=False)
class _Task:
    name: str
    process: str
    work: Callable[[], object]
    turn: threading.Lock = field(default_factory=lambda: _shut())
    awaited: Event | None = None
    until_ms: int | None = None
    ended: bool = False
    thread: threading.Thread | None = None

    def ready(self, now_ms: int) -> bool:
        waiting = self.awaited is not None or self.until_ms is not None
        happened = self.awaited is not None and self.awaited.is_set()
        passed = self.until_ms is not None and self.until_ms <= now_ms
        return not waiting or happened or passed


class SimWorld:
    """Time, chance, threads and processes, all from one seed."""

    def __init__(
        self, seed: int, *, crash: float = 0.0, jump: float = 0.0, now_ms: int = START_MS, order: Order | None = None
    ) -> None:
        self._order = order or random.Random(seed)
        self._chance = random.Random(seed + 1)
        self._crash = crash
        self._jump = jump
        self._now_ms = now_ms
        self._tasks: list[_Task] = []
        self._dead: set[str] = set()
        self._current: _Task | None = None
        self._back = _shut()
        self._trace = hashlib.sha256()
        self.outcomes: dict[str, object] = {}
        self.child_ms = 300_000  # how long a child runs
        self.child_ends_ms = 0  # and how long it takes to end when it is asked to

    def process(self, name: str, body: Callable[[], object]) -> None:
        """Add a process whose first task is this body; its outcome is what the body returns or raises."""

        def work() -> None:
            try:
                self.outcomes[name] = body()
            except BaseException as error:  # noqa: BLE001 (an outcome like any other)
                self.outcomes[name] = error

        self._tasks.append(_Task(f"{name}.main", name, work))

    def run(self) -> str:
        """Run every task to its end; the digest of what happened, in order."""
        for _ in range(TURNS_MAX):
            living = [task for task in self._tasks if not task.ended]
            if not living:
                return self._trace.hexdigest()
            self._advance(living)
            ready = [task for task in living if task.process in self._dead or task.ready(self._now_ms)]
            self._give_turn(self._order.choice(ready))
        raise AssertionError(f"the simulation did not end within {TURNS_MAX} turns")

    def running(self, name: str) -> int:
        """How many tasks were started under this name, in whichever process, and have not ended."""
        return sum(not task.ended and task.name.endswith(f".{name}") for task in self._tasks)

    def pause(self, what: str) -> None:
        """Give up the turn: a point at which others go first, or this process dies."""
        task = self._running()
        self._trace.update(f"{self._now_ms}:{task.name}:{what};".encode())
        self._back.release()
        task.turn.acquire()
        self._check(task)
        if self._order.random() < self._crash:
            self._dead.add(task.process)
            self._check(task)

    def now_ms(self) -> int:
        """Where the clock stands."""
        return self._now_ms

    def event(self) -> Event:
        """An event that has not happened yet."""
        return SimEvent()

    def wait(self, event: Event, timeout_ms: int) -> bool:
        """Let others run until the event has happened or the clock has passed the timeout."""
        task = self._running()
        task.awaited, task.until_ms = event, self._now_ms + timeout_ms
        self.pause(f"wait {timeout_ms}")
        task.awaited = task.until_ms = None
        return event.is_set()

    def draw(self, bits: int) -> int:
        """The seed's next number."""
        return self._chance.getrandbits(bits)

    def start(self, name: str, work: Callable[[], None]) -> _SimTask:
        """Add a task to the process that asks."""
        process = self._running().process
        task = _Task(f"{process}.{name}", process, work)
        self._tasks.append(task)
        return _SimTask(self, task)

    def aside(self, name: str, work: Callable[[], None]) -> None:
        """Add a task to the process that asks, as `start` does."""
        self.start(name, work)

    def child(self, command: Sequence[str], given: bytes, told: Callable[[], None]) -> Child:  # noqa: ARG002
        """Add a child that takes its time, and some more when it is asked to end."""

        def live() -> None:
            self.wait(self.event(), self.child_ms)
            told()

        self.aside("child", live)
        return _SimChild(self, self._now_ms + self.child_ms)

    def pid(self) -> int:
        """One: every simulated process is a container of its own."""
        return 1

    def boot_id(self) -> str:
        """One boot for all of them."""
        return "boot-1"

    def _advance(self, living: Sequence[_Task]) -> None:
        """Move the clock: on a whim of the seed, or because everyone waits for it."""
        if self._order.random() < self._jump:
            self._now_ms += self._order.choice(JUMPS_MS)
        if not any(task.process in self._dead or task.ready(self._now_ms) for task in living):
            self._now_ms = min(task.until_ms for task in living if task.until_ms is not None)

    def _give_turn(self, task: _Task) -> None:
        self._current = task
        if task.thread is not None:
            task.turn.release()
        elif task.process in self._dead:
            task.ended = True
            return
        else:
            task.thread = threading.Thread(target=self._live, args=(task,), daemon=True, name=task.name)
            task.thread.start()
        self._back.acquire()

    def _live(self, task: _Task) -> None:
        try:
            with contextlib.suppress(Crash):
                task.work()
        finally:
            task.ended = True
            self._back.release()

    def _running(self) -> _Task:
        task = self._current
        assert task is not None, "only a task of this world may act in it"
        self._check(task)
        return task

    def _check(self, task: _Task) -> None:
        if task.process in self._dead:
            raise Crash


@dataclass(frozen=True, slots=True)
class _SimTask:
    world: SimWorld
    task: _Task

    def join(self) -> None:
        """Wait until it has ended."""
        while not self.task.ended:  # ends: the world runs every task to its end
            self.world.pause("join")


class _SimChild:
    """A child of the simulated world: it runs its time, or ends somewhat after it is asked to."""

    pid = 1  # as every simulated process is one

    def __init__(self, world: SimWorld, until_ms: int) -> None:
        self._world = world
        self._until_ms = until_ms

    def ended(self) -> bool:
        """Whether its time has come."""
        return self._world.now_ms() >= self._until_ms

    def gone(self) -> bool:
        """The same: it has started nothing."""
        return self.ended()

    def end(self, *, force: bool) -> None:
        """It ends now, or as soon as it does when it is asked to."""
        self._until_ms = min(self._until_ms, self._world.now_ms() + (0 if force else self._world.child_ends_ms))

    def outcome(self) -> ChildOutcome:
        """It ends well, and says nothing."""
        return ChildOutcome(0, b"", b"")

    def close(self) -> None:
        """It holds nothing."""


class SimRows:
    """Rows between which the simulated world may let others go first, or crash."""

    def __init__(self, rows: Rows, world: SimWorld) -> None:
        self._rows = rows
        self._world = world

    def get(self, table: Table, key: Sequence[Scalar]) -> Row | None:
        """As the rows beneath."""
        self._world.pause(f"get {table.name}")
        return self._rows.get(table, key)

    def select(self, select: Select) -> Sequence[Row]:
        """As the rows beneath."""
        self._world.pause(f"select {select.table.name}")
        return self._rows.select(select)

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:
        """As the rows beneath; others may act before the answer arrives."""
        self._world.pause(f"commit {'+'.join(change.table.name for change in changes)}")
        applied = self._rows.commit(*changes, survives=survives)
        self._world.pause(f"answer {applied}")
        return applied

    def now_ms(self, local_ms: int) -> int:
        """As the rows beneath."""
        return self._rows.now_ms(local_ms)

    def close(self) -> None:
        """As the rows beneath."""
        self._rows.close()
