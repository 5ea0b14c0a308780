"""store.drain: which runs' commits no push has carried yet, what a push finds of them, and what a release step is told.

marked --carried--> (none)
   |
   +-- no manifest here, no living owner --> lost --7 d--> (none)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import cast

from contextful.kernel.change import Change, Update
from contextful.kernel.table import Row
from contextful.run import record, unpushed
from contextful.run.own import staging_and_checkpoints
from contextful.store import lay_out, push
from contextful_contract import limits
from contextful_contract.errors import SyncRunsUnpushed
from contextful_contract.shapes import StorageProfile, SyncStatus, UnpushedRun

CHECKPOINT = re.compile(rf"(.+){staging_and_checkpoints.ORDINAL.pattern}")


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked run."""

    run: record.Run
    node_id: str
    lost: bool = False
    lost_ms: int | None = None

    def living(self, now_ms: int) -> bool:
        """Whether somebody is at work on the run."""
        return self.run.lease is not None and now_ms < self.run.lease.expires_ms


@dataclass(frozen=True, slots=True)
class Settled:
    """What a push that has committed makes of the marks: the changes, and the runs that it has found lost."""

    changes: Sequence[Change]
    lost: Sequence[str]


def tracked(profile: StorageProfile | None) -> bool:
    """Whether executions outlive this disk, and have to say what stands on it."""
    return profile is not None


def mark(row: Row) -> Mark:
    """The mark that a run's row bears."""
    return Mark(
        record.from_row(row), cast(str, row["unpushed_node"]), row["lost"] == 1, cast(int | None, row["lost_ms"])
    )


def runs(paths: Collection[str]) -> frozenset[str]:
    """The runs whose manifests are among the paths, by the ids of their first commits."""
    named = {run[0] for path in paths if path.endswith(lay_out.MANIFEST) and (run := push.run(path)) is not None}
    first = {match[1] for commit in named if (match := CHECKPOINT.fullmatch(commit)) is not None}
    return frozenset(named | first)


def settled(marks: Sequence[Mark], *, held: frozenset[str], listed: frozenset[str], now_ms: int) -> Settled:
    """What becomes of every mark once a push has committed, given the runs that were here and those in the bucket."""
    changes: list[Change] = []
    lost: list[str] = []
    for each in marks:
        run_id = each.run.run_id
        if run_id in held or run_id in listed:
            changes.append(_set(each, unpushed.CLEARED))  ##= store.drain.clear
        elif each.lost and each.lost_ms is None:
            changes.append(_set(each, {"lost_ms": now_ms}))
        elif each.lost and now_ms - cast(int, each.lost_ms) > limits.LOST_MARK_RETENTION_MS:
            changes.append(_set(each, unpushed.CLEARED))  ##= store.drain.prune
        elif not each.lost and not each.living(now_ms):
            changes.append(_set(each, {"lost": 1, "lost_ms": now_ms}))
            lost.append(run_id)
    return Settled(changes, lost)


def due(marks: Sequence[Mark], node_id: str, *, held: frozenset[str], now_ms: int) -> Sequence[str]:
    """The node's runs that are pushed before anything is read: those that are here, and those whose owner is gone."""
    return [
        each.run.run_id
        for each in marks
        if each.node_id == node_id
        and not each.lost
        and (each.run.run_id in held or (each.run.lease is not None and not each.living(now_ms)))
    ]


def status(marks: Sequence[Mark], *, whole: bool) -> SyncStatus:
    """What a release step is told; the listing is bounded unless it asks for the whole."""
    unlost, lost = ([each for each in marks if each.lost is kind] for kind in (False, True))
    most = len(marks) if whole else limits.SYNC_STATUS_RUNS  ##= store.drain.status-summary, store.drain.status-all
    shown = sorted([*unlost[:most], *lost[:most]], key=lambda each: each.run.run_id)
    error = SyncRunsUnpushed.__name__ if unlost else None  ##= store.drain.status
    return SyncStatus(error=error, open=len(unlost), lost=len(lost), runs=tuple(map(_shown, shown)))


def exit_code(told: SyncStatus) -> int:
    """How the command leaves that tells it."""
    return SyncRunsUnpushed(open=told.open).exit_code if told.open else 0


def _shown(each: Mark) -> UnpushedRun:
    run = each.run
    return UnpushedRun(
        run_id=run.run_id,
        pipeline=run.pipeline_id or run.host_scope,
        table=run.table,
        node=each.node_id,
        ended_at=run.ended_ms,
        lost=each.lost,
    )


def _set(each: Mark, set_: Row) -> Change:
    return Update(record.RUN, {"run_id": each.run.run_id}, {"unpushed": each.run.run_id}, set_)
