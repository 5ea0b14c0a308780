"""Performs run.retry.failure-let-go: what ends a run, so that the next attempt tries it again; and how it closes.

A body that goes on after a failed step has taken the failure for an answer, and so it stays. What ends the run are
all the failed steps that can be reached from the error that left the body: itself, what it was raised from or while
handling, the members of a group, the branches that failed beside it. Each is known by the entry that was refused, which
travels with the error, so that a copy of it tells the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from contextful.kernel.failure import Failure, classify, said
from contextful.kernel.signal import Awaiting, Suspended
from contextful.run import record
from contextful_contract.shapes import EntryKey, FailureTag, RunStatus

REFUSED = "_contextful_refused"


def refuse(error: BaseException, entries: Sequence[EntryKey]) -> None:
    """Have the error say which entries' failures it stands for."""
    vars(error)[REFUSED] = tuple(entries)


def entries(error: BaseException | None) -> Sequence[EntryKey]:
    """The entries whose failures the error stands for, or comes from."""
    found: dict[EntryKey, None] = {}
    seen: set[int] = set()
    ahead = [error]
    while ahead:  # ends: each error is looked at once
        each = ahead.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        found |= dict.fromkeys(vars(each).get(REFUSED, ()))
        ahead += [each.__cause__, each.__context__]  ##= run.retry.failure-let-go
        if isinstance(each, BaseExceptionGroup):
            ahead += each.exceptions
    return list(found)


def closing(error: BaseException | None) -> record.Closing:
    """How an attempt ends that its body left this way."""
    match error:
        case None:
            return record.Closing(RunStatus.SUCCESS)
        case Awaiting():
            return record.Closing(RunStatus.WAITING, next_attempt_ms=error.until_ms, awaits=error.awaits)
        case Suspended():
            waits = Failure(FailureTag.RATE_LIMITED, str(error))
            return record.Closing(RunStatus.WAITING, waits, next_attempt_ms=error.until_ms, awaits=error.awaits)
        case Exception():
            return record.Closing(RunStatus.FAILED, classify(error))
        case _:
            ##= run.cancel.abandoned-work
            return record.Closing(RunStatus.CANCELED, Failure(FailureTag.CANCELED, said(error) or type(error).__name__))
