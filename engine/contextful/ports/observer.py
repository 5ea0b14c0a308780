"""Observers: whoever watches a run. What they are told has already been made durable; execution never reads it back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step's effect is about to run."""

    label: str
    attempt: int


@dataclass(frozen=True, slots=True)
class StepRecorded:
    """A step has its value: freshly recorded, or read back."""

    label: str
    content_bytes: int
    replayed: bool


@dataclass(frozen=True, slots=True)
class StepRetrying:
    """A step's attempt failed, and another follows."""

    label: str
    attempt: int
    message: str
    delay_ms: int


@dataclass(frozen=True, slots=True)
class StepRefused:
    """A step has failed for good."""

    label: str
    message: str


@dataclass(frozen=True, slots=True)
class BatchStaged:
    """A pull's rows are staged at the destination."""

    ordinal: int
    rows: int
    bytes: int


@dataclass(frozen=True, slots=True)
class RunLanded:
    """A run's rows are committed and visible."""

    rows: int
    bytes: int
    parts: int


Progress = StepStarted | StepRecorded | StepRetrying | StepRefused | BatchStaged | RunLanded


class Observer(Protocol):
    """Told of progress, and expected to return at once."""

    def tell(self, progress: Progress) -> None:
        """Something has happened."""


class Nobody:
    """The observer of a run that nobody watches."""

    def tell(self, progress: Progress) -> None:
        """Nobody hears it."""
