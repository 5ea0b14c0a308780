"""The one place that wires the engine to its adapters."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from contextful.adapters import row_blobs, sources
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.sqlite import SqliteRows
from contextful.adapters.system import SystemWorld
from contextful.kernel import digest
from contextful.kernel.failure import Failed, Failure
from contextful.pipeline import compile, declare
from contextful.pipeline.spec import FileSource, HttpSource, PipelineSpec, ProjectSpec, SourceSpec
from contextful.ports.observer import Nobody, Observer
from contextful.ports.read_face import Answer
from contextful.ports.rows import Rows
from contextful.ports.source import Source
from contextful.ports.world import World
from contextful.run import record
from contextful.run.journal import storage
from contextful.runner import engine
from contextful.runner.land import Landings, Outcome
from contextful.store import lay_out
from contextful_contract.errors import (
    PipelineManifestMissing,
    ProfileCapabilityAbsent,
    StorageCapabilityMissing,
)
from contextful_contract.shapes import ConnectorPin, FailureTag, StorageProfile

if TYPE_CHECKING:
    from contextful.adapters.parquet import ParquetStore
    from contextful.adapters.postgres import PostgresRows

STATE = Path(".contextful", "machine.sqlite")
MANIFEST = "contextful.toml"
MANIFEST_BYTES_MAX = 4 << 20
NODE_ID = "CONTEXTFUL_NODE_ID"
PROFILE = "CONTEXTFUL_STORAGE_PROFILE"
POSTGRES = "CONTEXTFUL_POSTGRES"  # a connection string or URL
LIBPQ = ("PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE")  # the variables that say which database
SECRET = "env:"
ROWS_MAX = 10_000
TABLES = (*engine.TABLES, *row_blobs.TABLES)
SHARED = (*TABLES, storage.IDENTITY)


class Engine(engine.Engine):
    """Durable executions, kept where CONTEXTFUL_STORAGE_PROFILE says."""

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        *,
        world: World | None = None,
        observer: Observer | None = None,
        site_id: str = "local",
        project: str = "",
    ) -> Engine:
        """Without a profile everything is in one SQLite file under `folder`, which is made where it is missing.

        Under `postgres` it is in the database at CONTEXTFUL_POSTGRES, or where libpq's own variables point, which
        `initialize` has made ready for `project`; nothing is made here. Raises StorageFailed where the file cannot be
        written or the database not be reached, and the refusals of run.journal.storage before anything runs.
        """
        chosen = storage.profile(os.environ.get(PROFILE))
        rows = _local(Path(folder)) if chosen is None else _shared(chosen, project)
        name = "embedded" if chosen is None else chosen.value
        opened = cls(rows, RowBlobs(rows), world or SystemWorld(), observer=observer, site_id=site_id, profile=name)
        opened.reap()
        return opened

    @staticmethod
    def initialize(*, project: str = "") -> None:
        """Make a new database ready for executions of the project. One that is ready is left as it is.

        Raises ExecutionRecoveryMismatch where the database has some of the tables: what became of the others is for
        a person to say.
        """
        chosen = storage.profile(os.environ.get(PROFILE))
        if chosen is None:
            return  # a file is made when it is opened
        rows = _bound(chosen)
        try:
            if {table.name for table in SHARED} <= set(rows.missing()):
                rows.initialize(storage.identity(project))
            _admit(rows, project)
        finally:
            rows.close()

    @classmethod
    def at(cls, folder: Path) -> Engine:
        """The engine of a folder that has been used before; looking at one makes nothing."""
        path = folder / STATE
        if storage.profile(os.environ.get(PROFILE)) is None and not path.exists():
            raise Failed(Failure(FailureTag.CONFIG, f"nothing has run in {folder}: there is no {path}"))
        return cls.open(folder)


class Project:
    """A project's folder: its declared pipelines, the engine that runs them, and the store that they fill."""

    def __init__(
        self, folder: Path, spec: ProjectSpec, rows: Rows, world: World, observer: Observer, site_id: str
    ) -> None:
        self.folder = folder
        self.spec = spec
        self.engine = Engine(rows, RowBlobs(rows), world, observer=observer, site_id=site_id)
        self.engine.reap()
        self._rows = rows
        self._world = world
        self._observer = observer
        self._site_id = site_id

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        *,
        world: World | None = None,
        observer: Observer | None = None,
        site: record.Site | None = None,
    ) -> Project:
        """The project that the folder's `contextful.toml` declares. `site` takes its declaration's place.

        Raises a group with every fault of the manifest, each noted with its place.
        """
        at = Path(folder)
        spec = read(at)
        site_id = record.site_id(site or spec.site, os.environ)
        chosen = storage.profile(os.environ.get(PROFILE))
        if chosen is not None:
            # Its cursors would outlive this disk and its tables would not.
            raise StorageCapabilityMissing(profile=chosen.value, missing="remote bucket for what is landed")
        return cls(at, spec, _local(at), world or SystemWorld(), observer or Nobody(), site_id)

    def pipeline(self, pipeline_id: str) -> PipelineSpec:
        """The pipeline of this id."""
        for spec in self.spec.pipelines:
            if spec.id == pipeline_id:
                return spec
        known = ", ".join(spec.id for spec in self.spec.pipelines) or "none"
        raise Failed(Failure(FailureTag.CONFIG, f"there is no pipeline {pipeline_id}: {MANIFEST} declares {known}"))

    def run(self, pipeline_id: str, run_id: str | None = None) -> Sequence[Outcome]:
        """Fire the pipeline once: every table lands what its source has from the committed position on."""
        spec = self.pipeline(pipeline_id)
        landings = Landings(
            self.engine,
            self._rows,
            self._world,
            self._store(),
            self._observer,
            site_id=self._site_id,
            connectors=connector,
        )
        return landings.fire(spec, self._source, run_id=run_id)

    def query(self, sql: str, *, rows_max: int = ROWS_MAX) -> Answer:
        """What one SELECT says about the committed rows."""
        from contextful.adapters.duckdb import DuckdbReads

        readings = [plan.reading for spec in self.spec.pipelines for plan in compile.tables(spec)]
        return DuckdbReads(self._store(), readings).query(sql, rows_max=rows_max)

    def close(self) -> None:
        """Let the stores go."""
        self.engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _store(self) -> ParquetStore:
        from contextful.adapters.parquet import ParquetStore

        root = self.folder / lay_out.root(self.spec.name)
        node_id = lay_out.node_id(os.environ.get(NODE_ID), host=platform.node(), store=str(root.absolute()))
        return ParquetStore(root, self._world, node_id=node_id)

    def _source(self, spec: SourceSpec, table: str) -> Source:
        match spec:
            case FileSource():
                from contextful.adapters.sources.file import FileRecords

                return FileRecords(spec, table, self.folder)
            case HttpSource():
                from contextful.adapters.sources.http import HttpPages

                headers = {name: _secret(value) for name, value in spec.headers.items()}
                return HttpPages(spec, table, self._world, headers=headers)


def read(folder: Path) -> ProjectSpec:
    """What the folder's manifest declares."""
    path = folder / MANIFEST
    try:
        with path.open("rb") as file:
            content = file.read(MANIFEST_BYTES_MAX + 1)
    except FileNotFoundError:
        raise PipelineManifestMissing(path=str(path)) from None  ##= run.declare.manifest-missing
    try:
        if len(content) > MANIFEST_BYTES_MAX:
            raise ValueError(f"it has more than {MANIFEST_BYTES_MAX} bytes")
        text = content.decode()
    except ValueError as error:
        raise Failed(Failure(FailureTag.CONFIG, f"{path} cannot be read: {error}")) from None
    return declare.read(text, file=MANIFEST)


def connector(spec: SourceSpec) -> ConnectorPin:
    """What pulls for a source: it is built in, so its hash is that of its code."""
    code = Path(sources.__file__).with_name(f"{spec.CONNECTOR}.py").read_bytes()
    return ConnectorPin(id=spec.CONNECTOR, version=spec.VERSION, world="native", hash=digest.of_bytes(code))


def _local(folder: Path) -> SqliteRows:
    path = folder / STATE
    path.parent.mkdir(parents=True, exist_ok=True)
    return SqliteRows(path, TABLES)


def _shared(chosen: StorageProfile, project: str) -> PostgresRows:
    """The profile's rows, if executions may use them."""
    rows = _bound(chosen)
    try:
        _admit(rows, project)
    except BaseException:
        rows.close()
        raise
    return rows


def _admit(rows: PostgresRows, project: str) -> None:
    missing = rows.missing()
    row = None if storage.IDENTITY.name in missing else rows.get(storage.IDENTITY, ("execution",))
    storage.admit(row, missing, project=project)


def _bound(chosen: StorageProfile) -> PostgresRows:
    """The profile's rows, as the environment binds them; nothing is known of their tables yet."""
    absent = ProfileCapabilityAbsent(command="the storage profile", capability=chosen.value)
    if chosen is not StorageProfile.POSTGRES:
        raise absent
    address = os.environ.get(POSTGRES, "")
    if not address and not any(name in os.environ for name in LIBPQ):
        ##= run.journal.storage-incomplete
        raise StorageCapabilityMissing(profile=chosen.value, missing=POSTGRES)
    try:
        from contextful.adapters.postgres import PostgresRows
    except ImportError as error:
        raise absent from error
    return PostgresRows(address, SHARED)


def _secret(value: str) -> str:
    """A header's value, or what the variable holds that it names as `env:NAME`."""
    if not value.startswith(SECRET):
        return value
    name = value.removeprefix(SECRET)
    if name not in os.environ:
        raise Failed(Failure(FailureTag.SECRET_NOT_FOUND, f"the variable {name}, which a header names, is not set"))
    return os.environ[name]
