"""Engines in the simulated world: races, crashes and clock jumps under a seed."""

from __future__ import annotations

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.testing import SimRows, SimWorld

STEPS = ("read", "score", "write")


class History:
    """Two engines at one scope, again and again until one of them has come through."""

    def __init__(self, seed: int, *, crash: float = 0.02, jump: float = 0.05) -> None:
        self.world = SimWorld(seed, crash=crash, jump=jump)
        self.rows = MemoryRows()
        self.effects: list[str] = []
        self.results: list[tuple[str, list[object]]] = []
        for name in ("a", "b"):
            self.world.process(name, self.body)
        self.trace = self.world.run()

    def body(self) -> None:
        """Open as soon as the scope lets us, take three steps, close."""
        rows = SimRows(self.rows, self.world)
        engine = contextful.Engine(rows, RowBlobs(rows), self.world)
        while True:  # ends: whoever holds the scope closes, or its lease lapses
            try:
                run = engine.execution("shared", "plan")
            except contextful.Transient:
                self.world.wait(self.world.event(), 5_000)
                continue
            with run:
                self.results.append((run.execution_id, [run.step(label, self.effect, label) for label in STEPS]))
            return

    def effect(self, label: str) -> str:
        """An effect that others may overtake, and that answers differently each time it runs."""
        self.world.pause(f"effect {label}")
        self.effects.append(label)
        return f"{label}-{len(self.effects)}"


@pytest.mark.clause("run.journal.entry-key")
@pytest.mark.parametrize("seed", range(60))
def test_whoever_finishes_an_execution_read_what_was_recorded_first(seed: int) -> None:
    history = History(seed)

    first: dict[str, list[object]] = {}
    for execution_id, result in history.results:
        assert first.setdefault(execution_id, result) == result


def test_the_same_seed_gives_the_same_history() -> None:
    one, other = History(7), History(7)

    assert (one.trace, one.effects, one.results) == (other.trace, other.effects, other.results)


def test_other_seeds_give_other_histories() -> None:
    assert len({History(seed).trace for seed in range(20)}) == 20


def test_crashes_and_takeovers_do_happen() -> None:
    histories = [History(seed) for seed in range(60)]

    assert any(isinstance(outcome, BaseException) for h in histories for outcome in h.world.outcomes.values())
    assert any(len(history.effects) > len(STEPS) * len(history.results) > 0 for history in histories)
