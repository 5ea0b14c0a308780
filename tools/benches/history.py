"""What a page of history costs, out of a hundred runs and out of a million: the window decides, not the history."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.benches import Goal, Row, best_s
from tools.command import ROOT

COUNTS = (100, 1_000_000)
PAGE = 50
ROUNDS = 50
BEGAN_MS = 1_772_323_200_000
# Runs a second apart, of ten pipelines; one in seven has failed. All that a row may hold is not worth its time here.
NUMBERED = "WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?)"
HOLDING = {
    "run_id": "printf('run-%08d', n)",
    "execution_id": "printf('exec-%08d', n)",
    "pipeline_id": "'pipeline-' || (n % 10)",
    "table_name": "'orders'",
    "host_scope": "''",
    "site_id": "'here'",
    "phase": "'commit'",
    "status": "CASE n % 7 WHEN 0 THEN 'failed' ELSE 'success' END",
    "error_kind": "CASE n % 7 WHEN 0 THEN 'Permanent' END",
    "error_message": "CASE n % 7 WHEN 0 THEN 'no luck' END",
    "started_ms": f"{BEGAN_MS} + n * 1000",
    "ended_ms": f"{BEGAN_MS} + n * 1000 + 400",
    "landed_rows": "n",
    "failed_branches": "'[]'",
}


def rows() -> Sequence[Row]:
    """Milliseconds a page, of the newest runs, of those with an error, and of one far down."""
    sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "generated")]
    measured = [(count, _measured(count)) for count in COUNTS]
    (few, small), (many, large) = measured
    return [
        row
        for name, value in small.items()
        for row in (
            Row(_name(name, few), value, "ms"),
            Row(_name(name, many), large[name], "ms", _name(name, few), Goal(at_most=1.5, of_ratio=True)),
        )
    ]


def _measured(count: int) -> Mapping[str, float]:
    import contextful
    from contextful.faces.stores import STATE
    from contextful.run.history import Place
    from contextful_contract.shapes import FailureTag

    with TemporaryDirectory(dir=ROOT / "build") as folder:
        contextful.Engine.open(folder).close()
        _fill(Path(folder) / STATE, count)
        with contextful.Engine.open(folder) as engine:
            middle = Place(BEGAN_MS + count // 2 * 1_000, f"run-{count // 2:08}")
            pages: Mapping[str, Callable[[], object]] = {
                "the newest": lambda: engine.window(ceiling=PAGE),
                "of a pipeline": lambda: engine.window(ceiling=PAGE // 10, pipeline="pipeline-7"),
                "with an error": lambda: engine.window(ceiling=PAGE // 10, error=FailureTag.PERMANENT),
                "from the middle": lambda: engine.window(ceiling=PAGE // 2, before=middle),
            }
            return {name: best_s(page, rounds=ROUNDS) * 1_000 for name, page in pages.items()}


def _fill(path: Path, count: int) -> None:
    """So many runs, their indexes made once all of them are there."""
    from contextful.adapters import sql
    from contextful.run.record import RUN

    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?", [RUN.name])
        for (name,) in found.fetchall():
            if not name.startswith("sqlite_"):
                connection.execute(f"DROP INDEX {name}")
        values = f"SELECT {', '.join(HOLDING.values())} FROM number"
        connection.execute(f"{NUMBERED} INSERT INTO {RUN.name} ({', '.join(HOLDING)}) {values}", [count])
        for statement in sql.schema(RUN, sql.SQLITE):
            connection.execute(statement)
        connection.commit()


def _name(what: str, count: int) -> str:
    return f"history, {what}, {count:,} runs"
