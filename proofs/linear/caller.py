"""A process that opens one scope and calls its steps from threads, until it is through, superseded or dead.

`python -m proofs.linear.caller FOLDER SEED AHEAD_MS` shares FOLDER's store and log. Its clock runs AHEAD_MS ahead, so
that it finds lapsed the lease of whoever is that far behind.
"""

from __future__ import annotations

import json
import os
import random
import secrets
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import contextful
from contextful.adapters import row_blobs
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.sqlite import SqliteRows
from contextful.adapters.system import SystemWorld
from contextful.kernel.signal import Stopped
from contextful.ports.rows import Rows
from contextful.runner.engine import TABLES
from proofs.linear.history import Began, Called, Event, Given, Key

LABELS = ("fetch", "score", "charge")
THREADS = 2
DIES = 0.15  # at each instant


class Ahead(SystemWorld):
    """The machine's world with a clock that runs ahead."""

    def __init__(self, ahead_ms: int) -> None:
        super().__init__()
        self._ahead_ms = ahead_ms

    def now_ms(self) -> int:
        """Milliseconds since 1970, and so many more."""
        return super().now_ms() + self._ahead_ms


def sqlite(folder: Path) -> Rows:
    """The store of that folder."""
    return SqliteRows(folder / "machine.sqlite", (*TABLES, *row_blobs.TABLES))


def live(rows: Rows, log: Callable[[Event], None], instant: Callable[[], None], *, ahead_ms: int = 0) -> None:
    """Open the scope once and call each step from every thread; `instant` is where others may go first."""

    def calls() -> None:
        try:
            for label in LABELS:
                key = Key(run.execution_id, label)
                instant()
                log(Called(key, run.run_id))
                log(Given(key, run.run_id, run.step(label, effect, key, input=label)))
        except Stopped:
            return

    def effect(key: Key) -> int:
        value = secrets.randbits(32)
        log(Began(key, run.run_id, value))
        instant()
        return value

    try:
        with contextful.Engine(rows, RowBlobs(rows), Ahead(ahead_ms)).execution("callers", "plan") as run:
            others = [threading.Thread(target=calls) for _ in range(1, THREADS)]
            for other in others:
                other.start()
            calls()
            for other in others:
                other.join()
    except (contextful.Transient, Stopped):
        return


def main(folder: Path, seed: int, ahead_ms: int) -> None:
    """Live once in that folder."""
    log = os.open(folder / "log.ndjson", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def append(event: Event) -> None:
        os.write(log, (json.dumps([type(event).__name__, *event]) + "\n").encode())

    chance = random.Random(f"{seed} {ahead_ms}")

    def instant() -> None:
        if chance.random() < DIES:
            os.kill(os.getpid(), signal.SIGKILL)

    live(sqlite(folder), append, instant, ahead_ms=ahead_ms)


def read(folder: Path) -> list[Event]:
    """The log of that folder, in the order in which it was written."""
    kinds: dict[str, type[Event]] = {"Called": Called, "Began": Began, "Given": Given}
    lines = map(json.loads, (folder / "log.ndjson").read_text().splitlines())
    return [kinds[kind](Key(*key), run_id, *value) for kind, key, run_id, *value in lines]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
