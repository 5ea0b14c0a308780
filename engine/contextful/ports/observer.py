"""Observers: whoever watches a run. What they are told has already been made durable; execution never reads it back."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class StepStarted(Struct, frozen=True):
    """A step's effect is about to run."""

    label: str
    attempt: int


class StepRecorded(Struct, frozen=True):
    """A step has its value: freshly recorded, or read back."""

    label: str
    content_bytes: int
    replayed: bool


class StepRetrying(Struct, frozen=True):
    """A step's attempt failed, and another follows."""

    label: str
    attempt: int
    message: str
    delay_ms: int


class StepRefused(Struct, frozen=True):
    """A step has failed for good."""

    label: str
    message: str


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


Progress = StepStarted | StepRecorded | StepRetrying | StepRefused | BatchStaged | RunLanded


class Observer(Protocol):
    """Told of progress, and expected to return at once."""

    def tell(self, progress: Progress) -> None:
        """Something has happened."""


class Nobody:
    """The observer of a run that nobody watches."""

    def tell(self, progress: Progress) -> None:
        """Nobody hears it."""
