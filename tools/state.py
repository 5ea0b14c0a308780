"""The states that a clause can be in, worst first; the first that holds is its verdict."""

from typing import Literal

State = Literal["invalid", "failed", "stale", "undetermined", "partial", "not-run", "open", "met"]
STATES: tuple[State, ...] = (
    "invalid", "failed", "stale", "undetermined", "partial", "not-run", "open", "met",
)  # fmt: skip
