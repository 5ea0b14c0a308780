"""run.own, under its first heading: one owner a scope binds pending work to its plan.

(none) --open--> pending --close success--> (none), and the journal with it
                  |   ^
                  |   +-- open, the last attempt closed or its lease lapsed: joined, same execution
                  +-- open, the last attempt live --> Transient, turned away
                  +-- open, another plan --> ExecutionPinMismatch, turned away
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import cast

from contextful.kernel.change import Change, Delete, Insert, Require, Update
from contextful.kernel.table import Kind, Row, Table
from contextful.run.record import Lease, Run
from contextful_contract.errors import ExecutionPinMismatch
from contextful_contract.shapes import ConnectorPin, RunStatus

OWNER = Table(
    "owner",
    key=("scope",),
    columns={
        "scope": Kind.TEXT,
        "execution_id": Kind.TEXT,
        "pins": Kind.TEXT,
        "attempts": Kind.TEXT,
        "holder": Kind.TEXT,
        "opened_ms": Kind.INTEGER,
        "waiting_until_ms": Kind.INTEGER,
        "requested_plan": Kind.TEXT,
    },
    indexes=(("execution_id",),),
)


SEED = "#seed"  # at the end of a table's name: the scope beside the live one, for what the table begins with


@dataclass(frozen=True, slots=True)
class HostScope:
    """Work that the host itself names. What is part of it has a scope beneath its own."""

    scope: str

    def __str__(self) -> str:
        return f"host scope {self.scope}"

    def key(self) -> str:
        """The owner's key."""
        return f"host/{self.scope}"  ##= run.own.host-scope

    @property
    def above(self) -> HostScope | None:
        """The scope that it is a part of, if it is part of one."""
        whole, beneath, _ = self.scope.partition("/")
        return HostScope(whole) if beneath else None


@dataclass(frozen=True, slots=True)
class TableScope:
    """One pipeline's pull into one table."""

    pipeline_id: str
    table: str

    def __str__(self) -> str:
        return f"pipeline {self.pipeline_id} table {self.table}"

    def key(self) -> str:
        """The owner's key."""
        return f"table/{self.pipeline_id}/{self.table}"

    @property
    def seeds(self) -> bool:
        """Whether it is the table's second scope, in which it begins."""
        return self.table.endswith(SEED)


@dataclass(frozen=True, slots=True)
class ChunkScope:
    """One chunk of a table's backfill."""

    pipeline_id: str
    table: str
    chunk: str

    def __str__(self) -> str:
        return f"pipeline {self.pipeline_id} table {self.table} chunk {self.chunk}"

    def key(self) -> str:
        """The owner's key."""
        return f"chunk/{self.pipeline_id}/{self.table}/{self.chunk}"


Scope = HostScope | TableScope | ChunkScope


@dataclass(frozen=True, slots=True)
class Pins:
    """What pending work is bound to: a plan, named identities, and what pulls. The input is on record, no more."""

    plan_ref: str
    identities: Mapping[str, str]
    connector: ConnectorPin | None = None
    input_hash: str | None = field(default=None, compare=False)

    def facts(self) -> Mapping[str, str]:
        """Everything that a pending owner holds an open to, by name."""
        connector = {} if self.connector is None else asdict(self.connector)
        pulls = {f"connector.{name}": value for name, value in connector.items()}
        return {"plan_ref": self.plan_ref, **pulls, **self.identities}


@dataclass(frozen=True, slots=True)
class Owner:
    """The pending work of a scope: its execution, its pins, its attempts from the oldest to the current."""

    scope: Scope
    execution_id: str
    pins: Pins
    attempts: tuple[str, ...]
    holder: str
    opened_ms: int
    waiting_until_ms: int | None = None
    requested_plan: str | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """The attempt owns the execution, once the change is committed. What the other one had recorded is let go of."""

    owner: Owner
    change: Change
    resets: str | None = None


@dataclass(frozen=True, slots=True)
class Live:
    """Another attempt owns it, at the latest until this instant unless it is renewed."""

    attempt: str
    until_ms: int


def admit(fresh: Owner, standing: Owner | None, lease: Lease | None, *, now_ms: int) -> Opened | Live:
    """What an open does about its scope. `lease` is the one that the standing owner's last attempt holds."""
    if standing is None:
        return Opened(fresh, Insert(OWNER, to_row(fresh)))  ##= run.own.execution-owner
    changed = standing.pins != fresh.pins
    unpinned = isinstance(fresh.scope, TableScope) and fresh.scope.seeds  ##= run.seed.unpinned
    if changed and not unpinned:
        ##= run.own.pinned-plan-changed
        raise ExecutionPinMismatch(
            scope=str(fresh.scope),
            execution_id=standing.execution_id,
            recorded=standing.pins.facts(),
            requested=fresh.pins.facts(),
        )
    if lease is not None and now_ms < lease.expires_ms:
        return Live(standing.attempts[-1], lease.expires_ms)  ##= run.own.live-owner
    if changed:
        return Opened(fresh, _replacing(standing, fresh), resets=standing.execution_id)
    ##= run.own.unclosed-execution
    joined = replace(
        standing,
        attempts=(*standing.attempts, *fresh.attempts),
        holder=fresh.holder,
        waiting_until_ms=None,
    )
    return Opened(joined, _replacing(standing, joined))


def _replacing(standing: Owner, owner: Owner) -> Change:
    return Update(OWNER, {"scope": owner.scope.key()}, {"holder": standing.holder}, to_row(owner))


def releases(status: RunStatus, *, wrote_batch: bool, replay_stable: bool = False) -> bool:
    """Whether a closing attempt lets its owner go: nothing is left that a resumption could use."""
    ##= run.own.pin-release
    match status:
        case RunStatus.SUCCESS:
            return True
        case RunStatus.FAILED:
            return replay_stable or not wrote_batch
        case _:
            return False


def retirement(owner: Owner) -> Change:
    """The owner goes, if it is still this attempt's. The next open draws a fresh execution."""
    return Delete(OWNER, {"scope": owner.scope.key()}, {"holder": owner.holder})


def held(owner: Owner, *, waiting_until_ms: int | None) -> Change:
    """The owner stays for the next attempt, which may not begin a waiting step before the instant."""
    return Update(
        OWNER,
        {"scope": owner.scope.key()},
        {"holder": owner.holder},
        {"waiting_until_ms": waiting_until_ms},
    )


def woken(owner: Owner, now_ms: int) -> Change:
    """The owner's next attempt may begin now, if the owner waits for one; if not, it still does not."""
    key: Row = {"scope": owner.scope.key()}
    standing: Row = {"execution_id": owner.execution_id, "waiting_until_ms": owner.waiting_until_ms}
    if owner.waiting_until_ms is None:
        return Require(OWNER, key, standing)
    return Update(OWNER, key, standing, {"waiting_until_ms": min(owner.waiting_until_ms, now_ms)})


def to_row(owner: Owner) -> Row:
    """The owner as the store keeps it."""
    return {
        "scope": owner.scope.key(),
        "execution_id": owner.execution_id,
        "pins": json.dumps(asdict(owner.pins), sort_keys=True),
        "attempts": json.dumps(owner.attempts),
        "holder": owner.holder,
        "opened_ms": owner.opened_ms,
        "waiting_until_ms": owner.waiting_until_ms,
        "requested_plan": owner.requested_plan,
    }


def another_plan(owner: Owner, plan_ref: str) -> Change:
    """The owner notes that an open asked for another plan, which lets an operator rewind it."""
    return Update(
        OWNER, {"scope": owner.scope.key()}, {"execution_id": owner.execution_id}, {"requested_plan": plan_ref}
    )


def from_row(row: Row) -> Owner:
    """The owner that a row stands for."""
    pins = json.loads(cast(str, row["pins"]))
    connector = pins.pop("connector")
    return Owner(
        scope=_scope(cast(str, row["scope"])),
        execution_id=cast(str, row["execution_id"]),
        pins=Pins(**pins, connector=None if connector is None else ConnectorPin(**connector)),
        attempts=tuple(json.loads(cast(str, row["attempts"]))),
        holder=cast(str, row["holder"]),
        opened_ms=cast(int, row["opened_ms"]),
        waiting_until_ms=cast(int | None, row["waiting_until_ms"]),
        requested_plan=cast(str | None, row["requested_plan"]),
    )


def placed(run: Run, scope: Scope) -> Run:
    """The run's row, under the scope that it is of."""
    match scope:
        case HostScope(host_scope):
            return replace(run, host_scope=host_scope)
        case TableScope(pipeline_id, table):
            return replace(run, pipeline_id=pipeline_id, table=table)
        case ChunkScope(pipeline_id, table, chunk):
            return replace(run, pipeline_id=pipeline_id, table=table, chunk=chunk)


def _scope(key: str) -> Scope:
    kind, _, named = key.partition("/")
    match kind:
        case "host":
            return HostScope(named)
        case "table":
            return TableScope(*named.split("/"))
        case _:
            return ChunkScope(*named.split("/"))
