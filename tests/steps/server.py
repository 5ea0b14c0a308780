"""A server for the scenarios that need a real one: it answers a status, or pages that point to one another."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from contextful.adapters.sources.http import HttpPages
from contextful.pipeline.pull import Ask, Batch
from contextful.pipeline.spec import HttpSource, NextUrl
from contextful.ports.world import World


@dataclass
class Server:
    """What it answers by path, anything else with `status`; and the paths that it was asked."""

    address: str = ""
    status: int = 404
    headers: dict[str, str] = field(default_factory=dict)
    pages: dict[str, object] = field(default_factory=dict)
    load: dict[str, str] = field(default_factory=dict)  # that every row has
    asked: list[str] = field(default_factory=list)
    answers: list[Batch] = field(default_factory=list)
    meets: Callable[[int], None] = lambda _: None  # what each walk does before a pull, by its number

    def walk(self, count: int, *, last: str | None = None, first: int = 1) -> None:
        """List pages, each pointing to the next, the last one to this path. From the eleventh on they have no rows."""
        paths = ["/", *(f"/{number}" for number in range(2, count + 1))]
        for at, path in enumerate(paths):
            after = paths[at + 1] if at + 1 < count else last
            load = self.load if first + at else {}
            rows = [{"id": first + at, **load}] if at < 10 else []
            self.pages[path] = {"rows": rows, "next": after and f"{self.address}{after}"}

    def config(self) -> dict[str, object]:
        """How a manifest declares the walk over it."""
        return {
            "endpoint": f"{self.address}/",
            "records": "/rows",
            "pagination": {"by": "url", "pointer": "/next"},
        }

    def source(self, world: World) -> HttpPages:
        """A walk over it, as the manifest's would be."""
        spec = HttpSource(f"{self.address}/", records="/rows", pagination=NextUrl("/next"))
        return Heard(self, spec, "orders", world, headers={})


class Heard(HttpPages):
    """The walk itself, whose answers are kept."""

    def __init__(self, server: Server, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._answers = server.answers
        self._meets = server.meets
        self._pulls = 0

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        """As the walk does."""
        self._pulls += 1
        self._meets(self._pulls)
        self._answers.append(super().pull(ask, idempotency_key=idempotency_key))
        return self._answers[-1]


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that listens."""
    held = Server()
    listening = ThreadingHTTPServer(("127.0.0.1", 0), _handler(held))
    held.address = f"http://127.0.0.1:{listening.server_port}"
    threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield held
    listening.shutdown()
    listening.server_close()


def _handler(held: Server) -> Callable[..., BaseHTTPRequestHandler]:
    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # an answer in one piece, for a client may wait 40 ms to acknowledge half of one

        def do_GET(self) -> None:
            held.asked.append(self.path)
            body = json.dumps(held.pages.get(self.path, {})).encode()
            self.send_response(200 if self.path in held.pages else held.status)
            for name, value in {**held.headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads it."""

    return Answers
