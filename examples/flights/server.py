"""A vendor's API in one file: flights by the page, and the bad manners that real ones have.

    python server.py [--port 8013] [--log requests.ndjson]

Each of these once: page 3 is refused with `429` and `Retry-After: 1`, page 6 is cut off halfway, page 9 is slow.
Every request is a line of the log: what was asked, under which idempotency key, and how it went.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

FLIGHTS = Path(__file__).with_name("flights-2013-01.csv.gz")
NUMBERS = ("flight", "dep_time", "sched_dep_time", "dep_delay", "arr_delay", "air_time", "distance")
MANNERS = {3: "throttled", 6: "cut off", 9: "slow"}
SLOW_S = 1.0
PAGE_S = 0.03  # what a page takes anyway


class Api(ThreadingHTTPServer):
    """The flights, what is left of the bad manners, and the log."""

    daemon_threads = True

    def __init__(self, port: int, log: Path) -> None:
        super().__init__(("127.0.0.1", port), Answers)
        self.flights = read(FLIGHTS)
        self._log = log.open("a", buffering=1)
        self._lock = threading.Lock()
        self._manners = dict(MANNERS)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that is killed hangs up, and that is no error of the server's."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    def manner(self, page: int) -> str:
        """How this request goes; a bad manner shows once."""
        with self._lock:
            return self._manners.pop(page, "answered")

    def note(self, page: int, key: str | None, went: str) -> None:
        """Log a request."""
        with self._lock:
            self._log.write(json.dumps({"page": page, "key": key, "went": went}) + "\n")


class Answers(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    server: Api

    def do_GET(self) -> None:
        """A page of flights."""
        asked = urlsplit(self.path)
        if asked.path != "/flights":
            self.send_error(404)
            return
        query = parse_qs(asked.query)
        page, size = (int(query.get(name, ["1"])[0]) for name in ("page", "size"))
        went = self.server.manner(page)
        self.server.note(page, self.headers.get("Idempotency-Key"), went)
        time.sleep(SLOW_S if went == "slow" else PAGE_S)
        if went == "throttled":
            self._answer(429, b"{}", {"Retry-After": "1"})
            return
        body = json.dumps({"page": page, "flights": self.server.flights[(page - 1) * size : page * size]}).encode()
        if went == "cut off":
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
            return
        self._answer(200, body, {})

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Type": "application/json", "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """The log is the one above."""


def read(path: Path) -> list[dict[str, object]]:
    """The flights, numbers as numbers and `NA` as null."""
    with gzip.open(path, "rt", newline="") as file:
        return [{name: value(name, text) for name, text in row.items()} for row in csv.DictReader(file)]


def value(name: str, text: str) -> object:
    """A field as JSON has it."""
    if text in ("NA", ""):
        return None
    return int(text) if name in NUMBERS else text


def main() -> None:
    """Serve until killed."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--port", type=int, default=8013)
    arguments.add_argument("--log", type=Path, default=Path("requests.ndjson"))
    given = arguments.parse_args()
    api = Api(given.port, given.log)
    print(json.dumps({"port": api.server_port}), flush=True)
    api.serve_forever()


if __name__ == "__main__":
    main()
