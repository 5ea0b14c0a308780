"""run.compile: a declared pipeline becomes one plan a table, as plain values with an identity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any

from contextful.kernel import digest
from contextful.kernel.failure import Failed, Failure
from contextful.pipeline import declare
from contextful.pipeline.land import Destined
from contextful.pipeline.prepare import Writer
from contextful.pipeline.spec import BodyOutput, JobSpec, Origin, PipelineSpec, TableSpec
from contextful.run import retry
from contextful.run.backfill import Chunk, Span
from contextful.run.own.own import SEED, ChunkScope, Pins, Scope, TableScope
from contextful.run.retry import Schedule
from contextful.store.declare import Reading
from contextful.store.schema import Type
from contextful_contract import limits
from contextful_contract.shapes import ConnectorPin, CursorKind, FailureTag, IsolatedItems, NodeKind, Sweep, WriteMode

Plain = dict[str, Any] | list[Any] | str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Node:
    """One thing that a plan does: its kind, its label, what identifies it, the labels of the nodes it refers to."""

    kind: NodeKind
    label: str
    does: str = ""
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Incremental:
    """The clock column that a monotonic cursor watches, and how late a row may come."""

    field: str
    lateness_ms: int


@dataclass(frozen=True, slots=True)
class TablePlan:
    """All that a run of one table needs to know."""

    pipeline_id: str
    table_name: str
    source: Origin
    table: Destined
    reading: Reading
    schedule: Schedule
    plan_ref: str
    content_hash: str
    incremental: Incremental | None
    cursor: CursorKind = CursorKind.OPAQUE_TOKEN
    writer: Writer = field(default_factory=lambda: Writer(""))
    guards: bool = True
    backfill: Span | None = None
    chunk: Chunk | None = None
    seeds: bool = False
    item: str | None = None

    @property
    def scope(self) -> Scope:
        """What the run owns."""
        if self.chunk is not None:
            return self.chunk.scope
        if self.item is not None:
            return ChunkScope(self.pipeline_id, self.table_name, f"item-{self.item}")
        ##= run.seed.scope
        return TableScope(self.pipeline_id, f"{self.table_name}{SEED}" if self.seeds else self.table_name)

    @property
    def lane(self) -> str:
        """Under whose name its commits stand in the store: nobody takes another's for the newest of its own."""
        if self.chunk is not None:
            return self.chunk.lane
        if self.item is not None:
            return f"{self.pipeline_id}#item-{self.item}"
        return f"{self.pipeline_id}{SEED}" if self.seeds else self.pipeline_id

    def pins(self, connector: ConnectorPin, position: str | None, pepper: bytes | None = None) -> Pins:
        """What a run that opens at the position is bound to, with what pulls."""
        written = self.writing(pepper).identities(self._shape())
        opens = position if self.chunk is None else [position, str(self.chunk.window)]
        ##= run.own.execution-owner
        return Pins(self.plan_ref, {"content_hash": self.content_hash, **written}, connector, digest.of(opens))

    @property
    def prepared(self) -> TablePlan:
        """The plan of rows that come prepared, so that nothing is removed of them twice."""
        return replace(self, writer=replace(self.writer, rules=()))

    def writing(self, pepper: bytes | None) -> Writer:
        """The table's writer, in possession of the pepper."""
        return replace(self.writer, pepper=pepper)

    def writer_identity(self, pepper: bytes | None) -> str:
        """Which writer it is: everything that what it prepares depends on."""
        return digest.of([self.plan_ref, dict(self.writing(pepper).identities(self._shape()))])

    def _shape(self) -> list[Plain]:
        types: list[Plain] = [[name, kind.value] for name, kind in self.table.types.items()]
        return [self.table.table, list(self.table.key), types]


@dataclass(frozen=True, slots=True)
class JobPlan:
    """All that a fire of a store-driven job needs to know."""

    name: str
    body: str
    statement: str
    as_of_ms: int | None
    max_in_flight: int
    tables: Mapping[str, TablePlan]
    items: IsolatedItems | None = None
    sweep: Sweep | None = None
    delegate: str | None = None


def job(spec: JobSpec) -> JobPlan:
    """The plan of a store-driven job: what is read, what is run, and where it lands."""
    plans = {table.name: _output(spec, table) for table in spec.tables}
    return JobPlan(
        spec.name,
        spec.body,
        spec.statement,
        spec.as_of_ms,
        spec.max_in_flight,
        plans,
        delegate=spec.delegate,
        items=spec.items,
        sweep=spec.sweep,
    )


def tables(spec: PipelineSpec) -> tuple[TablePlan, ...]:
    """A plan for each of the pipeline's tables, in their order."""
    schedule = retry.admit(spec.retry, f"pipeline {spec.id}")
    return tuple(_plan(spec, table, schedule) for table in spec.tables)


def seeds(spec: PipelineSpec) -> tuple[TablePlan, ...]:
    """A plan for what each of the pipeline's tables begins with, read whole from the seed's source."""
    if spec.seed is None:
        raise Failed(Failure(FailureTag.CONFIG, f"pipeline {spec.id} declares no seed"))
    seed, cursor = spec.seed, CursorKind.OPAQUE_TOKEN
    return tuple(replace(plan, source=seed, incremental=None, cursor=cursor, seeds=True) for plan in tables(spec))


def content_hash(spec: PipelineSpec) -> str:
    """The identity of what is declared; a default that is written out changes nothing."""
    return digest.of(_plain(spec))  ##= run.declare.content-hash


def plan_version(plan_id: str, nodes: Sequence[Node]) -> str:
    """The identity of what is done."""
    ##= run.compile.plan-version
    return digest.of({"id": plan_id, "nodes": _admitted(plan_id, nodes)})[: limits.PLAN_VERSION_PREFIX_CHARS]


def _admitted(plan_id: str, nodes: Sequence[Node]) -> list[Plain]:
    """The nodes as plain values, if each label that is referred to stands there once."""
    labels = [node.label for node in nodes]
    ##= run.compile.nodes
    for label in (name for node in nodes for name in (node.label, *node.of)):
        if labels.count(label) != 1:
            stands = "no node" if label not in labels else "more than one node"
            raise Failed(Failure(FailureTag.CONFIG, f"plan {plan_id} has {stands} labeled {label}"))
    return [_plain(node) for node in nodes]


def _plan(spec: PipelineSpec, table: TableSpec, schedule: Schedule) -> TablePlan:
    called = declare.table_name(spec.id, table.name)
    declared = content_hash(spec)
    return TablePlan(
        pipeline_id=spec.id,
        table_name=table.name,
        source=spec.source,
        table=_destined(called, table),
        reading=_reading(called, table),
        schedule=schedule,
        plan_ref=plan_version(spec.id, [Node(NodeKind.STEP, "pull", does=declared)]),
        content_hash=declared,
        incremental=None if spec.incremental is None else Incremental(spec.incremental, table.allowed_lateness_ms),
        cursor=spec.cursor,
        writer=Writer(called, spec.nesting, spec.transforms, table.redaction, table.remove),
        guards=spec.guard_secrets,
        backfill=spec.backfill,
    )


def _output(spec: JobSpec, table: TableSpec) -> TablePlan:
    called = declare.table_name(spec.name, table.name)
    declared = digest.of(_plain(table))
    return TablePlan(
        pipeline_id=spec.name,
        table_name=table.name,
        source=BodyOutput(spec.body),
        table=_destined(called, table),
        reading=_reading(called, table),
        schedule=retry.DEFAULT,
        plan_ref=plan_version(spec.name, [Node(NodeKind.STEP, "land", does=declared)]),
        content_hash=declared,
        incremental=None,
        writer=Writer(called, rules=table.redaction, removes=table.remove),
    )


def _destined(called: str, table: TableSpec) -> Destined:
    return Destined(called, table.primary_key, _types(table), table.order_by, table.available_time, name=table.name)


def _reading(called: str, table: TableSpec) -> Reading:
    return Reading(
        called,
        table.primary_key,
        table.order_by,
        replaces=table.write_mode is WriteMode.REPLACE,
        available_time=table.available_time,
        policy=table.policy,
        columns=_types(table) if table.columns else {},
        result_cache=table.result_cache,
    )


def _types(table: TableSpec) -> Mapping[str, Type]:
    """The columns that are declared, of whatever kind."""
    if table.available_time is None:
        return table.columns
    return {**table.columns, table.available_time: Type.TIMESTAMP}


def _plain(value: object) -> Plain:
    """The value as JSON, without the fields that hold their default."""
    if isinstance(value, Enum):
        return str(value.value)
    if is_dataclass(value) and not isinstance(value, type):
        held = {each.name: getattr(value, each.name) for each in fields(value) if not _defaults(each, value)}
        kind = {} if isinstance(value, PipelineSpec) else {"kind": type(value).__name__}
        return kind | {name: _plain(item) for name, item in held.items()}
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    assert value is None or isinstance(value, str | int | float), "a spec holds nothing else"
    return value


def _defaults(field: Any, value: object) -> bool:
    default = field.default if field.default_factory is MISSING else field.default_factory()
    return default is not MISSING and getattr(value, field.name) == default
