"""The execution interface: what an orchestrator has to offer, whoever it is. The engine's own is the reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from contextful.run.retry import Schedule


class Work(Protocol):
    """One attempt at a scope's work."""

    def attach_schedule(self, label: str, schedule: Schedule) -> None:
        """Have the step of this label retried so, from its next call on."""

    def record(self, label: str, effect: Callable[..., Any], *args: object) -> Any:
        """What the step returned, now or at the attempt that recorded it."""

    def suspend(self, label: str, *, ttl: str) -> Any:
        """What a party outside answers, until its time is up: the attempt closes, and the next one goes on here."""

    def commit_cursor(self, position: str) -> None:
        """Move the scope's position, and let go of the steps that led to it, in one commit."""

    def cursor(self) -> str | None:
        """The position that was committed last."""


class Substrate(Protocol):
    """Where work is opened."""

    def open_or_resume(self, scope: str, plan_ref: str, *, run_id: str | None = None) -> AbstractContextManager[Work]:
        """The scope's pending work, or a fresh piece of it, pinned to the content hash of its plan."""

    def capabilities(self) -> Sequence[str]:
        """What the profile at hand wires, by name."""
