"""A connection of the served face: one whose headers do not come in time is closed, and holds its place no longer."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADERS_S = 10.0  # how long the headers of a request may take to come


class Connection(H11Protocol):
    """As the server has it, which bounds how long one may idle between requests; and how long headers take."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """The first request is awaited."""
        super().connection_made(transport)
        self._await_headers()

    def data_received(self, data: bytes) -> None:
        """A request's headers have come to their end, or are still awaited."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._await_headers()
        else:
            self._headers_have_come()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is awaited any more."""
        super().connection_lost(exc)
        self._headers_have_come()

    def _await_headers(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(HEADERS_S, self.transport.close)

    def _headers_have_come(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
