"""run.project: what a watcher is shown of a run is folded from deltas, each at a version.

delta --older than what is folded--> nothing changes
  |
  +--status--> a terminal status stays; a stop fails the steps that were executing
  +--step----> a label that is new is appended; of a step that has ended, the end stays
  +--metadata> entries are merged
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import assert_never

import msgspec

from contextful.kernel import failure as kernel
from contextful.run import record
from contextful_contract import limits
from contextful_contract.errors import RunMetadataTooLarge
from contextful_contract.shapes import (
    Change,
    ChangeKind,
    Delta,
    Failure,
    FailureTag,
    Json,
    RunStatus,
    Snapshot,
    StepPatch,
    StepStatus,
    StepView,
    Version,
)

STOPPED = Failure(tag=FailureTag.CANCELED, message="the run was stopped")


def newer(version: Version, held: Version) -> bool:
    """Whether a version is above the highest that somebody holds: a hub that started later comes first."""
    return (version.epoch, version.counter) > (held.epoch, held.counter)  ##= run.project.version


def moved(standing: RunStatus, to: RunStatus) -> RunStatus:
    """Where a run stands once it is said to have moved."""
    return standing if standing.terminal else to  ##= run.project.reducer-is-total


def patched(standing: StepView | None, patch: StepPatch) -> StepView:
    """A step, once a patch is merged into it field by field; what has ended stays as it ended."""
    if standing is None:
        standing = StepView(label=patch.label, status=StepStatus.PENDING, attempts=0)
    elif standing.status.terminal and patch.status not in (None, standing.status):
        return standing
    return StepView(
        label=standing.label,
        status=standing.status if patch.status is None else patch.status,
        attempts=standing.attempts if patch.attempts is None else patch.attempts,
        started_at=standing.started_at if patch.started_at is None else patch.started_at,
        ended_at=standing.ended_at if patch.ended_at is None else patch.ended_at,
        output=standing.output if patch.output is None else patch.output,
        failure=standing.failure if patch.failure is None else patch.failure,
    )  ##= run.project.step-view


def stopped(step: StepView, at: int | None) -> StepView:
    """A step of a run that was stopped: what was executing has failed of it."""
    if not step.status.executing:
        return step
    return replace(step, status=StepStatus.FAILED, failure=STOPPED, ended_at=at)  ##= run.project.stopped-step


def merged(metadata: Mapping[str, Json], entries: Mapping[str, Json]) -> Mapping[str, Json]:
    """The metadata with the entries written into it. Raises RunMetadataTooLarge, and leaves it as it was."""
    together = {**metadata, **entries}
    size = len(msgspec.json.encode(together))
    if size > limits.RUN_METADATA_BYTES:
        raise RunMetadataTooLarge(size=size, bound=limits.RUN_METADATA_BYTES)  ##= run.project.metadata-too-large
    return together


def shown(failure: kernel.Failure) -> Failure:
    """A failure as the wire has it."""
    wait_ms = failure.retry_after_ms
    return Failure(
        tag=failure.tag,
        message=record.capped(failure.message),
        retry_after_secs=None if wait_ms is None else -(-wait_ms // 1_000),
        deterministic=failure.deterministic,
    )


def reference(step_label: str, input_hash: str) -> str:
    """What a step's output goes by, within its run: nothing of the value is in it."""
    return f"{input_hash}.{step_label}"


def referred(reference: str) -> tuple[str, str]:
    """The step's label and the hash of its input, by which the journal knows the output."""
    input_hash, _, step_label = reference.partition(".")
    return step_label, input_hash


def reduce(snapshot: Snapshot, delta: Delta) -> Snapshot:
    """The snapshot with the delta in it, as a client folds it. Any other run's delta changes nothing either."""
    fold = Fold.of(snapshot)
    return fold.snapshot() if delta.run_id == snapshot.run_id and fold.take(delta.version, delta.change) else snapshot


class Fold:
    """A run's view while it is being folded: as `reduce` has it, without a copy of every step at each delta."""

    def __init__(self, run_id: str, workflow_id: str, version: Version) -> None:
        self.run_id = run_id
        self.workflow_id = workflow_id
        self.status = RunStatus.PENDING
        self._version = version
        self._steps: dict[str, StepView] = {}
        self._moved: dict[str, None] = {}
        self._metadata: Mapping[str, Json] = {}
        self._started_at: int | None = None
        self._ended_at: int | None = None
        self._error: Failure | None = None

    @classmethod
    def of(cls, snapshot: Snapshot) -> Fold:
        """The view that a snapshot shows."""
        fold = cls(snapshot.run_id, snapshot.workflow_id, snapshot.version)
        fold.status, fold._error = snapshot.status, snapshot.error
        fold._started_at, fold._ended_at = snapshot.started_at, snapshot.ended_at
        fold._steps = {step.label: step for step in snapshot.steps}
        fold._metadata = snapshot.metadata
        return fold

    def take(self, version: Version, change: Change) -> bool:
        """Fold a change in, whatever it is; false where it is stale."""
        if not newer(version, self._version):
            return False
        self._version = version
        match change.kind:
            case ChangeKind.STATUS:
                self._move(change)
            case ChangeKind.STEP:
                if change.step is not None:
                    self._step(patched(self._steps.get(change.step.label), change.step))
            case ChangeKind.METADATA:
                self._metadata = {**self._metadata, **change.entries}
            case kind:
                assert_never(kind)
        return True

    def tells(self, change: Change) -> bool:
        """Whether a change says anything that is not in the view."""
        match change.kind:
            case ChangeKind.STATUS:
                return not self.status.terminal and change.status not in (None, self.status)
            case ChangeKind.STEP:
                standing = None if change.step is None else self._steps.get(change.step.label)
                return change.step is not None and patched(standing, change.step) != standing
            case ChangeKind.METADATA:
                return {**self._metadata, **change.entries} != self._metadata
            case kind:
                assert_never(kind)

    def moved(self) -> tuple[StepView, ...]:
        """The steps that have moved since this was last asked, as they stand, in the order in which they first did."""
        labels, self._moved = self._moved, {}
        return tuple(self._steps[label] for label in labels)

    def snapshot(self) -> Snapshot:
        """What a watcher is shown: the same whoever serves it."""
        return self.shown(tuple(self._steps.values()))

    def shown(self, steps: tuple[StepView, ...]) -> Snapshot:
        """The same, of these steps."""
        return Snapshot(
            run_id=self.run_id,
            workflow_id=self.workflow_id,
            status=self.status,
            steps=steps,
            metadata=self._metadata,
            started_at=self._started_at,
            ended_at=self._ended_at,
            error=self._error,
            version=self._version,
        )  ##= run.project.wire-snapshot

    def _step(self, step: StepView) -> None:
        self._steps[step.label] = step
        self._moved[step.label] = None

    def _move(self, change: Change) -> None:
        if self.status.terminal or change.status is None:
            return
        self.status = moved(self.status, change.status)
        if change.status is RunStatus.CANCELED:
            for step in [each for each in self._steps.values() if each.status.executing]:
                self._step(stopped(step, change.at))
        else:
            self._error = change.error
        if self.status.terminal:
            self._ended_at = change.at
        elif self._started_at is None:
            self._started_at = change.at


def on_record(run: record.Run, *, seen: bool) -> Sequence[Change]:
    """What the durable record says of a run, as changes of its view; when it opened, where that has not been seen."""
    opened = Change(kind=ChangeKind.STATUS, status=RunStatus.RUNNING, at=run.started_ms)
    tag = run.error_kind if run.status is RunStatus.FAILED else None
    error = None if tag is None else Failure(tag=tag, message=run.error_message or "")
    stands = Change(kind=ChangeKind.STATUS, status=run.status, at=run.ended_ms, error=error)
    return (stands,) if seen else (opened, stands)  ##= run.project.terminal-slot


def due_ms(last_ms: int | None, now_ms: int) -> int:
    """When what has changed since the last broadcast is broadcast; at once, where a clock went back."""
    if last_ms is None or now_ms < last_ms:
        return now_ms
    return max(now_ms, last_ms + limits.PROJECTION_COALESCE_WINDOW_MS)  ##= run.project.coalescing


def evicted(ended_ms: int | None, now_ms: int) -> bool:
    """Whether a run's channel goes: its end was folded long enough ago."""
    ##= run.project.channel-eviction
    return ended_ms is not None and now_ms - ended_ms >= limits.CHANNEL_EVICTION_DELAY_MS
