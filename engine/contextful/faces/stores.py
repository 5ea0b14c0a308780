"""The stores of a profile: a file in a folder where none is chosen, else what its name and the environment bind."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, assert_never

from contextful.adapters import files, row_blobs, sqlite
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.sqlite import SqliteRows
from contextful.adapters.system import SystemWorld
from contextful.authority import verify
from contextful.kernel.change import Insert
from contextful.kernel.failure import Failed, Failure
from contextful.kernel.table import Table
from contextful.ports.blobs import Blobs
from contextful.ports.bucket import Bucket
from contextful.ports.holds import STRICT_GUARD, Holds
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run.journal import storage
from contextful.runner import engine
from contextful_contract.errors import ExecutionRecoveryMismatch, ProfileCapabilityAbsent, StorageCapabilityMissing
from contextful_contract.shapes import FailureTag, StorageProfile

STATE = Path(".contextful", "machine.sqlite")
PROFILE = "CONTEXTFUL_STORAGE_PROFILE"
POSTGRES = "CONTEXTFUL_POSTGRES"  # a connection string or URL
LIBPQ = ("PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE")  # the variables that say which database
D1 = "CONTEXTFUL_D1"  # where the Worker answers
D1_TOKEN = "CONTEXTFUL_D1_TOKEN"  # what it knows us by
STATES = (*engine.TABLES, *verify.TABLES)
TABLES = (*STATES, *row_blobs.TABLES)


class Database(Rows, Protocol):
    """Rows that machines share, made once and on purpose."""

    def missing(self) -> Sequence[str]:
        """The tables that it does not have."""

    def initialize(self, *first: Insert) -> None:
        """Make the tables that are missing, and the rows they begin with, all or none."""


@dataclass(frozen=True, slots=True)
class Place:
    """What people call a place, and what in it keeps which part of all that."""

    name: str
    parts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Stores:
    """Where an engine keeps all that it knows; of what has landed, `bucket` keeps what is to outlive this disk."""

    profile: str
    rows: Rows
    blobs: Blobs
    place: Place
    bucket: Bucket | None = None
    guard: Holds | None = None

    def capabilities(self) -> Mapping[str, object]:
        """What the profile wires beside its stores."""
        return {} if self.guard is None else {STRICT_GUARD: self.guard}


@dataclass(frozen=True, slots=True)
class _Shared:
    """The stores of a profile, of whose tables nothing is known yet."""

    stores: Stores
    database: Database
    tables: Sequence[Table]

    def admit(self, project: str) -> None:
        """Let executions of the project in, or say why not."""
        missing = self.database.missing()
        identity = None if storage.IDENTITY.name in missing else self.database.get(storage.IDENTITY, ("execution",))
        storage.admit(identity, missing, project=project)


def chosen() -> StorageProfile | None:
    """The profile that the environment names; none for local storage."""
    return storage.profile(os.environ.get(PROFILE))


def local(folder: Path, world: World) -> Stores:
    """One file under the folder, which is made where it is missing.

    Leases in it are judged by the clock of the machine, at whatever instant the world stands still: others go by it.
    """
    path = folder / STATE
    with files.storing(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    rows = SqliteRows(path, TABLES, clock_ms=world.clock_ms if isinstance(world, SystemWorld) else None)
    return Stores(storage.EMBEDDED, rows, RowBlobs(rows), Place(str(path), _parts("SQLite")))


def held(folder: Path) -> Path:
    """The file under a folder that has been used before; looking for it makes nothing."""
    path = folder / STATE
    if not path.exists():
        raise Failed(Failure(FailureTag.CONFIG, f"nothing has run in {folder}: there is no {path}"))
    return path


def shared(profile: StorageProfile, project: str) -> Stores:
    """The profile's stores, if executions of the project may use them. Nothing is made in them."""
    bound = _bound(profile)
    try:
        bound.admit(project)
    except BaseException:
        bound.database.close()
        raise
    return bound.stores


def initialize(profile: StorageProfile | None, folder: Path, project: str) -> Place:
    """Make a new database ready for executions of the project, and leave any other as it is; where it is."""
    if profile is None:
        local(folder, SystemWorld()).rows.close()
        return check(profile, folder, project)
    bound = _bound(profile)
    try:
        if {table.name for table in bound.tables} <= set(bound.database.missing()):
            bound.database.initialize(storage.identity(project))
        bound.admit(project)
    finally:
        bound.database.close()
    return bound.stores.place


def check(profile: StorageProfile | None, folder: Path, project: str) -> Place:
    """Where executions of the project may run, or why they may not. Nothing is made."""
    if profile is None:
        path = held(folder)
        missing = sqlite.missing(path, TABLES)
        if missing:
            raise ExecutionRecoveryMismatch(expected="all of its tables", found=f"no table {', '.join(missing)}")
        return Place(str(path), _parts("SQLite"))
    kept = shared(profile, project)
    kept.rows.close()
    return kept.place


def _bound(profile: StorageProfile) -> _Shared:
    """The profile's stores as the environment binds them."""
    match profile:
        case StorageProfile.POSTGRES:
            return _postgres()
        case StorageProfile.CLOUDFLARE_D1:
            return _d1()
        case _:
            assert_never(profile)


def _postgres() -> _Shared:
    profile = StorageProfile.POSTGRES
    address = os.environ.get(POSTGRES, "")
    if not address and not any(name in os.environ for name in LIBPQ):
        raise StorageCapabilityMissing(profile=profile.value, missing=POSTGRES)  ##= run.journal.storage-incomplete
    try:
        from contextful.adapters.postgres import PostgresRows
        from contextful.adapters.postgres_holds import PostgresHolds
    except ImportError as error:
        raise ProfileCapabilityAbsent(command="the storage profile", capability=profile.value) from error
    tables = (*TABLES, storage.IDENTITY)
    rows = PostgresRows(address, tables)
    parts = {**_parts("PostgreSQL"), "journal": "contextful-pg", "owners": "shared", "corpus": "remote bucket"}
    place, guard = Place(rows.name, parts), PostgresHolds(address, SystemWorld().now_ms)
    return _Shared(Stores(profile.value, rows, RowBlobs(rows), place, guard=guard), rows, tables)


def _d1() -> _Shared:
    from contextful.adapters.d1.blobs import OBJECT, R2Blobs
    from contextful.adapters.d1.bucket import R2Bucket
    from contextful.adapters.d1.rows import D1Rows
    from contextful.adapters.d1.wire import Wire
    from contextful.adapters.d1.worker import Worker

    profile = StorageProfile.CLOUDFLARE_D1
    for name in (D1, D1_TOKEN):
        if not os.environ.get(name):
            raise StorageCapabilityMissing(profile=profile.value, missing=name)
    worker = Worker(Wire(os.environ[D1], os.environ[D1_TOKEN]))
    try:
        for lacked in worker.lacks():
            raise StorageCapabilityMissing(profile=profile.value, missing=lacked)
    except BaseException:
        worker.close()
        raise
    tables = (*STATES, OBJECT, storage.IDENTITY)
    rows = D1Rows(worker, tables)
    parts = {**_parts("D1"), "blobs": "R2", "corpus": "R2"}  ##= run.journal.d1-profile
    kept = Stores(profile.value, rows, R2Blobs(worker, rows), Place(worker.name, parts), R2Bucket(worker))
    return _Shared(kept, rows, tables)


def _parts(database: str) -> dict[str, str]:
    """All that is rows."""
    return dict.fromkeys(("catalog", "journal", "awakeables", "exports", "blobs"), database)
