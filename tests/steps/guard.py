"""Steps of the strict guard: what a callback was admitted on stands while it runs, and it keeps to that."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.postgres import PostgresRows
from contextful.adapters.postgres_holds import PostgresHolds
from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel.change import Update
from contextful.kernel.failure import Failed
from contextful.ports.holds import STRICT_GUARD
from contextful.run import record
from contextful.testing import SkippingWorld
from tests.steps.stage import TABLES_OF_BOTH, Stage

SCOPE = "job:score"
WAIT_S = 10
NOT_YET_S = 0.3


class Guarded:
    """Engines over one PostgreSQL with the strict guard, and a callback of the first that does what it is told."""

    def __init__(self, address: str, stage: Stage) -> None:
        self._address = address
        self._stage = stage
        self._made: list[contextful.Engine] = []
        self.told: Callable[[], None] = lambda: None
        self.order: list[str] = []

    def engine(self) -> contextful.Engine:
        """The engine of one more process."""
        rows, world = PostgresRows(self._address, TABLES_OF_BOTH), SkippingWorld()
        guard = PostgresHolds(self._address, world.now_ms)
        self._made.append(
            contextful.Engine(rows, RowBlobs(rows), world, profile="postgres", capabilities={STRICT_GUARD: guard})
        )
        return self._made[-1]

    def call(self, does: Callable[[contextful.Engine, contextful.Execution], None]) -> None:
        """Run a step whose effect does this, and keep what it raised."""
        engine = self.engine()

        def effect() -> None:
            try:
                does(engine, run)
            except (Failed, contextful.ContextfulError) as error:
                self._stage.error = error

        with engine.execution(SCOPE, "plan", run_id="run-a") as run:
            run.step("call", effect)

    def lapse(self, run_id: str) -> None:
        """Have the run's lease lapse, as a process that stands still lets it."""
        rows = PostgresRows(self._address, TABLES_OF_BOTH)
        assert rows.commit(Update(record.RUN, {"run_id": run_id}, {}, {"lease_expires_ms": 1}))
        rows.close()

    def close(self) -> None:
        """Let every engine go."""
        for engine in self._made:
            engine.close()


@pytest.fixture
def guarded(empty_postgres: str, stage: Stage) -> Iterator[Guarded]:
    made = Guarded(empty_postgres, stage)
    yield made
    made.close()


@given("a callback under a guard")
def callback_under_a_guard(guarded: Guarded) -> None:
    assert guarded.engine().capability(STRICT_GUARD)


@given(parsers.parse("a callback of attempt `run-a` that takes {seconds:d} s"))
def callback_that_takes(guarded: Guarded, seconds: int) -> None:
    """As long as the scenario needs."""
    assert seconds > 1


@when("attempt `run-b` takes over the owner 1 s into it")
def takes_over(guarded: Guarded) -> None:
    """The lease of the first has lapsed, by the clock of the database."""
    inside, returns = threading.Event(), threading.Event()

    def effect() -> None:
        inside.set()
        assert returns.wait(WAIT_S)
        guarded.order.append("returned")

    def body() -> None:
        with guarded.engine().execution(SCOPE, "plan", run_id="run-a") as run:
            run.step("call", effect)

    def first() -> None:
        with pytest.raises(contextful.Stopped):
            body()

    def second() -> None:
        guarded.lapse("run-a")
        run = guarded.engine().execution(SCOPE, "plan", run_id="run-b")
        guarded.order.append("taken over")
        run.drop()

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    threads[0].start()
    assert inside.wait(WAIT_S)
    threads[1].start()
    threads[1].join(NOT_YET_S)
    assert guarded.order == [], "it waits"
    returns.set()
    for thread in threads:
        thread.join(WAIT_S)


@when("the callback updates the run's metadata")
def callback_updates(guarded: Guarded) -> None:
    """And takes a step of its own, whose commits look at the owner."""

    def updates(_: contextful.Engine, run: contextful.Execution) -> None:
        run.annotate({"model": "m-1"})
        assert run.step("inner", int) == 0

    guarded.call(updates)


@when("the callback retires its own owner")
def callback_retires(guarded: Guarded) -> None:
    guarded.call(lambda engine, run: _rewound(engine, run))


@when(parsers.parse("a callback nested in it asks for scope `{scope}`"))
def nested_asks(guarded: Guarded, scope: str) -> None:
    guarded.call(lambda engine, _: engine.execution(scope, "plan").drop())


@then("the takeover commits after the callback returns")
def takeover_commits_after(guarded: Guarded) -> None:
    assert guarded.order == ["returned", "taken over"]


@then("the update is made")
def update_is_made(stage: Stage) -> None:
    assert stage.error is None


def _rewound(engine: contextful.Engine, run: contextful.Execution) -> None:
    engine.rewind(run.execution_id, reason="by itself", force=True)
