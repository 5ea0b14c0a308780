"""A wire to a server that a test may hold or cut at a request: a COMMIT, or whatever else begins one."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

COMMIT = b"COMMIT\x00"
HTTP = b" HTTP/1.1\r\n"


def nothing() -> None:
    """Nothing happens."""


@dataclass(frozen=True)
class Cut:
    """What happens at one request: before it goes on, if it is `sent`; and once it is answered, if that is `told`."""

    before: Callable[[], object] = nothing
    after: Callable[[], object] = nothing
    sent: bool = True
    told: bool = False
    half: bool = False  # of the answer all but the last byte is told
    hung_up: bool = False  # the client is cut off before anything else happens


class _Link:
    """One connection through the wire."""

    def __init__(self, client: socket.socket, port: int) -> None:
        self.client = client
        self.server = socket.create_connection(("127.0.0.1", port))
        for end in (self.client, self.server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.cut: Cut | None = None

    def close(self) -> None:
        hang_up(self.client)
        hang_up(self.server)


def hang_up(end: socket.socket) -> None:
    """Close an end that somebody may be reading from."""
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


class Wire:
    """Forwards connections to a port of this machine. What `cuts` holds happens to the requests to come, in turn."""

    def __init__(self, port: int, *, request: bytes = COMMIT) -> None:
        self._port = port
        self._request = request
        self._door = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._links: list[_Link] = []
        self.cuts: list[Cut | None] = []
        self.requests = 0  # that came to the wire

    @property
    def port(self) -> int:
        """Where it may be reached."""
        port: int = self._door.getsockname()[1]
        return port

    @property
    def links(self) -> int:
        """How many connections have come through it."""
        return len(self._links)

    def through(self, address: str) -> str:
        """The same PostgreSQL server, by this wire."""
        return f"{address} port={self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._welcome, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        hang_up(self._door)
        self.hang_up()

    def hang_up(self) -> None:
        """Close every connection."""
        for link in self._links:
            link.close()

    def _welcome(self) -> None:
        while True:  # ends: with the door
            try:
                client, _ = self._door.accept()
            except OSError:
                return
            try:
                link = _Link(client, self._port)
            except OSError:
                hang_up(client)
                continue
            self._links.append(link)
            for pump in (self._out, self._back):
                threading.Thread(target=pump, args=(link,), daemon=True).start()

    def _out(self, link: _Link) -> None:
        with contextlib.suppress(OSError):
            while chunk := link.client.recv(1 << 16):
                if self._request in chunk and not self._goes_on(link):
                    break
                link.server.sendall(chunk)
        if link.cut is None or not link.cut.sent:
            link.close()

    def _goes_on(self, link: _Link) -> bool:
        with self._lock:
            self.requests += 1
            link.cut = self.cuts.pop(0) if self.cuts else None
        if link.cut is None:
            return True
        if link.cut.hung_up:
            hang_up(link.client)
        link.cut.before()
        return link.cut.sent

    def _back(self, link: _Link) -> None:
        with contextlib.suppress(OSError):
            while chunk := link.server.recv(1 << 16):
                if link.cut is not None:
                    link.cut.after()
                    if link.cut.half:
                        link.client.sendall(chunk[:-1])
                    if not link.cut.told:
                        break
                    link.cut = None
                link.client.sendall(chunk)
        link.close()
