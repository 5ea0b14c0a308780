"""The strict guard over PostgreSQL: a transaction that shares the locks of the rows that a callback was admitted on.

callback admitted --BEGIN, SELECT … FOR SHARE--> it runs --> COMMIT          a takeover's UPDATE waits in between
                                                  |
                                                  +-- it hangs past the bound, or its process dies: the database ends
                                                      the transaction by itself, and nothing is left idle in it

The callbacks of one execution share a transaction, so that a job with sixty rows in its body has one connection open,
and each of them is guarded for half of the bound at least.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

import psycopg

from contextful.adapters import sql
from contextful.adapters.postgres_lanes import Lanes, Lost
from contextful.kernel.change import Require
from contextful.kernel.failure import StorageFailed
from contextful.ports.holds import BOUND_MS

LANES_MAX = 32  # executions of this process with a callback under way; one more waits for one of them
ROUNDS_MAX = 4


class _Hold:
    """A transaction, and how many callbacks it guards."""

    def __init__(self, opened: ExitStack, connection: psycopg.Connection, since_ms: int) -> None:
        self._opened = opened
        self._connection = connection
        self.since_ms = since_ms
        self.callbacks = 1

    def end(self) -> None:
        """Give the locks back. One that the database has ended before has given them back."""
        with suppress(psycopg.Error, Lost), self._opened:
            self._connection.execute("COMMIT")


class PostgresHolds:
    """Guards over a pool of connections of its own: a callback must not wait for one that a commit holds."""

    def __init__(self, address: str, now_ms: Callable[[], int], *, bound_ms: int = BOUND_MS) -> None:
        self._now_ms = now_ms
        self._address = address
        self._bound_ms = bound_ms
        self._turn = threading.Lock()
        self._lanes: Lanes | None = None
        self._standing: dict[Hashable, _Hold] = {}

    @contextmanager
    def holding(self, standing: Sequence[Require]) -> Iterator[bool]:
        """Whether all of it stands; if so it does for as long as within, up to the bound."""
        key = tuple(_named(each) for each in standing)
        hold = self._joined(key) or self._begun(key, standing)
        if hold is None:
            yield False
            return
        try:
            yield True  ##= run.journal.durable-dispatch
        finally:
            self._left(key, hold)

    def close(self) -> None:
        """Let go of the connections."""
        with self._turn:
            lanes, self._lanes = self._lanes, None
        if lanes is not None:
            lanes.close()

    def _joined(self, key: Hashable) -> _Hold | None:
        """The transaction that guards these rows already, if it has half of its time before it."""
        with self._turn:
            hold = self._standing.get(key)
            if hold is None or 2 * (self._now_ms() - hold.since_ms) > self._bound_ms:
                return None
            hold.callbacks += 1
            return hold

    def _begun(self, key: Hashable, standing: Sequence[Require]) -> _Hold | None:
        """A transaction of its own; none where the rows are not as they are required to be."""
        for _ in range(ROUNDS_MAX):
            try:
                hold = self._locked(standing)
            except Lost as error:
                last = error
                continue
            if hold is not None:
                with self._turn:
                    self._standing[key] = hold
            return hold
        raise StorageFailed(f"the guard's connection was lost {ROUNDS_MAX} times in a row: {last}")

    def _locked(self, standing: Sequence[Require]) -> _Hold | None:
        with ExitStack() as opening:
            connection = opening.enter_context(self._pool().lane()).connection
            statements = [sql.change(each, sql.POSTGRES) for each in standing]
            # No pipeline: the flush that ends one disarms the timeout, which is all that ends a callback that hangs.
            begin = f"BEGIN; SET LOCAL idle_in_transaction_session_timeout = {self._bound_ms:d}"
            connection.execute(begin.encode(), prepare=False)
            asked = [connection.execute(each.sql.encode(), each.parameters) for each in statements]
            if all(cursor.rowcount == 1 for cursor in asked):
                return _Hold(opening.pop_all(), connection, self._now_ms())
            connection.execute("ROLLBACK")
            return None

    def _left(self, key: Hashable, hold: _Hold) -> None:
        with self._turn:
            hold.callbacks -= 1
            over = hold.callbacks == 0
            if over and self._standing.get(key) is hold:
                del self._standing[key]
        if over:
            hold.end()

    def _pool(self) -> Lanes:
        with self._turn:
            if self._lanes is None:
                self._lanes = Lanes(self._address, lanes_max=LANES_MAX, busy_ms=self._bound_ms)
            return self._lanes


def _named(require: Require) -> Hashable:
    return require.table.name, tuple(sorted(require.key.items())), tuple(sorted(require.expect.items(), key=str))
