"""What a body is made of, and how a process that performs it may end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from contextful.kernel import digest
from contextful.kernel.failure import Failed, Failure
from contextful_contract.shapes import RunStatus

FOR_GOOD = "for good"  # said by the failures that a body lives with; any other ends its attempt
LONGEST_WAIT_MS = 900_000  # that a server asks for


@dataclass(frozen=True, eq=False)
class Step:
    """A step: what its effect takes, the failures that it comes to call by call, and then its answer for ever."""

    label: str
    taken: object
    failures: tuple[Failure, ...]
    answer: object

    @cached_property
    def input_hash(self) -> str:
        """What its entry stands under, beside its label."""
        return digest.of(self.taken, root="input")

    def called(self, number: int) -> object:
        """What call number `number` of the effect comes to."""
        outcome = self.failures[number - 1] if number <= len(self.failures) else self.answer
        if isinstance(outcome, Failure):
            raise Failed(outcome)
        return outcome


@dataclass(frozen=True, slots=True)
class Death:
    """When a process dies: at which of its storage operations, in which of its calls of an effect, or not at all."""

    operation: int | None = None
    call: int | None = None


NEVER = Death()


class Ending(Enum):
    """What becomes of an attempt."""

    TURNED_AWAY = "turned away"
    DIED = RunStatus.RUNNING
    WAITS = RunStatus.WAITING
    FAILED = RunStatus.FAILED
    CLOSED = RunStatus.SUCCESS
