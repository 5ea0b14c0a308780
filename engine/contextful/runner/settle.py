"""The one loop that writes: read, decide, commit; again if another writer came first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from contextful.kernel.change import Change, Survives
from contextful.ports.rows import Rows

Verdict = TypeVar("Verdict")
ROUNDS_MAX = 64


def settle(
    rows: Rows,
    decide: Callable[[], tuple[Verdict, Sequence[Change]]],
    *,
    survives: Survives = Survives.POWER_LOSS,
) -> Verdict:
    """The verdict whose changes were committed; `decide` reads afresh each round. No changes: nothing to commit."""
    for _ in range(ROUNDS_MAX):
        verdict, changes = decide()
        if not changes or rows.commit(*changes, survives=survives):
            return verdict
    raise AssertionError(f"{ROUNDS_MAX} writers in a row came first")
