"""Performs connector.meter: no request leaves without a permit, and none is taken for what is replayed.

step's attempt --reserve--> permit --the request leaves with it--> vendor
                   +--denied--> RateLimited with its wait: the step's schedule stores it, and nobody waits here
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from contextful.kernel.failure import RateLimited
from contextful.ports.limiter import Denied, Limiter
from contextful.ports.world import World
from contextful_contract.errors import ConnectorUnmetered


class Meter:
    """The permits that a process holds of one limiter. Any thread may reserve; each sends what it has reserved."""

    def __init__(self, limiter: Limiter, world: World) -> None:
        self._limiter = limiter
        self._world = world
        self._turn = threading.Lock()
        self._held = 0
        self._until_ms = 0
        self._mine = threading.local()

    @contextmanager
    def permit(self) -> Iterator[None]:
        """A permit for one request that is sent within; it is spent when that leaves, and lost where none does.

        Raises RateLimited with the wait that the limiter asks for, at once: to wait is the step's schedule's business.
        """
        self._reserve()  ##= connector.meter.permit-per-request
        before = self._reserved()
        self._mine.permits = before + 1
        try:
            yield
        finally:
            self._mine.permits = min(self._reserved(), before)

    def leaving(self, host: str) -> None:
        """A request leaves for the host. Raises ConnectorUnmetered where nobody has reserved a permit for it."""
        if self._reserved() == 0:
            raise ConnectorUnmetered(limiter=self._limiter.name, host=host)  ##= connector.meter.unmetered
        self._mine.permits -= 1

    def _reserved(self) -> int:
        return int(getattr(self._mine, "permits", 0))

    def _reserve(self) -> None:
        now_ms = self._world.now_ms()
        with self._turn:
            if self._held and now_ms < self._until_ms:
                self._held -= 1
                return
        answer = self._limiter.acquire()
        if isinstance(answer, Denied):
            ##= connector.meter.acquire-call
            raise RateLimited(f"limiter {self._limiter.name} has no permit to give", retry_after_ms=answer.wait_ms)
        with self._turn:
            self._held, self._until_ms = answer.count - 1, answer.until_ms
