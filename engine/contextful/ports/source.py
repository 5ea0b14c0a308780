"""Sources: where a pipeline's rows come from, a pull at a time."""

from __future__ import annotations

from typing import Protocol

from contextful.pipeline.pull import Ask, Batch


class Source(Protocol):
    """One table's rows, asked by position. A failed pull raises Failed; the step's schedule is the only retry layer."""

    @property
    def journaled(self) -> bool:
        """Whether pulls are recorded. A source whose position cannot name what it reads says no, and why."""

    @property
    def position_addressed(self) -> bool:
        """Whether each position names a watermark, a page token or a stable offset, so that a run may stop at any."""

    @property
    def host(self) -> str | None:
        """Whom each pull sends one request to; none where pulls send none."""

    @property
    def pulls_max(self) -> int:
        """How many pulls a walk may take."""

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        """The rows from the position on, and the position after them. Every request carries the key."""

    def close(self) -> None:
        """Let go of what the source holds open."""
