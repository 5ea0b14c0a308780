"""A delegate over HTTP: one POST a call, JSON both ways, the secret in a header. Nothing is retried here."""

from __future__ import annotations

from urllib.parse import urlsplit

import httpx

from contextful.adapters.sources import http_answer
from contextful.adapters.sources.http_answer import IDEMPOTENCY_KEY
from contextful.kernel.failure import Permanent, Transient
from contextful.ports.world import World

ANSWER_BYTES_MAX = 64 << 20


class HttpDelegate:
    """An endpoint that is asked with POST. Where it points on to is not followed: the secret is not for that one."""

    def __init__(
        self,
        endpoint: str,
        world: World,
        *,
        secret: str | None,
        deadline_ms: int,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.deadline_ms = deadline_ms
        self._endpoint = endpoint
        self._world = world
        headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
        self._client = httpx.Client(
            headers={"Content-Type": "application/json", **headers},
            timeout=deadline_ms / 1_000,
            limits=httpx.Limits(max_connections=None),  # as many as rows are in the body
            follow_redirects=False,
            transport=transport,
        )

    def ask(self, request: bytes, *, idempotency_key: str) -> bytes:
        """What it replies, if that is of bounded size and comes in time."""
        sent = self._client.stream("POST", self._endpoint, content=request, headers={IDEMPOTENCY_KEY: idempotency_key})
        try:
            return http_answer.answered(
                sent, self._endpoint, self._world, bytes_max=ANSWER_BYTES_MAX, timeout_ms=self.deadline_ms
            ).content
        except http_answer.Overlong:
            raise Permanent(f"{self._endpoint} answered more than {ANSWER_BYTES_MAX} bytes") from None
        except http_answer.Overdue as late:
            raise Transient(f"{self._endpoint} {late}") from late

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def is_address(endpoint: str) -> bool:
    """Whether it is an address that can be asked over HTTP."""
    try:
        parts = urlsplit(endpoint)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False
