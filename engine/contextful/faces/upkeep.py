"""What an operator does to a project as a whole: apply it, and compact its tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextful.run.own import own
from contextful.runner.engine import Engine
from contextful.store.declare import Reading
from contextful.store.fold import Snapshot
from contextful.surface.apply import Draft
from contextful_contract.errors import ExecutionRewindUnsafe, StoreUnknownTable

if TYPE_CHECKING:
    from contextful.adapters.control import Control
    from contextful.adapters.duckdb import DuckdbReads
    from contextful.adapters.parquet import ParquetStore


@dataclass(frozen=True, slots=True)
class Compacted:
    """What a compaction did to a table: the snapshot that it made, if it was due, and the runs that went."""

    snapshot: Snapshot | None
    collected: int


@dataclass(frozen=True, slots=True)
class Applied:
    """The version that is current, what work it retired, and what work it had to leave."""

    version: int
    retired: tuple[own.Owner, ...] = ()
    refused: tuple[ExecutionRewindUnsafe, ...] = ()


def applied(engine: Engine, control: Control, draft: Draft, plans: Mapping[str, Collection[str]]) -> Applied:
    """Claim the draft as the next version, and then retire the pending work of jobs for which it has no plan."""
    if draft.unchanged:
        return Applied(draft.base)
    version = control.claim(draft.text, base=draft.base)
    retired: list[own.Owner] = []
    refused: list[ExecutionRewindUnsafe] = []
    for scope, declared in plans.items():  ##= surface.apply.retires-after-claim
        try:
            owner = engine.supersede(scope, declared, reason=f"superseded by version {version} of the project")
            retired += [] if owner is None else [owner]
        except ExecutionRewindUnsafe as unsafe:
            refused.append(unsafe)  ##= run.own.apply-retire-refused
    return Applied(version, tuple(retired), tuple(refused))


def compact(
    store: ParquetStore, reads: DuckdbReads, readings: Sequence[Reading], table: str | None
) -> Mapping[str, Compacted]:
    """What became of each table that was folded, or of which runs were collected."""
    from contextful.adapters.fold import Folds

    folds = Folds(store, reads)
    known = {reading.table: reading for reading in readings}
    if table is not None and (table not in known or table not in store.tables()):
        raise StoreUnknownTable(table=table)
    asked = [table] if table is not None else [name for name in known if folds.due(name)]
    folded = {name: folds.fold(known[name]) for name in asked}
    collected = {name: len(folds.collect(name)) for name in known}
    return {
        name: Compacted(folded.get(name), collected[name])
        for name in known
        if folded.get(name) is not None or collected[name]
    }
