"""The one token that stops a run: everything that waits looks at it before it works (run.cancel.one-token)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from contextful.kernel.signal import Stopped
from contextful.ports.world import World
from contextful_contract.shapes import StopScope


class Token:
    """Stopped once, with a reason, from any thread."""

    def __init__(self, world: World) -> None:
        self.stopped = world.event()
        self._lock = threading.Lock()
        self._stop: Stopped | None = None
        self._told: list[Callable[[], None]] = []

    def stop(self, reason: str, *, scope: StopScope | None = None) -> None:
        """Whoever waits on the token goes on, and whoever checks it leaves. The first reason stands."""
        with self._lock:
            self._stop = self._stop or Stopped(reason, scope=scope)
            told, self._told = self._told, []
        self.stopped.set()
        for tell in told:
            tell()

    @contextmanager
    def telling(self, tell: Callable[[], None]) -> Iterator[None]:
        """Whoever waits for something else too hears of the stop: once, and at once where it has come before."""
        with self._lock:
            self._told.append(tell)
            stopped = self._stop is not None
        try:
            if stopped:
                tell()
            yield
        finally:
            with self._lock:
                self._told = [each for each in self._told if each is not tell]

    @contextmanager
    def reaching(self, other: Token) -> Iterator[None]:
        """A stop of this one is a stop of the other."""

        def pass_on() -> None:
            if self._stop is not None:
                other.stop(self._stop.reason, scope=self._stop.scope)

        with self.telling(pass_on):
            yield

    def check(self) -> None:
        """Leave the body if the token was stopped."""
        if self._stop is not None:
            raise Stopped(self._stop.reason, scope=self._stop.scope)
