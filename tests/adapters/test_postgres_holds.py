"""The strict guard over PostgreSQL: who waits, for how long, and what is left behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from time import sleep

import psycopg
import pytest

from contextful.adapters.postgres import PostgresRows
from contextful.adapters.postgres_holds import PostgresHolds
from contextful.kernel.change import Insert, Require, Update
from contextful.run.own import own
from tests.steps.stage import TABLES_OF_BOTH

SCOPE = {"scope": "host/job:score"}
STANDS = Require(own.OWNER, SCOPE, {"holder": "h-1"})
TAKEN = Update(own.OWNER, SCOPE, {}, {"holder": "h-2"})
SHARED = "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' AND application_name = 'held'"


@pytest.fixture
def rows(empty_postgres: str) -> Iterator[PostgresRows]:
    """A database in which one owner stands."""
    made = PostgresRows(empty_postgres, TABLES_OF_BOTH)
    owner = {"execution_id": "e-1", "pins": "{}", "attempts": "[]", "opened_ms": 0}
    made.commit(Insert(own.OWNER, {**SCOPE, **owner, "holder": "h-1"}))
    yield made
    made.close()


def held(address: str, **given: int) -> PostgresHolds:
    """Guards whose connections can be told from all others."""
    named = psycopg.conninfo.make_conninfo(address, application_name="held")
    return PostgresHolds(named, lambda: 0, **given)


def transactions(address: str) -> int:
    """How many transactions the guards have open."""
    with psycopg.connect(address) as connection:
        found = connection.execute(SHARED).fetchone()
    assert found is not None
    return int(found[0])


@pytest.mark.clause("run.journal.durable-dispatch")
def test_callbacks_of_one_execution_share_a_transaction(rows: PostgresRows, empty_postgres: str) -> None:
    guard = held(empty_postgres)

    with guard.holding([STANDS]) as first, guard.holding([STANDS]) as second:
        assert (first, second) == (True, True)
        assert transactions(empty_postgres) == 1

    assert transactions(empty_postgres) == 0
    assert rows.commit(TAKEN)
    guard.close()


@pytest.mark.clause("run.journal.durable-dispatch")
def test_what_does_not_stand_is_not_held(rows: PostgresRows, empty_postgres: str) -> None:
    guard = held(empty_postgres)
    rows.commit(TAKEN)

    with guard.holding([STANDS]) as stands:
        assert not stands

    assert transactions(empty_postgres) == 0
    guard.close()


@pytest.mark.clause("run.journal.durable-dispatch")
def test_a_callback_that_hangs_past_its_bound_holds_nobody_up(rows: PostgresRows, empty_postgres: str) -> None:
    guard = held(empty_postgres, bound_ms=100)

    with guard.holding([STANDS]):
        while transactions(empty_postgres):
            sleep(0.02)
        assert rows.commit(TAKEN)

    with guard.holding([Require(own.OWNER, SCOPE, {"holder": "h-2"})]) as stands:
        assert stands, "on a connection of its own, for the other one is gone"
    guard.close()


@pytest.mark.clause("run.journal.durable-dispatch")
def test_a_takeover_waits_for_the_callback_and_no_longer(rows: PostgresRows, empty_postgres: str) -> None:
    guard = held(empty_postgres)
    taken = threading.Event()

    def take() -> None:
        rows.commit(TAKEN)
        taken.set()

    with guard.holding([STANDS]):
        thread = threading.Thread(target=take)
        thread.start()
        assert not taken.wait(0.2)
    assert taken.wait(10)
    thread.join()
    guard.close()
