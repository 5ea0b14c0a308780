"""A paid model service: it bills each idempotency key once, and is as unreliable as they come.

    python examples/scoring/service.py --port 0 --bill bill.ndjson

Of ten keys one is throttled at first, one fails, and of one the answer is lost once it has been billed; of forty one
hangs. Which ones that are, the keys decide. The bill is a file: a line for each request, on disk before it is answered.
"""

from __future__ import annotations

import argparse
import json
import os
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HANGS_S = 3.0
TAKES_S = 0.01


class Bill:
    """What has been billed, kept in a file that outlives the service."""

    def __init__(self, path: Path) -> None:
        self._turn = threading.Lock()
        self._billed = {line["key"] for line in read(path) if line["billed"]}
        self._file = path.open("a")
        self.seen: Counter[str] = Counter()

    def request(self, key: str, went: str, *, billed: bool) -> None:
        """Write a request down; a key is billed once."""
        with self._turn:
            line = {"key": key, "went": went, "billed": billed and key not in self._billed}
            self._billed |= {key} if billed else set()
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())


def read(path: Path) -> list[dict[str, object]]:
    """Every line of a bill."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


class Service(BaseHTTPRequestHandler):
    """One request."""

    bill: Bill

    def do_POST(self) -> None:
        """Judge a flight, or fail to."""
        key = self.headers["idempotency-key"]
        flight = json.loads(self.rfile.read(int(self.headers["content-length"])))["flight"]
        self.bill.seen[key] += 1
        draw = int(key[:8], 16)
        first = self.bill.seen[key] == 1
        if first and draw % 10 == 0:
            self.bill.request(key, "throttled", billed=False)
            self._answer(429, {"error": "slow down"}, {"retry-after": "1"})
        elif first and draw % 10 == 1:
            self.bill.request(key, "failed", billed=False)
            self._answer(500, {"error": "out of luck"})
        elif first and draw % 10 == 2:
            self.bill.request(key, "lost", billed=True)
            self.close_connection = True  # billed, and nobody will hear the answer
        elif first and draw % 40 == 3:
            time.sleep(HANGS_S)
            self.bill.request(key, "hung", billed=False)
        else:
            time.sleep(TAKES_S)
            self.bill.request(key, "answered", billed=True)
            self._answer(200, {"likely": (int(flight["flight"]) * 7 + draw) % 101})

    def _answer(self, status: int, body: dict[str, object], headers: dict[str, str] | None = None) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """The bill says it all."""


class Server(ThreadingHTTPServer):
    """Its clients are killed in the middle of a request: that is nothing to write about."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Nobody is there any more."""


def main() -> None:
    """Serve until killed; the port is printed as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8_014)
    parser.add_argument("--bill", type=Path, default=Path("bill.ndjson"))
    asked = parser.parse_args()
    Service.bill = Bill(asked.bill)
    with Server(("127.0.0.1", asked.port), Service) as server:
        print(json.dumps({"port": server.server_address[1]}), flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
