"""The stores of a profile: a file in a folder where none is chosen, else what its name and the environment bind."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from contextful.adapters import files, row_blobs
from contextful.adapters.sqlite import SqliteRows
from contextful.adapters.system import SystemWorld
from contextful.authority import verify
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run.journal import storage
from contextful.runner import engine
from contextful_contract.errors import ProfileCapabilityAbsent, StorageCapabilityMissing
from contextful_contract.shapes import StorageProfile

if TYPE_CHECKING:
    from contextful.adapters.postgres import PostgresRows

STATE = Path(".contextful", "machine.sqlite")
PROFILE = "CONTEXTFUL_STORAGE_PROFILE"
POSTGRES = "CONTEXTFUL_POSTGRES"  # a connection string or URL
LIBPQ = ("PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE")  # the variables that say which database
TABLES = (*engine.TABLES, *row_blobs.TABLES, *verify.TABLES)
SHARED = (*TABLES, storage.IDENTITY)


def chosen() -> StorageProfile | None:
    """The profile that the environment names; none for local storage."""
    return storage.profile(os.environ.get(PROFILE))


def local(folder: Path, world: World) -> Rows:
    """One file under the folder, which is made where it is missing.

    Leases in it are judged by the clock of the machine, at whatever instant the world stands still: others go by it.
    """
    path = folder / STATE
    with files.storing(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    return SqliteRows(path, TABLES, clock_ms=world.clock_ms if isinstance(world, SystemWorld) else None)


def shared(profile: StorageProfile, project: str) -> Rows:
    """The profile's database, if executions of the project may use it. Nothing is made in it."""
    rows = _bound(profile)
    try:
        _admit(rows, project)
    except BaseException:
        rows.close()
        raise
    return rows


def initialize(profile: StorageProfile, project: str) -> None:
    """Make a new database ready for executions of the project, and leave any other as it is."""
    rows = _bound(profile)
    try:
        if {table.name for table in SHARED} <= set(rows.missing()):
            rows.initialize(storage.identity(project))
        _admit(rows, project)
    finally:
        rows.close()


def _admit(rows: PostgresRows, project: str) -> None:
    missing = rows.missing()
    row = None if storage.IDENTITY.name in missing else rows.get(storage.IDENTITY, ("execution",))
    storage.admit(row, missing, project=project)


def _bound(profile: StorageProfile) -> PostgresRows:
    """The profile's rows as the environment binds them; of their tables nothing is known yet."""
    absent = ProfileCapabilityAbsent(command="the storage profile", capability=profile.value)
    if profile is not StorageProfile.POSTGRES:
        raise absent
    address = os.environ.get(POSTGRES, "")
    if not address and not any(name in os.environ for name in LIBPQ):
        raise StorageCapabilityMissing(profile=profile.value, missing=POSTGRES)  ##= run.journal.storage-incomplete
    try:
        from contextful.adapters.postgres import PostgresRows
    except ImportError as error:
        raise absent from error
    return PostgresRows(address, SHARED)
