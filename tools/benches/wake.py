"""How soon a run goes on that waits for an answer, once somebody has given it: in its process, and in another."""

from __future__ import annotations

import statistics
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import TYPE_CHECKING

from tools.benches import Goal, Row
from tools.command import ROOT

if TYPE_CHECKING:
    import contextful

ROUNDS = 20
SETTLED_S = 0.03  # after this, the run that waits does nothing but wait


def rows() -> Sequence[Row]:
    """Milliseconds from the resolution's return to the wait's, on SQLite."""
    sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "generated")]
    import contextful

    with (
        TemporaryDirectory(dir=ROOT / "build") as folder,
        contextful.Engine.open(Path(folder)) as waits,
        contextful.Engine.open(Path(folder)) as another,  # what another process has: a connection of its own
    ):
        same_ms = [_round_ms(waits, waits, number) for number in range(ROUNDS)]
        other_ms = [_round_ms(waits, another, ROUNDS + number) for number in range(ROUNDS)]
    return (
        Row("wake, same process, median", statistics.median(same_ms), "ms"),
        Row("wake, same process, worst", max(same_ms), "ms", goal=Goal(at_most=100)),
        Row("wake, another process, median", statistics.median(other_ms), "ms"),
        Row("wake, another process, worst", max(other_ms), "ms", goal=Goal(at_most=100)),
    )


def _round_ms(waits: contextful.Engine, resolves: contextful.Engine, number: int) -> float:
    resolved_s: list[float] = []
    with waits.execution(f"wake-{number}", "plan") as run:
        awaited = run.awakeable("answer")

        def resolve() -> None:
            sleep(SETTLED_S + number % 7 / 100)  # at any place between two looks
            resolves.resolve(awaited.token, "yes")
            resolved_s.append(perf_counter())

        person = threading.Thread(target=resolve)
        person.start()
        awaited.wait(hold="1m")
        woken_s = perf_counter()
        person.join()
    return max(0.0, woken_s - resolved_s[0]) * 1_000
