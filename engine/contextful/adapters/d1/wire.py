"""Requests to the Worker, and which of them are sent again when no answer comes (run.journal.d1-transport).

    again    a read, a probe, a blob, the making of tables: three times in all, over connections that are kept
    once     any other write: over a connection of its own, for one that was kept may have gone in the meantime

Half an answer is none. An attempt has 15 s from the first byte out to the last one in.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from queue import Empty, Full, LifoQueue
from typing import Any, NamedTuple

from contextful.adapters.system import steady_ms
from contextful.kernel.failure import StorageFailed
from contextful_contract import limits

ADDRESS = re.compile(r"(https?)://([A-Za-z0-9._-]+(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](?::[0-9]{1,5})?)/?")
KEPT_MAX = 8
NO_ANSWER = (OSError, HTTPException)
NO_CONDITION: Mapping[str, str] = {}


class Answer(NamedTuple):
    """What the Worker says."""

    status: int
    content: bytes
    version: str = ""


class Unanswered(Exception):
    """A request went out, or was about to, and no whole answer came back."""


class Wire:
    """The way to one Worker. Opening it asks nothing."""

    def __init__(self, address: str, token: str, *, attempt_ms: int = limits.D1_TRANSPORT_DEADLINE_MS) -> None:
        found = ADDRESS.fullmatch(address)
        if found is None:  # it is not repeated, for it may hold a password
            raise StorageFailed(
                "the address of the Worker cannot be read: it is spelled https://HOST or http://HOST:PORT"
            )
        if not (token.isascii() and token.isprintable()):
            raise StorageFailed("the token of the Worker holds what no header may")
        scheme, self._host = found.groups()
        self.name = f"the Worker at {scheme}://{self._host}"
        self._connection = HTTPSConnection if scheme == "https" else HTTPConnection
        self._token = token
        self._attempt_ms = attempt_ms
        self._kept: LifoQueue[HTTPConnection] = LifoQueue(KEPT_MAX)

    def again(self, method: str, path: str, content: bytes = b"") -> Answer:
        """The answer, which may be to the second or third sending."""
        for _ in range(limits.D1_TRANSPORT_ATTEMPTS):  ##= run.journal.d1-transport
            connection = self._idle() or self._connection(self._host)
            try:
                answer = self._attempt(connection, method, path, content, close=False)
            except NO_ANSWER as error:
                last = error
                self.close()  # one that was kept may have gone meanwhile, and then so may they all
            else:
                self._keep(connection)
                return answer
        times = limits.D1_TRANSPORT_ATTEMPTS
        raise StorageFailed(f"{self.name} did not answer {times} times in a row: {_said(last)}") from last

    def once(self, method: str, path: str, content: bytes, conditions: Mapping[str, str] = NO_CONDITION) -> Answer:
        """The answer to the only sending. Raises Unanswered."""
        try:
            return self._attempt(self._connection(self._host), method, path, content, conditions, close=True)
        except NO_ANSWER as error:
            raise Unanswered(_said(error)) from error

    def close(self) -> None:
        """Close the connections that are kept."""
        while (connection := self._idle()) is not None:  # ends: nobody keeps any more
            connection.close()

    def _idle(self) -> HTTPConnection | None:
        try:
            return self._kept.get_nowait()
        except Empty:
            return None

    def _keep(self, connection: HTTPConnection) -> None:
        try:
            self._kept.put_nowait(connection)
        except Full:
            connection.close()

    def _attempt(
        self,
        connection: HTTPConnection,
        method: str,
        path: str,
        content: bytes,
        conditions: Mapping[str, str] = NO_CONDITION,
        *,
        close: bool,
    ) -> Answer:
        until_ms = steady_ms() + self._attempt_ms
        headers = {"Authorization": f"Bearer {self._token}", "Connection": "close" if close else "keep-alive"}
        headers |= conditions
        try:
            timed: Any = connection.sock
            if timed is None:
                connection.timeout = self._attempt_ms / 1_000
                connection.connect()
                connection.sock = timed = _Timed(connection.sock)
            timed.until_ms = until_ms
            connection.request(method, path, content, headers)
            response = connection.getresponse()
            return Answer(response.status, response.read(), response.getheader("ETag", ""))
        except BaseException:
            close = True
            raise
        finally:
            if close:
                connection.close()


class _Timed:
    """A connection's socket, whose every wait ends with the attempt."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self.until_ms = 0

    def wait(self) -> Any:
        """The socket, with the time that is left."""
        left_ms = self.until_ms - steady_ms()
        if left_ms <= 0:
            raise TimeoutError("the time of an attempt was up")
        self._socket.settimeout(left_ms / 1_000)
        return self._socket

    def sendall(self, content: bytes) -> None:
        self.wait().sendall(content)

    def makefile(self, _: str) -> io.BufferedReader:
        return io.BufferedReader(_Reads(self))

    def close(self) -> None:
        self._socket.close()


class _Reads(io.RawIOBase):
    def __init__(self, timed: _Timed) -> None:
        self._timed = timed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        read: int = self._timed.wait().recv_into(buffer)
        return read


def _said(error: Exception) -> str:
    return f"{type(error).__name__} {error}".rstrip()
