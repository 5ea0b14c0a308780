"""Limiters: one over HTTP, which processes share, and one that a process has for itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx

from contextful.adapters.sources import http_class
from contextful.kernel.failure import Failed, Permanent, Transient
from contextful.ports.limiter import Denied, Permits
from contextful.ports.world import World
from contextful_contract.shapes import FailureTag

DEADLINE_S = 30.0  # an acquire is a call like any other (connector.package.call-deadline)
PERMITS_MAX = 1_000_000


class HttpLimiter:
    """A limiter that is asked with POST: 200 and `{"permits": 3, "ttl_secs": 10}`, or 429 with its Retry-After."""

    def __init__(self, url: str, world: World, *, client: httpx.Client | None = None) -> None:
        self.name = urlsplit(url).netloc.rpartition("@")[2]
        self._url = url
        self._world = world
        self._client = client or httpx.Client(timeout=DEADLINE_S, follow_redirects=False)

    def acquire(self) -> Permits | Denied:
        """What the limiter says now."""
        try:
            answer = self._client.post(self._url)
        except httpx.HTTPError as error:
            raise Transient(f"limiter {self.name} did not answer: {type(error).__name__}") from None
        now_ms = self._world.now_ms()
        refusal = http_class.failure(
            answer.status_code, self._url, retry_after=answer.headers.get("Retry-After"), now_ms=now_ms
        )
        if refusal is not None and refusal.tag is FailureTag.RATE_LIMITED:
            return Denied(refusal.retry_after_ms or 0)  ##= connector.meter.denial-ceiling
        if refusal is not None:
            raise Failed(refusal)
        return _permits(self.name, answer, now_ms)


class LocalLimiter:
    """So many permits an interval, to this process alone."""

    def __init__(self, name: str, world: World, *, permits: int, every_ms: int) -> None:
        self.name = name
        self._world = world
        self._permits = permits
        self._every_ms = every_ms
        self._turn = threading.Lock()
        self._began_ms = world.now_ms()
        self.left = permits

    def acquire(self) -> Permits | Denied:
        """One permit, or how long until the next interval."""
        now_ms = self._world.now_ms()
        with self._turn:
            if not 0 <= now_ms - self._began_ms < self._every_ms:
                self._began_ms, self.left = now_ms, self._permits
            if self.left == 0:
                return Denied(self._began_ms + self._every_ms - now_ms)
            self.left -= 1
            return Permits(1, now_ms + self._every_ms)


class Metered(httpx.BaseTransport):
    """Lets a request through if it `leaves` with a permit."""

    def __init__(self, leaves: Callable[[str], None], inner: httpx.BaseTransport | None = None) -> None:
        self._leaves = leaves
        self._inner = inner or httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request, or raise what keeps it."""
        self._leaves(request.url.host)
        return self._inner.handle_request(request)

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()


def _permits(name: str, answer: httpx.Response, now_ms: int) -> Permits:
    try:
        held = answer.json()
        count, ttl_s = held["permits"], held["ttl_secs"]
    except (ValueError, KeyError, TypeError):
        raise Permanent(f"limiter {name} answered what is no permit: {answer.text[:80]!r}") from None
    if type(count) is not int or not 0 < count <= PERMITS_MAX or not isinstance(ttl_s, int | float) or ttl_s <= 0:
        raise Permanent(f"limiter {name} answered what is no permit: {answer.text[:80]!r}")
    return Permits(count, now_ms + int(ttl_s * 1_000))
