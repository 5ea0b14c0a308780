"""Limiters: who shares out the calls that a vendor allows, to everybody who calls it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Permits:
    """So many requests may leave, up to the instant."""

    count: int
    until_ms: int


@dataclass(frozen=True, slots=True)
class Denied:
    """None may leave now; asking again is worth while after so long."""

    wait_ms: int


class Limiter(Protocol):
    """One quota. Asking never waits."""

    @property
    def name(self) -> str:
        """What the quota is called."""

    def acquire(self) -> Permits | Denied:
        """Permits for requests that leave soon, or how long there are none. Raises Transient where nobody answers."""
