"""The one place that wires the engine to its adapters."""

from __future__ import annotations

import os
from pathlib import Path

from contextful.adapters import row_blobs
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.sqlite import SqliteRows
from contextful.adapters.system import SystemWorld
from contextful.ports.observer import Observer
from contextful.ports.world import World
from contextful.runner import engine

STATE = Path(".contextful", "machine.sqlite")


class Engine(engine.Engine):
    """Durable executions, kept where the profile says."""

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        *,
        world: World | None = None,
        observer: Observer | None = None,
        site_id: str = "local",
    ) -> Engine:
        """The embedded profile: everything in one SQLite file under `folder`, which is made where it is missing.

        Raises OSError or sqlite3.Error where the folder cannot be written.
        """
        path = Path(folder) / STATE
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = SqliteRows(path, (*engine.TABLES, *row_blobs.TABLES))
        return cls(rows, RowBlobs(rows), world or SystemWorld(), observer=observer, site_id=site_id)
