"""run.cancel: a stop is a mark on the run's row. Whoever keeps the run reads it there; there is no other channel.

running --mark--> running, marked --the next beat feeds the token, or it comes to wait--> canceled
                     +--its landing has begun--> success: the mark went unfulfilled
waiting --mark--> canceled, in one commit, for nobody is at work who could close it
terminal --mark--> CancelTargetNotInFlight
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from contextful.kernel import instant
from contextful.kernel.failure import Failure
from contextful.kernel.table import Row, Select
from contextful.run import record
from contextful_contract.errors import CancelTargetNotInFlight
from contextful_contract.shapes import FailureTag, RunStatus, StopMark, StopScope

MARKED_MAX = 1_000  # rows of one status that one stop reaches, and marks that one beat reads: the newest of them


def grain(mark: StopMark) -> StopScope:
    """How far the stop reaches."""
    return StopScope.PIPELINE if mark.scope == StopScope.PIPELINE.value else StopScope.RUN  ##= run.cancel.two-grains


def reach(asked: record.Run | None, mark: StopMark) -> Sequence[Select]:
    """Where the runs are that the stop is to end, given the one that it was asked of."""
    if asked is None:
        return ()
    if grain(mark) is StopScope.RUN:
        return (Select(record.RUN, {"run_id": asked.run_id}, limit=1),)
    ##= run.cancel.host-grain
    fellows: Row = {"host_scope": asked.host_scope} if asked.host_scope else {"pipeline_id": asked.pipeline_id}
    return [
        Select(record.RUN, {**fellows, "status": status.value}, order="started_ms", descending=True, limit=MARKED_MAX)
        for status in RunStatus
        if status.accepts_stop
    ]


def targets(found: Sequence[record.Run], run_id: str) -> Sequence[record.Run]:
    """Those that take the mark, in the order of their ids."""
    marked = [run for run in found if run.status.accepts_stop and run.ended_ms is None]
    if not marked:
        raise CancelTargetNotInFlight(run_id=run_id)  ##= run.cancel.not-in-flight
    return sorted(marked, key=lambda run: run.run_id)


def ending(run: record.Run, mark: StopMark) -> record.Closing | None:
    """How the run closes by the stop itself, if it waits."""
    return canceled(record.Closing(run.status), mark) if run.status is RunStatus.WAITING else None


def canceled(closing: record.Closing, mark: StopMark) -> record.Closing:
    """How an attempt ends that would have waited."""
    failure = Failure(FailureTag.CANCELED, sentence(mark))
    return replace(closing, status=RunStatus.CANCELED, failure=failure, next_attempt_ms=None, awaits=())


def marks() -> Select:
    """The runs at work that carry a mark, in one read of an index that holds no others."""
    running: Row = {"status": RunStatus.RUNNING.value}
    return Select(record.RUN, running, order="stop_requested_ms", descending=True, limit=MARKED_MAX)


def releases(status: RunStatus, *, recorded: bool) -> bool:
    """Whether a stopped attempt lets its owner go: it has recorded nothing that the next one could replay."""
    return status is RunStatus.CANCELED and not recorded  ##= run.cancel.resumable-remains


def sentence(mark: StopMark) -> str:
    """What happened, for a person to read."""
    asked = f"a stop of scope {mark.scope} was asked at {instant.spell(mark.requested_at)}"
    return asked if mark.reason is None else f"{asked}: {mark.reason}"


def upstream(runs: Sequence[record.Run]) -> Sequence[record.Run]:
    """The runs that say something of the health of their source: a stop says nothing of it."""
    return [run for run in runs if run.status.counted_upstream]  ##= run.cancel.distinct-terminal-status
