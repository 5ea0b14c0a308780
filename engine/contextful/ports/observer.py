"""Observers: whoever watches a run. What they are told has already been made durable; execution never reads it back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from contextful.kernel.failure import Failure
from contextful.run.record import Run
from contextful_contract.shapes import ItemOutcome, Json, RunStatus


class StepStarted(Struct, frozen=True):
    """A step's effect is about to run."""

    label: str
    attempt: int


class StepRecorded(Struct, frozen=True):
    """A step has its value: freshly recorded, or read back."""

    label: str
    content_bytes: int
    replayed: bool
    input_hash: str = ""


class StepRetrying(Struct, frozen=True):
    """A step's attempt failed, and another follows."""

    label: str
    attempt: int
    message: str
    delay_ms: int
    failure: Failure | None = None


class StepAwaiting(Struct, frozen=True):
    """A step waits for an answer from outside, up to its deadline."""

    label: str
    deadline_ms: int


class StepRefused(Struct, frozen=True):
    """A step has failed for good."""

    label: str
    message: str
    failure: Failure | None = None


class BatchStaged(Struct, frozen=True):
    """A pull's rows are staged at the destination."""

    ordinal: int
    rows: int
    bytes: int


class RunLanded(Struct, frozen=True):
    """A run's rows are committed and visible."""

    rows: int
    bytes: int
    parts: int


class ItemCame(Struct, frozen=True):
    """One of a job's items has come to an outcome, for the time being or for good; how many have come to which."""

    key: str
    outcome: ItemOutcome
    counts: Mapping[str, int]
    of: int
    failure: Failure | None = None


class RowCame(Struct, frozen=True):
    """How many rows of a job's batch are through their body, or parked in it; of any job as it begins, none."""

    through: int
    parked: int
    of: int


class Spent(Struct, frozen=True):
    """What the rows of a fire have cost so far, by the unit that their bodies count in."""

    totals: Mapping[str, float]


class Annotated(Struct, frozen=True):
    """The run has written into its metadata; this is all that it has written so far."""

    metadata: Mapping[str, Json]


class RunClosed(Struct, frozen=True):
    """The attempt's row is closed."""

    status: RunStatus
    failure: Failure | None
    at_ms: int
    rows: int = 0
    bytes: int = 0


Step = StepStarted | StepRecorded | StepRetrying | StepAwaiting | StepRefused
Progress = Step | BatchStaged | RunLanded | ItemCame | RowCame | Spent | Annotated | RunClosed


class Observer(Protocol):
    """Told of progress, and expected to return at once."""

    def tell(self, progress: Progress) -> None:
        """Something has happened."""


class Onlooker(Protocol):
    """Watches every run that an engine opens."""

    def watching(self, run: Run) -> Observer:
        """The observer of a run that is on record now."""


class Nobody:
    """The observer of a run that nobody watches."""

    def tell(self, progress: Progress) -> None:
        """Nobody hears it."""
