"""Empty stores for proofs, each for as long as a block lasts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from contextful.adapters import row_blobs
from contextful.adapters.memory import MemoryRows
from contextful.adapters.sqlite import SqliteRows
from contextful.ports.rows import Rows
from contextful.runner.engine import TABLES

IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # here processes die, and the power stays on

Store = Callable[[], AbstractContextManager[Rows]]


@contextmanager
def sqlite() -> Iterator[Rows]:
    """A SQLite file, as the embedded profile opens it."""
    with TemporaryDirectory(dir=IN_MEMORY) as folder:
        rows = SqliteRows(Path(folder) / "machine.sqlite", (*TABLES, *row_blobs.TABLES))
        try:
            yield rows
        finally:
            rows.close()


@contextmanager
def memory() -> Iterator[Rows]:
    """The reference that every other store agrees with."""
    yield MemoryRows()
