"""The real world. The one module that asks the time, draws chance and starts threads."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from os import getpid
from pathlib import Path

from contextful.adapters.children import SystemChild
from contextful.ports.world import Child, Event

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def steady_ms() -> int:
    """Milliseconds since some instant, by a clock that nobody sets."""
    return time.monotonic_ns() // 1_000_000


class SystemWorld:
    """The machine's own clock, threads and chance; with `now_ms`, a clock that stands still there."""

    def __init__(self, *, now_ms: int | None = None) -> None:
        self._fixed_ms = now_ms

    def now_ms(self) -> int:
        """Milliseconds since 1970 in UTC."""
        return self.clock_ms() if self._fixed_ms is None else self._fixed_ms

    def clock_ms(self) -> int:
        """The same by the machine's clock, wherever this one stands still."""
        return time.time_ns() // 1_000_000

    def event(self) -> Event:
        """An event that has not happened yet."""
        return threading.Event()

    def wait(self, event: Event, timeout_ms: int) -> bool:
        """Wait for the event, up to the timeout. True: it happened."""
        assert isinstance(event, threading.Event), "an event belongs to the world that made it"
        return event.wait(timeout_ms / 1_000)

    def draw(self, bits: int) -> int:
        """A number of that many bits that nobody could have guessed."""
        return secrets.randbits(bits)

    def start(self, name: str, work: Callable[[], None]) -> threading.Thread:
        """Begin the work on a thread of its own."""
        thread = threading.Thread(target=work, name=name, daemon=True)
        thread.start()
        return thread

    def aside(self, name: str, work: Callable[[], None]) -> None:
        """Begin work that ends by itself on a thread of its own, which nobody has to wait for."""
        self.start(name, work)

    def child(self, command: Sequence[str], given: bytes, told: Callable[[], None]) -> Child:
        """Start a process in a group of its own."""
        child = SystemChild(command, given)

        def join() -> None:
            child.join()
            told()

        self.aside("contextful-child", join)
        return child

    def pid(self) -> int:
        """This process's id."""
        return getpid()

    def boot_id(self) -> str:
        """The kernel's boot id where there is one, else a word that says there is none."""
        return BOOT_ID.read_text().strip() if BOOT_ID.exists() else "no-boot-id"
