"""A delegate: an endpoint outside the engine that answers one call at a time."""

from __future__ import annotations

from typing import Protocol


class Delegate(Protocol):
    """Where a binding's calls go."""

    deadline_ms: int  # how long a call may take

    def ask(self, request: bytes, *, idempotency_key: str) -> bytes:
        """What it replies. Raises Failed where nothing came, or nothing that says of itself that it is a reply."""

    def close(self) -> None:
        """Let go of the connections."""
