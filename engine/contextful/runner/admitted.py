"""Performs run.journal.guard-callback: what a callback under the strict guard may not do.

Whoever holds a lock and waits for one that only he can give up waits for ever, so neither is let begin: a callback
keeps its owner, and opens nothing but what it was admitted with.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from contextful.kernel.failure import Failed, Failure
from contextful.run.own import own
from contextful_contract.shapes import FailureTag

ADMITTED: ContextVar[frozenset[str]] = ContextVar("contextful_admitted", default=frozenset())


@contextmanager
def within(*scopes: own.Scope) -> Iterator[None]:
    """What runs in here was admitted on these scopes; where it was within another callback, on those of both."""
    token = ADMITTED.set(ADMITTED.get() | {scope.key() for scope in scopes})
    try:
        yield
    finally:
        ADMITTED.reset(token)


def keep(scope: own.Scope) -> None:
    """Raises Failed where a callback would change the owner that it was admitted under."""
    if scope.key() in ADMITTED.get():
        ##= run.journal.guard-callback
        raise _refused(
            f"a callback does not give up {scope}, which it was admitted under: do that once it has returned"
        )


def open_(scope: own.Scope) -> None:
    """Raises Failed where a callback would open what it was not admitted with."""
    if ADMITTED.get() and scope.key() not in ADMITTED.get():
        raise _refused(
            f"a callback opens nothing beside what it was admitted with, and {scope} is not: open it outside"
        )


def _refused(says: str) -> Failed:
    return Failed(Failure(FailureTag.CONFIG, says, deterministic=True))
