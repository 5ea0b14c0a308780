"""Cloudflare's own runtime for tests, started by the tests themselves: our Worker over D1 and R2 in workerd.

As a pytest plugin (`pytest_plugins = ["contextful.testing.workerd"]`) it gives `cloudflare_server`, started once a
worker, and `cloudflare`, which is that with nothing in it. It needs node, and the packages of `node/package-lock.json`,
which `npm ci` has put beside the environment's own: `make env` does.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from contextful.adapters.d1 import WORKER
from contextful.adapters.d1.blobs import OBJECT
from contextful.adapters.d1.rows import D1Rows
from contextful.adapters.d1.wire import Wire
from contextful.adapters.d1.worker import Worker
from contextful.adapters.sql import Statement
from contextful.kernel.table import Select, Table

NODE = Path(__file__).with_name("node")
PACKAGES = Path(sys.prefix) / "workerd"
TOKEN = "a token of the tests"
BINDINGS = ("DB", "BUCKET")
MEMORY = Path("/dev/shm")  # for data that goes with the server: every request waits for the disk it is on


class Missing(RuntimeError):
    """What the tests of D1 and R2 need is not installed."""


class Server:
    """workerd on a free port of 127.0.0.1, in a session of its own, which goes with whoever started it."""

    def __init__(self, folder: Path | None = None, bound: Sequence[str] = BINDINGS) -> None:
        node = shutil.which("node")
        if node is None or not (PACKAGES / "node_modules" / "miniflare").is_dir():
            raise Missing(f"workerd cannot start without node 20 and {PACKAGES}/node_modules: `make env` installs them")
        data = "" if folder is None else str(folder)
        self._command = [node, str(NODE / "serve.mjs"), str(PACKAGES), WORKER.name, data, TOKEN, *bound]
        self._scratch = tempfile.mkdtemp(prefix="contextful-workerd-", dir=MEMORY if MEMORY.is_dir() else None)
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        """Begin, and return once it answers."""
        self._process = subprocess.Popen(
            self._command,
            cwd=WORKER.parent,  # miniflare cannot leave the folder that it is started in
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": self._scratch},
            start_new_session=True,
        )
        self.address = self._line(self._process)

    def kill(self) -> None:
        """SIGKILL, node and workerd alike: nothing more is written or answered."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                assert pipe is not None
                pipe.close()
            self._process = None

    def remove(self) -> None:
        """Stop at once, for nothing is kept but what is in a folder of the caller's."""
        self.kill()
        shutil.rmtree(self._scratch)

    def worker(self) -> Worker:
        """A way to it."""
        return Worker(Wire(self.address, TOKEN))

    def rows(self, tables: Sequence[Table]) -> D1Rows:
        """These tables, empty. They are made only where they are missing, for that takes longer than a test."""
        worker = self.worker()
        rows = D1Rows(worker, tables)
        if rows.missing() or (OBJECT in tables and rows.select(Select(OBJECT, {}, order="put_ms", limit=1))):
            self.empty()
            rows.initialize()
        else:
            worker.initialize([Statement(f"DELETE FROM {table.name}", []) for table in tables])
        return rows

    def empty(self) -> None:
        """Drop every table and every object."""
        self._do("empty", True)

    def objects(self) -> Sequence[str]:
        """The keys of the bucket."""
        keys: list[str] = self._do("keys", True)
        return keys

    def alter(self, key: str) -> None:
        """Put something else under a key of the bucket."""
        self._do("alter", key)

    def sql(self, statement: str) -> list[list[object]]:
        """Ask the database, past the Worker."""
        rows: list[list[object]] = self._do("sql", statement)
        return rows

    def _do(self, order: str, given: object) -> Any:
        assert self._process is not None, "the server has started"
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({order: given}) + "\n")
        self._process.stdin.flush()
        told = self._line(self._process)
        if "failed" in told:
            raise RuntimeError(told["failed"])
        return told["done"]

    def _line(self, process: subprocess.Popen[str]) -> Any:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise RuntimeError("workerd did not start, or has ended: standard error says why")
        return json.loads(line)


@contextlib.contextmanager
def running(folder: Path | None = None, *, bound: Sequence[str] = BINDINGS) -> Iterator[Server]:
    """A server that has started; its data is in the folder, or goes with it."""
    server = Server(folder, bound)
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def cloudflare_server() -> Iterator[Server]:
    """The server of this worker's tests."""
    with running() as server:
        yield server


@pytest.fixture
def cloudflare(cloudflare_server: Server) -> Server:
    """The same, empty."""
    cloudflare_server.empty()
    return cloudflare_server
