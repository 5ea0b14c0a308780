"""A skipping world in which work that was started lives: a keeper wakes when the clock has come to its instant."""

from __future__ import annotations

import threading
from collections.abc import Callable

from contextful.ports.world import Event
from contextful.testing import SkippingWorld

POLL_S = 0.01


class BeatingWorld(SkippingWorld):
    """Started work sleeps on a thread of its own until the clock has moved that far, and the clock waits for it."""

    def __init__(self, *, now_ms: int) -> None:
        super().__init__(now_ms=now_ms)
        self._turn = threading.Condition()
        self._wakes_ms: dict[threading.Thread, int] = {}

    def start(self, name: str, work: Callable[[], None]) -> threading.Thread:
        """Begin the work, up to where it first sleeps."""
        thread = threading.Thread(target=work, name=name, daemon=True)
        self._wakes_ms[thread] = 0
        thread.start()
        self.skip(0)
        return thread

    def skip(self, duration_ms: int) -> None:
        """Move the clock from one instant to the next for which somebody sleeps, and let them do what they wake for."""
        ends_ms = self.now_ms() + duration_ms
        with self._turn:
            while True:  # ends: with the duration
                self._settle()
                waking = [at_ms for thread, at_ms in self._wakes_ms.items() if thread.is_alive()]
                next_ms = min([ends_ms, *waking])
                super().skip(next_ms - self.now_ms())
                if next_ms == ends_ms:
                    self._settle()
                    return

    def wait(self, event: Event, timeout_ms: int) -> bool:
        """Sleep, where started work asks; skip the timeout, where the scenario does."""
        me = threading.current_thread()
        if me not in self._wakes_ms:
            return super().wait(event, timeout_ms)
        with self._turn:
            self._wakes_ms[me] = self.now_ms() + timeout_ms
            self._turn.notify_all()
            while not event.is_set() and self.now_ms() < self._wakes_ms[me]:  # ends: the clock moves, or the work does
                self._turn.wait(POLL_S)
        return event.is_set()

    def _settle(self) -> None:
        """Wait until everyone sleeps again, or has come to an end."""
        self._turn.notify_all()
        while not all(map(self._rests, self._wakes_ms)):
            self._turn.wait(POLL_S)

    def _rests(self, thread: threading.Thread) -> bool:
        return not thread.is_alive() or self._wakes_ms[thread] > self.now_ms()
