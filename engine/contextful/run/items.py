"""run.items: rows that complete one by one, each with an execution, a budget and a receipt of its own.

(none) --admitted, its entity taken--> open --landed, or failed for good--> receipt --appended to `_items`--> told
                                        |  ^
                                        +--+ failed with budget left, parked, waiting: the same execution goes on
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from contextful.kernel import codec, digest
from contextful.kernel.change import Change, Insert, Require, Update
from contextful.kernel.failure import Failed, Failure
from contextful.kernel.table import Kind, Row, Scalar, Select, Table
from contextful.run.own.own import HostScope
from contextful.run.record import RUN, Lease, capped
from contextful_contract.shapes import FailureTag, IsolatedItems, ItemOutcome, ItemRow, ItemTerminal, Json

ITEM = Table(
    "item",
    key=("item_id",),
    columns={
        "item_id": Kind.TEXT,
        "job": Kind.TEXT,
        "logical_key": Kind.TEXT,
        "entity_namespace": Kind.TEXT,
        "entity_key": Kind.TEXT,
        "attempts": Kind.INTEGER,
        "outcome": Kind.TEXT,
        "reason": Kind.TEXT,
        "run_id": Kind.TEXT,
        "execution_id": Kind.TEXT,
        "open_ms": Kind.INTEGER,  # since when it has been entered and has not ended
        "ended_ms": Kind.INTEGER,
        "untold_ms": Kind.INTEGER,  # since when `_items` lacks its row
    },
    indexes=(("job", "open_ms"), ("job", "untold_ms")),
)
ENTITY = Table(
    "entity",
    key=("namespace", "entity_key"),
    columns={"namespace": Kind.TEXT, "entity_key": Kind.TEXT, "fence": Kind.INTEGER, "run_id": Kind.TEXT},
)


@dataclass(frozen=True, slots=True)
class Item:
    """A row of the input as an item: who it is, what its journal is kept under, and what it is about."""

    item_id: str  # its execution identity
    logical_id: str
    job: str
    logical_key: str
    namespace: str
    entity_key: str

    @property
    def scope(self) -> HostScope:
        """What its execution owns, beneath the scope of its job."""
        return HostScope(f"job:{self.job}/item/{self.item_id}")

    @property
    def short(self) -> str:
        """Enough of its identity for the names of its runs."""
        return self.item_id[:16]


@dataclass(frozen=True, slots=True)
class Named:
    """What an item is called, and what it is about."""

    key: str
    entity: str


@dataclass(frozen=True, slots=True)
class Held:
    """Somebody else is at the item, or at its entity: at the latest until this instant, unless they renew."""

    until_ms: int


@dataclass(frozen=True, slots=True)
class Admitted:
    """The item may enter its body once the changes are committed; the fence has to stand as long as it works."""

    changes: Sequence[Change]
    fence: Require


def item(job: str, declared: IsolatedItems, plan_ref: str, row: Mapping[str, Json]) -> Item:
    """The item that a row of the input is, wherever in the input it stands. Raises Failed where it lacks a key."""
    logical_key = _key(job, row, declared.key)
    logical_id = digest.of([declared.entity_namespace, list(declared.key), logical_key])
    ##= run.items.identity
    bound = {"item": logical_id, "job": job, "row": dict(row), "policy": policy(declared), "plan": plan_ref}
    entity_key = _key(job, row, declared.entity_key)  ##= run.items.served-key
    return Item(digest.of(bound), logical_id, job, logical_key, declared.entity_namespace, entity_key)


def keyed(job: str, declared: IsolatedItems, rows: Sequence[Mapping[str, Json]]) -> None:
    """See that each row has its keys, before the rows are recorded and work is pinned to them. Raises Failed."""
    for row in rows:
        _key(job, row, declared.key)
        _key(job, row, declared.entity_key)


def policy(declared: IsolatedItems) -> str:
    """The identity of how a job isolates its items."""
    return digest.of(asdict(declared))


def label(step: str | None = None) -> str:
    """The label of an item's row, or of a step that its body takes: the journal is the item's own."""
    return "row" if step is None else f"row/{step}"


def entry(asked: Item) -> tuple[str]:
    """The key of the item's row."""
    return (asked.item_id,)


def entity(asked: Item) -> tuple[str, str]:
    """The key of its entity's row."""
    return asked.namespace, asked.entity_key


def named(row: Row | None) -> Named | None:
    """What the item of the row is called."""
    return None if row is None else Named(cast(str, row["logical_key"]), cast(str, row["entity_key"]))


def terminal(row: Row | None) -> ItemTerminal | None:
    """How the item has ended, on the word of its receipt; none while it may still be entered."""
    ended = None if row is None else row["outcome"]
    return None if ended is None else ItemTerminal(cast(str, ended))


def why(row: Row | None) -> Failure | None:
    """What the item has failed with, on the word of its receipt; none where it has not."""
    reason = None if row is None else cast(str | None, row["reason"])
    if reason is None:
        return None
    tag, _, message = reason.partition(": ")
    return Failure(FailureTag(tag), message)


def attempts(row: Row | None) -> int:
    """How many failed attempts the item has spent."""
    return 0 if row is None else cast(int, row["attempts"])


def admit(
    asked: Item, row: Row | None, entity_row: Row | None, lease: Lease | None, *, run_id: str, now_ms: int
) -> Admitted | Held:
    """Whether an attempt may enter the item's body. `lease` is that of the run which has its entity now.

    An entity is as good as leased while the run that took it holds its own lease: who closes lets go of both at once.
    """
    if lease is not None and now_ms < lease.expires_ms:
        return Held(lease.expires_ms)  ##= run.items.entity-admission
    changes: list[Change] = []
    if row is None:
        fresh: dict[str, Scalar] = {"item_id": asked.item_id, "job": asked.job, "logical_key": asked.logical_key}
        about: dict[str, Scalar] = {"entity_namespace": asked.namespace, "entity_key": asked.entity_key}
        changes.append(Insert(ITEM, fresh | about | {"attempts": 0, "open_ms": now_ms}))
    elif row["open_ms"] is None:
        changes.append(Update(ITEM, {"item_id": asked.item_id}, {"open_ms": None}, {"open_ms": now_ms}))
    key: Row = {"namespace": asked.namespace, "entity_key": asked.entity_key}
    fence = 1 if entity_row is None else cast(int, entity_row["fence"]) + 1
    if entity_row is None:
        changes.append(Insert(ENTITY, {**key, "fence": fence, "run_id": run_id}))
    else:
        standing: Row = {"fence": entity_row["fence"]}
        changes.append(Update(ENTITY, key, standing, {"fence": fence, "run_id": run_id}))
    if lease is not None:
        assert entity_row is not None, "a run that holds an entity is named by its row"
        lapsed: Row = {"lease_expires_ms": lease.expires_ms}
        changes.append(Require(RUN, {"run_id": entity_row["run_id"]}, lapsed))
    return Admitted(changes, Require(ENTITY, key, {"fence": fence}))


def failed(spent: int, declared: IsolatedItems, failure: Failure) -> ItemTerminal | None:
    """How the item ends with this failure, its `spent`-th; none where it may be entered again."""
    if not failure.tag.retryable:
        return ItemTerminal.FAILED  ##= run.items.retry-budget
    return ItemTerminal.EXHAUSTED if spent >= declared.attempts else None  ##= run.items.terminal-outcome


def counted(asked: Item, spent: int) -> Change:
    """One more failed attempt, in the commit that closes it."""
    return Update(ITEM, {"item_id": asked.item_id}, {"attempts": spent - 1, "outcome": None}, {"attempts": spent})


def receipt(
    asked: Item,
    outcome: ItemTerminal,
    failure: Failure | None,
    *,
    spent: int,
    run_id: str,
    execution_id: str,
    now_ms: int,
) -> Change:
    """The item has ended. Committed with its owner's retirement, after whatever it has landed."""
    ended: Row = {
        "attempts": spent,
        "outcome": outcome.value,
        "reason": None if failure is None else f"{failure.tag.value}: {capped(failure.message)}",
        "run_id": run_id,
        "execution_id": execution_id,
        "open_ms": None,
        "ended_ms": now_ms,
        "untold_ms": now_ms,
    }
    return Update(ITEM, {"item_id": asked.item_id}, {"outcome": None}, ended)  ##= run.items.completion


def untold(job: str, limit: int) -> Select:
    """The receipts of a job whose rows `_items` lacks."""
    return Select(ITEM, {"job": job}, order="untold_ms", limit=limit)


def told(row: Row) -> Change:
    """The receipt, once `_items` has its row."""
    return Update(ITEM, {"item_id": row["item_id"]}, {}, {"untold_ms": None})


def still_open(job: str, limit: int) -> Select:
    """The items of a job that have been entered and have not ended."""
    return Select(ITEM, {"job": job}, order="open_ms", limit=limit)


def given_up(row: Row) -> Sequence[Change]:
    """The item with its job's pending work given up: what it has spent stays spent."""
    return (Update(ITEM, {"item_id": row["item_id"]}, {"outcome": None}, {"open_ms": None}),)


def beneath(scope: HostScope, row: Row) -> HostScope:
    """The scope of an item's execution, by its row."""
    return HostScope(f"{scope.scope}/item/{cast(str, row['item_id'])}")


def shown(row: Row) -> ItemRow:
    """The row of `_items` that a receipt stands for."""
    ##= run.items.outcome-record
    return ItemRow(
        job=cast(str, row["job"]),
        logical_key=cast(str, row["logical_key"]),
        entity_namespace=cast(str, row["entity_namespace"]),
        entity_key=cast(str, row["entity_key"]),
        attempts=cast(int, row["attempts"]),
        outcome=ItemTerminal(cast(str, row["outcome"])),
        reason=cast(str | None, row["reason"]),
        run_id=cast(str, row["run_id"]),
        execution_id=cast(str, row["execution_id"]),
        ended_at=cast(int, row["ended_ms"]),
    )


def succeeds(counts: Mapping[ItemOutcome, int]) -> bool:
    """Whether the aggregate does: each of its items has."""
    return not any(counts[outcome] for outcome in counts if outcome is not ItemOutcome.SUCCESS)  ##= run.items.outcomes


def counts(found: Mapping[ItemOutcome, int]) -> Mapping[str, int]:
    """How many items came to each outcome that any came to, in the contract's order."""
    return {outcome.value: found[outcome] for outcome in ItemOutcome if found.get(outcome)}


def sentence(job: str, found: Mapping[ItemOutcome, int]) -> str:
    """What a pass came to that did not succeed."""
    told = ", ".join(f"{count} {outcome}" for outcome, count in counts(found).items())
    count = sum(found.values())
    return f"of the {count} items of job {job}: {told}" if count != 1 else f"of the one item of job {job}: {told}"


def _key(job: str, row: Mapping[str, Json], columns: Sequence[str]) -> str:
    """The columns' values as they were served: a single one as it reads, several as JSON."""
    values: list[Any] = []
    for column in columns:
        if row.get(column) is None:
            lacks = "is null in a row of" if column in row else "is no column of"
            said = f"{column} {lacks} the statement of job {job}, whose items need it"
            raise Failed(Failure(FailureTag.CONFIG, said))
        values.append(row[column])
    if len(values) == 1:
        return values[0] if isinstance(values[0], str) else codec.canonical(values[0]).decode()
    return codec.canonical(values).decode()
