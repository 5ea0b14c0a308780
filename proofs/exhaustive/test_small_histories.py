"""run.journal, walked: every small body on real SQLite, dying at every storage operation that it comes to.

open . . claim . [effect] . record . claim . [effect] . record . close .     each dot is an instant of death
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from contextful.ports.rows import Rows
from proofs.effort import FULL
from proofs.exhaustive.history import Body, History

LENGTH_MAX = 3
TWICE_LENGTH_MAX = 2 if FULL else 1
BODIES = [
    Body("".join(labels), chained)
    for chained in (False, True)
    for length in range(1, LENGTH_MAX + 1)
    for labels in product("ab", repeat=length)
]


@pytest.fixture
def store(sqlite_rows: Rows) -> Rows:
    """A store whose first blob sweep is over, so that histories differ by their bodies alone."""
    History(sqlite_rows, Body("", chained=False)).attempt()
    return sqlite_rows


def lived(rows: Rows, body: Body, *deaths: int) -> History:
    """The history of a body whose processes die at these operations, and whose last one lives."""
    history = History(rows, body)
    for dies_at in (*deaths, None):
        if not history.closed():
            history.attempt(dies_at)
    return history


def holds(history: History, body: Body) -> None:
    """What the body was given it is given again, up to its end; then nothing is left."""
    *_, last = history.given
    assert len(last) == len(body.labels)
    assert all(given == last[: len(given)] for given in history.given)
    assert history.leftovers() == []


def operations(rows: Rows, body: Body) -> int:
    """How many storage operations an uninterrupted run of the body has."""
    history = History(rows, body)
    count = history.attempt()
    holds(history, body)
    assert history.calls == body.entries()
    return count


def operations_resumed(rows: Rows, body: Body, died_at: int) -> int:
    """How many the run has that resumes it."""
    history = History(rows, body)
    assert history.attempt(died_at) == died_at, "it dies where it is told to"
    return 0 if history.closed() else history.attempt()


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.journal.step-output", "run.journal.effect-boundary")
def test_a_body_that_dies_once_replays_faithfully(store: Rows, record_walk: Callable[..., None]) -> None:
    """A body that dies at any one storage operation is given again what it was given, and comes to its end. Each
    effect has run once; but twice where the process died between the effect and its record.
    """
    nothing, one, same = (operations(store, Body(labels, chained=False)) for labels in ("", "a", "aa"))
    cases = ran_twice = 0
    for body in BODIES:
        for dies_at in range(operations(store, body)):
            history = lived(store, body, dies_at)
            holds(history, body)
            cases += 1
            ran_twice += history.calls - body.entries()

    entries = sum(body.entries() for body in BODIES)
    repeats = sum(len(body.labels) for body in BODIES) - entries
    assert cases == nothing * len(BODIES) + (one - nothing) * entries + (same - one) * repeats
    assert ran_twice == entries
    record_walk(
        domain=f"{len(BODIES)} bodies of up to {LENGTH_MAX} steps over 2 labels, a death at each storage operation",
        cases=cases,
        leaves_open="longer bodies, and deaths within a commit: that is whole or not there, says the store",
    )


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.journal.step-output", "run.journal.effect-boundary")
def test_a_body_that_dies_twice_replays_faithfully(store: Rows, record_walk: Callable[..., None]) -> None:
    """A body that dies, resumes and dies again, at any two storage operations, is given again what it was given."""
    bodies = [body for body in BODIES if len(body.labels) <= TWICE_LENGTH_MAX]
    expected = cases = 0
    for body in bodies:
        first = range(operations(store, body))
        second = range(max(operations_resumed(store, body, died_at) for died_at in first))
        expected += len(first) * len(second)
        for deaths in product(first, second):
            history = lived(store, body, *deaths)
            holds(history, body)
            assert 0 <= history.calls - body.entries() <= len(deaths)
            cases += 1

    assert cases == expected
    record_walk(
        domain=f"{len(bodies)} bodies of up to {TWICE_LENGTH_MAX} steps, two deaths at each pair of storage operations",
        cases=cases,
    )
