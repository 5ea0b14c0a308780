"""Performs run.project's emission: what a run does is left for whoever folds it, and the run goes on.

runner -- open --> slot of the run, never dropped
       -- step --> channel of 4,096; a full one drops it
       -- end ---> slot of the run, never dropped

Of a job's fire the metadata has, beside what its body annotates:

    items   how many of its rows have come to each end: by `ItemOutcome`, or of a batch `through` and `parked`
    of      how many rows there are; what the counts lack of it has not been entered yet, at first all
    spent   what this run has paid for them by what its body tells `row.spend`, by unit: {"USD": 1.2}; absent till then
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple, assert_never

from contextful.ports.observer import (
    Annotated,
    BatchStaged,
    ItemCame,
    Progress,
    RowCame,
    RunClosed,
    RunLanded,
    Spent,
    StepAwaiting,
    StepRecorded,
    StepRefused,
    StepRetrying,
    StepStarted,
)
from contextful.ports.world import World
from contextful.run import project, record
from contextful_contract.shapes import Change, ChangeKind, Json, OutputRef, RunStatus, StepPatch, StepStatus

EVENTS_MAX = 4_096


class Emitted(NamedTuple):
    """What a run did, and when."""

    run: record.Run
    progress: Progress | None  # none: it opened
    at_ms: int


class Emissions:
    """What has been emitted and not yet folded. Any thread may leave something; one at a time takes."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._opened: deque[Emitted] = deque()
        self._passing: deque[Emitted] = deque()
        self._ended: deque[Emitted] = deque()
        self.dropped = 0
        self.due = False  # whoever takes comes by soon, and need not be woken for what may wait

    def open(self, emitted: Emitted) -> None:
        """A run has opened."""
        self._opened.append(emitted)
        self._wake()

    def offer(self, emitted: Emitted) -> None:
        """Something has happened, if there is room to say so."""
        if len(self._passing) >= EVENTS_MAX:
            self.dropped += 1  ##= run.project.emission-never-blocks
            return
        self._passing.append(emitted)
        if not self.due:
            self._wake()

    def end(self, emitted: Emitted) -> None:
        """The attempt has closed: there is always room for that."""
        self._ended.append(emitted)  ##= run.project.terminal-slot
        self._wake()

    def take(self) -> Sequence[Emitted]:
        """All of it, a run's end after whatever came before it."""
        ended = _drained(self._ended)  # first, so that what these runs did before they ended is in the channel by now
        passing = _drained(self._passing)
        return [*_drained(self._opened), *passing, *ended]


class Emitter:
    """The observer of one run."""

    def __init__(self, run: record.Run, emissions: Emissions, world: World) -> None:
        self._run = run
        self._emissions = emissions
        self._world = world
        self._rows = self._bytes = 0
        emissions.open(Emitted(run, None, run.started_ms))

    def tell(self, progress: Progress) -> None:
        """Leave word of it; of what is staged, how much that is by now."""
        if isinstance(progress, BatchStaged):
            self._rows += progress.rows
            self._bytes += progress.bytes
            progress = BatchStaged(progress.ordinal, self._rows, self._bytes)
        emitted = Emitted(self._run, progress, self._world.now_ms())
        if isinstance(progress, RunClosed):
            self._emissions.end(emitted)
        else:
            self._emissions.offer(emitted)


def change(emitted: Emitted) -> Change | None:
    """What an emission changes of the view, if anything."""
    at = emitted.at_ms
    match emitted.progress:
        case None:
            return Change(kind=ChangeKind.STATUS, status=RunStatus.RUNNING, at=at)
        case StepStarted(label, attempt):
            began = at if attempt == 1 else None
            return _step(StepPatch(label=label, status=StepStatus.RUNNING, attempts=attempt, started_at=began))
        case StepAwaiting(label):
            return _step(StepPatch(label=label, status=StepStatus.RUNNING, attempts=1, started_at=at))
        case StepRetrying(label, attempt, failure=failed):
            shown = None if failed is None else project.shown(failed)
            return _step(StepPatch(label=label, status=StepStatus.RETRYING, attempts=attempt, failure=shown))
        case StepRecorded(label, content_bytes, input_hash=input_hash):
            ##= run.project.outputs-by-reference
            output = OutputRef(reference=project.reference(label, input_hash), bytes=content_bytes)
            return _step(StepPatch(label=label, status=StepStatus.COMPLETED, ended_at=at, output=output))
        case StepRefused(label, failure=failed):
            shown = None if failed is None else project.shown(failed)
            return _step(StepPatch(label=label, status=StepStatus.FAILED, ended_at=at, failure=shown))
        case RunClosed(status, failed, ended_ms):
            error = None if failed is None or status is not RunStatus.FAILED else project.shown(failed)
            return Change(kind=ChangeKind.STATUS, status=status, at=ended_ms, error=error)
        case Annotated(metadata):
            return Change(kind=ChangeKind.METADATA, entries=metadata)
        case BatchStaged(ordinal, rows, part_bytes):
            return Change(kind=ChangeKind.METADATA, entries={"parts": ordinal + 1, "rows": rows, "bytes": part_bytes})
        case RunLanded(rows, landed_bytes, parts):
            return Change(kind=ChangeKind.METADATA, entries={"parts": parts, "rows": rows, "bytes": landed_bytes})
        case ItemCame(counts=items, of=all_of_them):
            return Change(kind=ChangeKind.METADATA, entries={"items": dict(items), "of": all_of_them})
        case RowCame(through, parked, all_of_them):
            came = {"through": through, "parked": parked}
            batch: Json = {end: count for end, count in came.items() if count}
            return Change(kind=ChangeKind.METADATA, entries={"items": batch, "of": all_of_them})
        case Spent(totals):
            return Change(kind=ChangeKind.METADATA, entries={"spent": {**totals}})
        case progress:
            assert_never(progress)


def _step(patch: StepPatch) -> Change:
    return Change(kind=ChangeKind.STEP, step=patch)


def _drained(queue: deque[Emitted]) -> list[Emitted]:
    """What is in the queue now; what comes meanwhile waits for the next turn."""
    return [queue.popleft() for _ in range(len(queue))]
