"""Which steps wait for which, in this process: those that would wait for one another for ever are refused.

step a, in its effect --calls--> step b --its claim is held by a call whose effect--calls--> step a
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class Waits:
    """Pairs of claims: the effect under the first calls a step, and so waits for whoever holds the second."""

    def __init__(self) -> None:
        self._pairs: list[tuple[str, str]] = []

    @contextmanager
    def waiting(self, label: str, within: Sequence[str], held: str) -> Iterator[None]:
        """A call inside the effects under some claims waits for another claim. Raises where that one waits for it."""
        pairs = [(claim, held) for claim in within]
        self._pairs += pairs  # before the look, so that of two calls at once the later sees both
        try:
            if not self._reached(held).isdisjoint(within):
                raise RuntimeError(f"step {label} is called inside its own effect, or waits for one that waits for it")
            yield
        finally:
            for pair in pairs:
                self._pairs.remove(pair)

    def _reached(self, claim: str) -> set[str]:
        """The claim, and all that it waits for."""
        reached, ahead = {claim}, [claim]
        while ahead:  # ends: each claim is looked at once
            after = ahead.pop()
            for waits, held in list(self._pairs):
                if waits == after and held not in reached:
                    reached.add(held)
                    ahead.append(held)
        return reached
