"""The strict guard: what a callback was admitted on stands for as long as it runs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from contextful.kernel.change import Require

STRICT_GUARD = "strict-guard"  # the capability of a profile that has one
BOUND_MS = 300_000  # how long a callback is guarded; one that takes longer goes on as under a cooperative check


class Holds(Protocol):
    """Locks that callbacks share, and that whoever would change what is locked waits for."""

    def holding(self, standing: Sequence[Require]) -> AbstractContextManager[bool]:
        """Whether all of it stands; if so it does for as long as within, up to the bound."""

    def close(self) -> None:
        """Let go of what is held."""
