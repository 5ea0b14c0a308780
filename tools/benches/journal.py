"""What a durable step costs, beside a raw loop of one durable commit a step in the same store, in the same run."""

from __future__ import annotations

import sqlite3
import sys
import threading
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tools.benches import Goal, Row, best_s
from tools.command import ROOT

if TYPE_CHECKING:
    import contextful

RAW = "raw commits, FULL"
STEPS = 1_000
AT_ONCE = 8
REPLAYED = 5_000
BATCHES = "bare batches, D1"
STEPS_D1 = 200


def rows() -> Sequence[Row]:
    """Steps a second: one execution, eight at once, and replayed."""
    sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "generated")]
    with TemporaryDirectory(dir=ROOT / "build") as folder:
        path = Path(folder)
        raw_s = best_s(_raw(path / "raw.sqlite"), rounds=3)
        one_s = best_s(_steps(path / "one", at_once=1), rounds=3)
        eight_s = best_s(_steps(path / "eight", at_once=AT_ONCE), rounds=3)
        replay_s = best_s(_replay(path / "replay"), rounds=3)
        d1 = _d1()
    one, eight = Goal(at_least=0.35, of_ratio=True), Goal(at_least=1.0, of_ratio=True)
    return (
        Row(RAW, STEPS / raw_s, "a second"),
        Row("steps, one execution", STEPS / one_s, "a second", RAW, one),
        Row("steps, eight at once", STEPS / eight_s, "a second", RAW, eight),
        Row("steps, replayed", REPLAYED / replay_s, "a second", RAW, Goal(at_least=50_000)),
        *d1,
    )


def _raw(path: Path) -> Callable[[], None]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE step (number INTEGER PRIMARY KEY AUTOINCREMENT, value BLOB)")

    def commits() -> None:
        for _ in range(STEPS):
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO step (value) VALUES (?)", (b"1",))
            connection.execute("COMMIT")

    return commits


def _d1() -> Sequence[Row]:
    """The same over D1 in workerd. A step asks it twice, to claim and to record, and a bare batch once."""
    import contextful
    from contextful.adapters import sql
    from contextful.adapters.d1.blobs import OBJECT, R2Blobs
    from contextful.adapters.d1.rows import D1Rows
    from contextful.adapters.system import SystemWorld
    from contextful.faces import stores
    from contextful.kernel import table
    from contextful.kernel.change import Insert
    from contextful.run.journal import journal
    from contextful.testing import workerd

    with workerd.running() as server:
        worker = server.worker()
        rows = D1Rows(worker, (*stores.STATES, OBJECT))
        rows.initialize()
        engine = contextful.Engine(rows, R2Blobs(worker, rows), SystemWorld())
        numbers = count()

        def batches() -> None:
            for _ in range(STEPS_D1):
                key = {"execution_id": "bare", "step_label": str(next(numbers)), "input_hash": ""}
                row: table.Row = {**key, "state": "recorded", "content": b"1"}
                worker.batch([sql.change(Insert(journal.ENTRY, row), sql.D1)])

        bare_s = best_s(batches, rounds=3)
        one_s = best_s(_executions(engine, STEPS_D1, at_once=1), rounds=3)
        eight_s = best_s(_executions(engine, STEPS_D1, at_once=AT_ONCE), rounds=3)
        engine.close()
    return (
        Row(BATCHES, STEPS_D1 / bare_s, "a second"),
        Row("steps, D1, one execution", STEPS_D1 / one_s, "a second", BATCHES, Goal(at_least=0.6, of_ratio=True)),
        Row("steps, D1, eight at once", STEPS_D1 / eight_s, "a second", BATCHES, Goal(at_least=0.6, of_ratio=True)),
    )


def _steps(folder: Path, *, at_once: int) -> Callable[[], None]:
    import contextful

    return _executions(contextful.Engine.open(folder), STEPS, at_once=at_once)


def _executions(engine: contextful.Engine, steps: int, *, at_once: int) -> Callable[[], None]:
    """As many steps, by as many executions as are to be at work at once."""

    def execution(number: int) -> None:
        with engine.execution(f"bench-{number}", "plan") as run:
            for step in range(steps // at_once):
                run.step("step", lambda given: given, step)

    def all_at_once() -> None:
        threads = [threading.Thread(target=execution, args=(number,)) for number in range(at_once)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return all_at_once


def _replay(folder: Path) -> Callable[[], None]:
    import contextful
    from contextful.testing import SkippingWorld

    world = SkippingWorld()
    engine = contextful.Engine.open(folder, world=world)
    first = engine.execution("bench", "plan")
    for step in range(REPLAYED):
        first.step("step", lambda given: given, step)
    first.drop()

    def replay() -> None:
        world.skip(31_000)
        run = engine.execution("bench", "plan")
        for step in range(REPLAYED):
            run.step("step", lambda given: given, step)
        run.drop()

    return replay
