"""A world whose clock skips: a wait takes no time, and the clock reads as if it had."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence

from contextful.adapters.children import SystemChild
from contextful.ports.world import Child, Event

START_MS = 1_772_323_200_000  # 2026-03-01T00:00:00Z


class SkippingWorld:
    """Waits end at once and move the clock; chance is drawn from a seed. Started work waits to be joined."""

    def __init__(self, *, now_ms: int = START_MS, seed: int = 0, pid: int = 1) -> None:
        self._now_ms = now_ms
        self._chance = random.Random(seed)
        self._pid = pid
        self._end: tuple[int, Callable[[], None]] | None = None
        self.waits_ms: list[int] = []

    def dies_after(self, duration_ms: int, die: Callable[[], None]) -> None:
        """End the process that far into the next wait that is longer."""
        self._end = (duration_ms, die)

    def now_ms(self) -> int:
        """Where the clock stands."""
        return self._now_ms

    def skip(self, duration_ms: int) -> None:
        """Move the clock."""
        self._now_ms += duration_ms

    def event(self) -> Event:
        """An event that has not happened yet."""
        return threading.Event()

    def wait(self, event: Event, timeout_ms: int) -> bool:
        """Skip the timeout, unless the event has happened."""
        if event.is_set():
            return True
        self.waits_ms.append(timeout_ms)
        if self._end is not None and timeout_ms > self._end[0]:
            (duration_ms, die), self._end = self._end, None
            self.skip(duration_ms)
            die()
        self.skip(timeout_ms)
        return event.is_set()

    def draw(self, bits: int) -> int:
        """The seed's next number."""
        return self._chance.getrandbits(bits)

    def start(self, name: str, work: Callable[[], None]) -> Joined:  # noqa: ARG002
        """Leave the work undone until it is joined: nothing happens here but what the test does."""
        return Joined(work)

    def aside(self, name: str, work: Callable[[], None]) -> None:  # noqa: ARG002
        """Do the work at once."""
        work()

    def child(self, command: Sequence[str], given: bytes, told: Callable[[], None]) -> Child:
        """Let a real process run to its end, which takes no time here."""
        child = SystemChild(command, given)
        child.join()
        told()
        return child

    def pid(self) -> int:
        """The process id that the test gave."""
        return self._pid

    def boot_id(self) -> str:
        """One boot, as containers on one machine share it."""
        return "boot-1"


class Joined:
    """A task that has its turn when somebody waits for it."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work

    def join(self) -> None:
        """Do the work."""
        self._work()
