"""What a project file says of its pipelines, as values. Defaults stand here, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from contextful.pipeline.reshape import Transform
from contextful.run import retry
from contextful.run.backfill import Span
from contextful.run.retry import Schedule
from contextful.run.site import Site
from contextful.store import reserve
from contextful.store.schema import Type
from contextful_contract.shapes import (
    ColumnPolicy,
    CursorKind,
    IsolatedItems,
    JobKind,
    OnTableError,
    RedactionRule,
    Sweep,
    WriteMode,
)


@dataclass(frozen=True, slots=True)
class Pages:
    """Pages by number: the parameter that carries it, the first number, and the size that a full page has."""

    param: str = "page"
    first: int = 1
    size_param: str | None = None
    size: int | None = None


@dataclass(frozen=True, slots=True)
class NextCursor:
    """The answer holds the next page's cursor at the pointer."""

    pointer: str
    param: str = "cursor"


@dataclass(frozen=True, slots=True)
class NextUrl:
    """The answer holds the next page's address at the pointer."""

    pointer: str


@dataclass(frozen=True, slots=True)
class NextLink:
    """The answer's Link header has the next page's address, under the relation `next`."""


Pagination = Pages | NextCursor | NextUrl | NextLink


@dataclass(frozen=True, slots=True)
class HttpSource:
    """JSON over HTTP. `{table}` in the endpoint is the table's name; a header `env:NAME` is read from there."""

    CONNECTOR: ClassVar = "http"
    VERSION: ClassVar = "1"

    endpoint: str
    records: str = ""
    pagination: Pagination | None = None
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    since_param: str | None = None
    until_param: str | None = None
    limiter: str | None = None  # who gives a permit for each request, asked with POST
    timeout_ms: int = 30_000
    body_bytes_max: int = 64 << 20
    whole: bool = False  # each walk lists all that there is
    skip_unchanged: bool = False


@dataclass(frozen=True, slots=True)
class FileSource:
    """Files that only grow, or are read whole.

    `{table}` in the glob, which begins at the project's folder, is the table's name.
    """

    CONNECTOR: ClassVar = "file"
    VERSION: ClassVar = "1"

    path: str
    format: str
    batch_rows: int = 10_000
    whole: bool = False  # each walk reads every file from its beginning
    skip_unchanged: bool = False


@dataclass(frozen=True, slots=True)
class SqlSource:
    """A query of a database: a SQLite file in the project's folder, or what the variable `env:NAME` has the address of.

    `{table}` in the query is the table's name. With a clock it is read from the watermark on, without one whole.
    """

    CONNECTOR: ClassVar = "sql"
    VERSION: ClassVar = "1"

    database: str
    query: str
    clock: str | None = None
    batch_rows: int = 10_000


@dataclass(frozen=True, slots=True)
class PythonSource:
    """A function of the project's own, as `module:function`."""

    CONNECTOR: ClassVar = "python"
    VERSION: ClassVar = "1"

    function: str


@dataclass(frozen=True, slots=True)
class CommandSource:
    """A command, run once a pull. A program that is named by a path is found from the project's folder."""

    CONNECTOR: ClassVar = "command"
    VERSION: ClassVar = "1"

    command: tuple[str, ...]
    timeout_ms: int = 30_000
    position_addressed: bool = True


SourceSpec = HttpSource | FileSource | SqlSource | PythonSource | CommandSource


@dataclass(frozen=True, slots=True)
class BodyOutput:
    """What a job's body emits; no pipeline can name it as its source."""

    CONNECTOR: ClassVar = "body"
    VERSION: ClassVar = "1"

    body: str


Origin = SourceSpec | BodyOutput  # where rows come from


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table to land in, and what its reads need to know."""

    name: str
    primary_key: tuple[str, ...] = ()
    order_by: tuple[str, ...] = (reserve.INGESTED_AT,)
    write_mode: WriteMode = WriteMode.APPEND  ##= store.declare.write-mode
    columns: Mapping[str, Type] = field(default_factory=dict)
    allowed_lateness_ms: int = 0
    available_time: str | None = None  ##= store.declare.available-time
    redaction: tuple[RedactionRule, ...] = ()
    remove: tuple[str, ...] = ()
    policy: Mapping[str, ColumnPolicy] = field(default_factory=dict)
    result_cache: bool = False


@dataclass(frozen=True, slots=True)
class PipelineSpec:
    """One source, and the tables that it fills."""

    id: str
    source: SourceSpec
    tables: tuple[TableSpec, ...]
    cursor: CursorKind = CursorKind.OPAQUE_TOKEN  ##= run.advance.cursor-kind
    incremental: str | None = None
    retry: Schedule = retry.DEFAULT
    on_table_error: OnTableError = OnTableError.ABORT
    schedule: str | None = None  # as it is written: one that cannot be read is refused as the scheduler arms it
    nesting: int = 0
    transforms: tuple[Transform, ...] = ()
    guard_secrets: bool = True  ##= run.guard-secrets.before-the-record
    backfill: Span | None = None
    seed: SourceSpec | None = None  # what its tables begin with, each read whole and once


@dataclass(frozen=True, slots=True)
class JobSpec:
    """What a job runs: of a store-driven one, the body and the rows that it is run over; of a fold, its table."""

    name: str
    kind: JobKind
    schedule: str | None = None
    target: str | None = None
    body: str = ""
    delegate: str | None = None  # the binding whose endpoint its calls go to; without a body, each row is one call
    statement: str = ""
    as_of_ms: int | None = None
    max_in_flight: int = 1
    tables: tuple[TableSpec, ...] = ()
    items: IsolatedItems | None = None
    sweep: Sweep | None = None


@dataclass(frozen=True, slots=True)
class ProjectSpec:
    """A project's name, the site that writes, its pipelines, and its jobs."""

    name: str
    site: Site
    pipelines: tuple[PipelineSpec, ...]
    jobs: tuple[JobSpec, ...] = ()

    @property
    def tables(self) -> tuple[TableSpec, ...]:
        """The tables of all of them."""
        of_pipelines = [table for each in self.pipelines for table in each.tables]
        return (*of_pipelines, *(table for each in self.jobs for table in each.tables))
