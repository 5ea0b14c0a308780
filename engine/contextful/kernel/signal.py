"""Signals leave a body without being errors: no `except Exception` of the body can keep one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from contextful.kernel import instant
from contextful_contract.shapes import StopScope


class Signal(BaseException):
    """The attempt ends here, and the body has no say in it."""


class Suspended(Signal):
    """The attempt closes and waits; its next resumes at or after `until_ms`, or at an answer that it `awaits`."""

    def __init__(self, *, label: str, until_ms: int, awaits: tuple[str, ...] = ()) -> None:
        super().__init__(label, until_ms)
        self.label = label
        self.until_ms = until_ms
        self.awaits = awaits

    def __str__(self) -> str:
        return f"step {self.label} waits for its next attempt, at {instant.spell(self.until_ms)}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), {"label": self.label, "until_ms": self.until_ms, "awaits": self.awaits})


class Awaiting(Suspended):
    """The attempt closes and waits for an answer from outside; at `until_ms` its time is up."""

    def __init__(self, *, label: str, until_ms: int, awaits: tuple[str, ...] = ()) -> None:
        super().__init__(label=label, until_ms=until_ms, awaits=awaits or (label,))

    def __str__(self) -> str:
        return f"step {self.label} waits for an answer, up to {instant.spell(self.until_ms - 1)}"


class Stopped(Signal):
    """The attempt may not go on: somebody else owns the execution now, or asked for that, for all of `scope`."""

    def __init__(self, reason: str, *, scope: StopScope | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.scope = scope

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), {"reason": self.reason, "scope": self.scope})


class Unrecorded(Signal):
    """A step's effect has an answer that the journal is not to keep: the claim goes, and the answer with it."""

    def __init__(self, answer: object) -> None:
        super().__init__(answer)
        self.answer = answer


def together(waits: Sequence[Suspended]) -> Suspended:
    """The one that ends first, in the place of all: an answer to any of them is one that it awaits."""
    first = min(waits, key=lambda each: each.until_ms)
    awaits = dict.fromkeys(label for each in waits for label in each.awaits)
    return type(first)(label=first.label, until_ms=first.until_ms, awaits=tuple(awaits))


def _again(kind: type[Signal], facts: dict[str, object]) -> Signal:
    """A signal that has come from another process, or out of a copy."""
    return kind(**facts)
