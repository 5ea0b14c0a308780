"""Failures: one tag crosses every port, and callers branch on the tag alone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from contextful_contract.base import ContextfulError
from contextful_contract.errors import StepFailed
from contextful_contract.shapes import FailureTag

WAIT_MS_MAX = 10 * 366 * 86_400_000  # ten years, so that whatever instant a wait ends at can be spelled

LINEAR_MEMORY, CALL_DEADLINE = "linear-memory", "call-deadline"  # what a connector may strike


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong: its class, a sentence for people, and the wait that a server asked for.

    No attempt at a step follows a deterministic one in this run; after a final one, none in any run.
    """

    tag: FailureTag
    message: str
    retry_after_ms: int | None = None
    deterministic: bool = False
    final: bool = False
    bound: str | None = None  # which bound of its host the connector struck, if that is what failed
    cause: Exception | None = field(default=None, compare=False, repr=False)  # what was raised, in this attempt alone


class Failed(Exception):
    """An effect's own report of a failure whose tag it knows."""

    def __init__(self, failure: Failure) -> None:
        if not isinstance(failure, Failure):
            raise TypeError(f"failed with {failure!r:.80}, and not with a Failure: Transient and Permanent take a text")
        if not isinstance(failure.message, str):  # but an error that was caught, say
            failure = replace(failure, message=said(failure.message))
        wait_ms = failure.retry_after_ms
        if wait_ms is not None and (not isinstance(wait_ms, int) or wait_ms > WAIT_MS_MAX):
            raise ValueError(f"retry_after_ms is {wait_ms!r:.80}, and must be a whole number up to {WAIT_MS_MAX}")
        super().__init__(failure)
        self.failure = failure

    def __str__(self) -> str:
        return self.failure.message


class Transient(Failed):
    """The same call may well succeed later."""

    def __init__(self, message: str) -> None:
        super().__init__(Failure(FailureTag.TRANSIENT, message))

    def __reduce__(self) -> tuple[type[Transient], tuple[str]]:
        return Transient, (self.failure.message,)


class Struck(Failed):
    """A connector went past a bound that its host sets. The same call may well stay within it later."""

    def __init__(self, bound: str, message: str) -> None:
        said = f"the connector has struck {bound}: {message}"
        super().__init__(Failure(FailureTag.TRANSIENT, said, bound=bound))  ##= run.retry.bound-hit-is-transient

    def __reduce__(self) -> tuple[type[Failed], tuple[Failure]]:
        return Failed, (self.failure,)


class RateLimited(Failed):
    """The vendor asks for a pause, of `retry_after_ms` where it says how long."""

    def __init__(self, message: str, *, retry_after_ms: int | None = None) -> None:
        super().__init__(Failure(FailureTag.RATE_LIMITED, message, retry_after_ms))

    def __reduce__(self) -> tuple[type[Failed], tuple[Failure]]:
        return Failed, (self.failure,)


class Permanent(Failed):
    """No repetition would help."""

    def __init__(self, message: str) -> None:
        super().__init__(Failure(FailureTag.PERMANENT, message))

    def __reduce__(self) -> tuple[type[Permanent], tuple[str]]:
        return Permanent, (self.failure.message,)


class StorageFailed(Failed):
    """The engine's own storage did not answer, or could not keep what it was given."""

    def __init__(self, message: str) -> None:
        super().__init__(Failure(FailureTag.STORAGE, message))

    def __reduce__(self) -> tuple[type[StorageFailed], tuple[str]]:
        return StorageFailed, (self.failure.message,)


def classify(error: Exception) -> Failure:
    """The failure that an effect's exception stands for. What nobody vouches for is not retried."""
    return replace(_class(error), cause=error)


def _class(error: Exception) -> Failure:
    match error:
        case Failed(failure=Failure() as failure):
            return failure  ##= run.retry.failure-taxonomy
        case StepFailed():
            said = f"step {error.label} failed: {error.message}"
            return Failure(error.tag, said, deterministic=True)  # its answer is on record
        case ContextfulError():
            tag = error.tag or FailureTag.PERMANENT
            return Failure(tag, _sentence(error), deterministic=not tag.retryable)
        case ConnectionError() | TimeoutError():
            return Failure(FailureTag.TRANSIENT, _sentence(error))
        case _:
            return Failure(FailureTag.PERMANENT, _sentence(error))


def said(error: object) -> str:
    """What the error says of itself, if it can."""
    try:
        return str(error)
    except Exception as second:  # noqa: BLE001 (it is anybody's code, and what raised it has failed all the same)
        return f"(its text raises {type(second).__name__})"


def _sentence(error: Exception) -> str:
    text = said(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
