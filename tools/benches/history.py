"""How long the newest page of history takes, of a hundred runs and of a million: the window counts, not the past."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tools.benches import Goal, Row, best_s
from tools.command import ROOT

if TYPE_CHECKING:
    import contextful

PAGE = 50
FEW, MANY = 100, 1_000_000
ROUNDS = 100
AT_ONCE = 20  # pages a round: one alone is too short to be told from the clock's own noise
GOAL = Goal(at_most=1.5, of_ratio=True)


def rows() -> Sequence[Row]:
    """A page of the few, and the same of the many beside it."""
    sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "generated")]
    found: list[Row] = []
    with TemporaryDirectory(dir=ROOT / "build") as place:
        engines = {count: _engine(Path(place) / str(count), count) for count in (FEW, MANY)}
        for name, asked in _questions().items():
            few, many = (best_s(partial(_pages, asked, each), rounds=ROUNDS) for each in engines.values())
            beside = f"{name}, of {FEW:,} runs"
            found.append(Row(beside, few / AT_ONCE * 1e6, "us"))
            found.append(Row(f"{name}, of {MANY:,} runs", many / AT_ONCE * 1e6, "us", beside, GOAL))
        for engine in engines.values():
            engine.close()
    return found


Question = Callable[["contextful.Engine"], int]


def _questions() -> Mapping[str, Question]:
    """Pages as they are asked for, and how many runs each has."""
    from contextful.run.history import Filters
    from contextful_contract.shapes import FailureTag

    failed = Filters(error=FailureTag.PERMANENT)
    return {
        "newest": lambda engine: len(engine.window(ceiling=PAGE).runs),
        "of a pipeline": lambda engine: len(engine.window(ceiling=PAGE, pipeline="shop-1").runs),
        "that failed": lambda engine: len(engine.window(ceiling=PAGE, filters=failed).runs),
    }


def _pages(asked: Question, engine: contextful.Engine) -> None:
    for _ in range(AT_ONCE):
        assert asked(engine) == PAGE


def _engine(folder: Path, count: int) -> contextful.Engine:
    """An engine over that many runs, each a second after the one before."""
    import contextful
    from contextful.adapters.sqlite import SqliteRows
    from contextful.faces.stores import STATE, TABLES
    from contextful.run.record import RUN

    path, template = folder / STATE, _template()
    path.parent.mkdir(parents=True)
    SqliteRows(path, TABLES).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        marks = ", ".join("?" * len(RUN.columns))
        runs = (list({**template, **_fields(number, count)}.values()) for number in range(count))
        connection.executemany(f"INSERT INTO run ({', '.join(template)}) VALUES ({marks})", runs)
        connection.commit()
    return contextful.Engine.open(folder)


def _fields(number: int, count: int) -> Mapping[str, object]:
    """What tells a run's row from others: half of them are of one pipeline, and a hundred have failed."""
    return {
        "run_id": f"run-{number:09d}",
        "execution_id": f"exec-{number:09d}",
        "pipeline_id": f"shop-{1 if number % 2 else number % 10}",
        "started_ms": number * 1_000,
        "error_kind": "Permanent" if number % (count // FEW) == 0 else None,
    }


def _template() -> Mapping[str, object]:
    """A run that has closed, as the engine leaves its row."""
    from contextful.adapters.memory import MemoryRows
    from contextful.run import record
    from contextful_contract.shapes import RunStatus

    rows = MemoryRows()
    run = record.Run("run", "exec", "plan", "here", RunStatus.SUCCESS, 1)
    rows.commit(record.opened(run, record.Process(1, "boot", "holder"), 1))
    rows.commit(record.closed("run", "holder", record.Closing(RunStatus.SUCCESS), 1))
    row = rows.get(record.RUN, ("run",))
    assert row is not None
    return {**row, "unappended_ms": None}
