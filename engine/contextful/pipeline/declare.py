"""run.declare: a pipeline is what its project file says it is. What cannot be run is refused when it is read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence

from contextful.pipeline import declare_backfill, declare_job, locate, shaping
from contextful.pipeline import source as sources
from contextful.pipeline.block import PROJECT, Block, Faults, member
from contextful.pipeline.spec import (
    JobSpec,
    PipelineSpec,
    ProjectSpec,
    SourceSpec,
    TableSpec,
)
from contextful.run import retry
from contextful.run.retry import Schedule
from contextful.run.site import Site
from contextful.store import reserve
from contextful.store.schema import Type
from contextful_contract.base import ContextfulError
from contextful_contract.errors import (
    JobTargetUnbound,
    PipelineDuplicateId,
    PipelineReplaceUnsupported,
    PipelineSpecInvalid,
    PipelineTableNameCollision,
    PipelineUnknownDestination,
)
from contextful_contract.shapes import CursorKind, FailureTag, JobKind, OnTableError, WriteMode

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
NAME_SAYS = "1 to 64 letters, digits, dots, underscores and hyphens, and begin with a letter or digit"
SYNTAX = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


def read(text: str, *, file: str) -> ProjectSpec:
    """The project that the text declares. Raises a group with every fault there is, each noted with its place."""
    try:
        held = tomllib.loads(text)
        places = locate.places(text)
    except ValueError as error:
        raise ExceptionGroup(f"{file} is not TOML", [_syntax(str(error), text, file)]) from None
    except RecursionError:
        deep = "its blocks are nested too deep (at line 1, column 1)"
        raise ExceptionGroup(f"{file} is not TOML", [_syntax(deep, text, file)]) from None
    faults = Faults(file, places)
    declared = project(Block(held, (), faults))
    if faults.found:
        raise ExceptionGroup(f"{file} cannot be run", faults.found)
    return declared


def table_name(pipeline_id: str, table: str) -> str:
    """What a table is called in the store."""
    ##= run.declare.table-name
    return "".join(char.lower() if char.isascii() and char.isalnum() else "_" for char in f"{pipeline_id}_{table}")


def project(top: Block) -> ProjectSpec:
    """The project that a manifest's top block declares; what is wrong with it is noted there."""
    named = top.block("project")
    name = named.required("name", shape=NAME, says=NAME_SAYS)
    named.end()
    site = Site(top.optional("site_id"), top.optional("site_id_env"))
    pipelines = [_pipeline(block) for block in top.items("pipeline") if isinstance(block, Block)]
    jobs = [_job(block) for block in top.items("job") if isinstance(block, Block)]
    top.end()
    _distinct(top, pipelines, jobs)
    return ProjectSpec(name, site, tuple(pipelines), tuple(jobs))


def _job(block: Block) -> JobSpec:
    return declare_job.job(
        block, name=NAME, says=NAME_SAYS, tables=lambda within: _tables(within, CursorKind.OPAQUE_TOKEN)
    )


def _distinct(top: Block, pipelines: Sequence[PipelineSpec], jobs: Sequence[JobSpec]) -> None:
    """Nothing is called like something else; what a fold folds is there."""
    lands: dict[str, str] = {}
    for at, spec in enumerate(pipelines):
        if any(spec.id == other.id for other in pipelines[:at]):
            top.refuse(PipelineDuplicateId(pipeline=spec.id), "pipeline", at, "id")  ##= run.declare.duplicate-id
            continue
        _apart(top, lands, ("pipeline", at), spec.id, spec.tables)
    for at, job in enumerate(jobs):
        if any(job.name == other.name for other in jobs[:at]):
            top.refuse(PipelineDuplicateId(pipeline=f"job:{job.name}"), "job", at, "name")
            continue
        _apart(top, lands, ("job", at), job.name, job.tables)
    for at, job in enumerate(jobs):
        if job.target is not None and (job.kind is not JobKind.FOLD or job.target not in lands):
            ##= surface.fire.target
            top.refuse(JobTargetUnbound(job=job.name, target=job.target), "job", at, "target")


def _apart(top: Block, lands: dict[str, str], place: tuple[str, int], name: str, tables: Sequence[TableSpec]) -> None:
    """What lands here lands in tables of its own."""
    for table in tables:
        called = table_name(name, table.name)
        this = f"{name}/{table.name}"
        if called in lands:
            ##= run.declare.table-name-collision
            collision = PipelineTableNameCollision(table=called, first=lands[called], second=this)
            top.refuse(collision, *place, "tables")
        lands.setdefault(called, this)


def _pipeline(block: Block) -> PipelineSpec:
    block.pipeline = pipeline_id = block.required("id", shape=NAME, says=NAME_SAYS)
    if (destination := block.text("destination", "store")) != "store":
        block.refuse(
            PipelineUnknownDestination(destination=destination), "destination"
        )  ##= run.land.unknown-destination
    cursor = block.choice("cursor", CursorKind.OPAQUE_TOKEN)
    incremental = block.optional("incremental")
    source, tables = sources.read(block.block("source"), cursor, incremental), _tables(block, cursor)
    spec = PipelineSpec(
        id=pipeline_id,
        source=source,
        tables=tables,
        cursor=cursor,
        incremental=incremental,
        retry=_retry(block.block("retry")),
        on_table_error=block.choice("on_table_error", OnTableError.ABORT),
        schedule=block.optional("schedule"),
        nesting=shaping.nesting(block),
        transforms=shaping.transforms(block),
        guard_secrets=block.boolean("guard_secrets", default=True),
        backfill=declare_backfill.span(block, cursor, source, tables),
        seed=_seed(block, tables),
    )
    block.end()
    shaping.see_clock(block, spec)
    if (cursor is CursorKind.MONOTONIC) != (incremental is not None):
        block.fault("incremental", 'names the clock column of a cursor that is "monotonic": declare both or neither')
    return spec


def _seed(block: Block, tables: Sequence[TableSpec]) -> SourceSpec | None:
    """Where the tables begin, if that is elsewhere."""
    within = block.block("seed")
    if not block.has("seed"):
        return None
    source = sources.read(within.block("source"), CursorKind.SNAPSHOT_ID, None)
    within.end()
    for at, table in enumerate(tables):
        if table.write_mode is WriteMode.REPLACE:
            block.refuse(PipelineReplaceUnsupported(table=table.name, reason="a seed"), "tables", at)
    return source


def _tables(block: Block, cursor: CursorKind) -> tuple[TableSpec, ...]:
    items = block.items("tables")
    if not items:
        block.fault("tables", "must name at least one table")
    tables = [TableSpec(item) if isinstance(item, str) else _table(item, cursor) for item in items]
    for at, table in enumerate(tables):
        try:
            reserve.admit_table(table.name)
        except ContextfulError as refusal:
            block.refuse(refusal, "tables", at)
        if not NAME.fullmatch(table.name):
            block.fault("tables", f"holds the name {table.name!r}, and a name must be {NAME_SAYS}")
    return tuple(tables)


def _table(block: Block, cursor: CursorKind) -> TableSpec:
    default = TableSpec("")
    name = block.required("name")
    table = TableSpec(
        name=name,
        primary_key=block.texts("primary_key", default.primary_key),
        order_by=block.texts("order_by", default.order_by),
        write_mode=block.choice("write_mode", default.write_mode),
        columns=block.mapping("columns", _column_type),
        allowed_lateness_ms=block.span_ms("allowed_lateness", default.allowed_lateness_ms, "0s", "36500d"),
        available_time=block.optional("available_time"),
        redaction=shaping.redaction(block, name),
        remove=block.texts("remove"),
        policy=shaping.policy(block),
        result_cache=block.boolean("result_cache", default.result_cache),
    )
    block.end()
    if table.available_time is not None and table.available_time.lower() in table.policy:
        block.fault(
            "policy", f"masks {table.available_time}, and a read is told rows apart by that: date them otherwise"
        )
    if table.columns.get(table.available_time or "", Type.TIMESTAMP) is not Type.TIMESTAMP:
        block.fault("available_time", 'names a column that is declared, and not as "timestamp"')
    if table.write_mode is WriteMode.REPLACE and cursor is not CursorKind.SNAPSHOT_ID:
        ##= run.declare.replace-unsupported
        block.refuse(PipelineReplaceUnsupported(table=table.name, reason=f"a cursor that is {cursor}"), "write_mode")
    return table


def _retry(block: Block) -> Schedule:
    default = retry.DEFAULT
    schedule = Schedule(
        backoff=block.choice("backoff", default.backoff),
        base_ms=block.integer("base_ms", default.base_ms, 0, retry.DELAY_MS_MAX),
        factor=block.integer("factor", default.factor, 1, retry.FACTOR_MAX),
        attempts=block.integer("attempts", default.attempts, 1, retry.ATTEMPTS_MAX),
        max_delay_ms=block.integer("max_delay_ms", default.max_delay_ms, 0, retry.DELAY_MS_MAX),
        jitter_ms=block.integer("jitter_ms", default.jitter_ms, 0, retry.DELAY_MS_MAX),
        retry_on=block.members("retry_on", FailureTag, default.retry_on),
    )
    block.end()
    try:
        return retry.admit(schedule, f"pipeline {block.pipeline}")
    except ContextfulError as refusal:
        block.refuse(refusal, "retry_on")
        return default


def _column_type(held: object) -> Type:
    kind = member(Type, held)
    if kind is Type.NULL:
        raise ValueError('cannot be "null"')
    return kind


def _syntax(error: str, text: str, file: str) -> ContextfulError:
    """A fault of the text itself, where the standard library says that it is."""
    said = SYNTAX.fullmatch(error)
    reason, line, column = said.groups() if said else (error, None, None)
    if line is None:
        line, column = str(text.count("\n") + 1), "1"
    refusal = PipelineSpecInvalid(pipeline=PROJECT, key=f"line {line}", reason=f"is not TOML: {reason}")
    refusal.add_note(f"{file}:{line}:{column}")
    return refusal
