"""run.journal under processes at once, which die by SIGKILL and find each other's leases lapsed."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from contextful.adapters.system import SystemWorld
from contextful.runner import journal
from proofs import stores
from proofs.effort import FULL
from proofs.linear import caller
from proofs.linear.history import Began, Called, Event, Given, Key, faults
from proofs.mutants import planted

SEEDS = range(40 if FULL else 2)
PROCESSES = 6
AHEAD_MS = 60_000  # past every lease of whoever is one behind
KEY = Key("execution", "charge")
A, B = Called(KEY, "a"), Called(KEY, "b")

BUGS = {"a live claim is taken over": ("return ENDLESS if claim.claim in self._live else None", "return None")}

NOT_LINEAR: dict[str, list[Event]] = {
    "two values under one key": [A, B, Began(KEY, "a", 1), Began(KEY, "b", 2), Given(KEY, "a", 1), Given(KEY, "b", 2)],
    "a value that no effect returned": [A, Began(KEY, "a", 1), Given(KEY, "a", 3)],
    "an effect behind its record": [A, Began(KEY, "a", 1), Given(KEY, "a", 1), B, Began(KEY, "b", 2)],
    "one run in one effect twice": [A, Began(KEY, "a", 1), Began(KEY, "a", 2)],
    "another key's value": [A, Began(KEY, "a", 1), Given(KEY._replace(step_label="fetch"), "a", 1)],
}


@pytest.mark.parametrize("history", NOT_LINEAR.values(), ids=NOT_LINEAR)
def test_what_is_not_linear_is_rejected(history: list[Event]) -> None:
    assert len(list(faults(history))) == 1


def test_a_takeover_whose_value_all_are_given_is_linear() -> None:
    history: list[Event] = [A, B, Began(KEY, "a", 1), Began(KEY, "b", 2), Given(KEY, "b", 2), Given(KEY, "c", 2)]

    assert list(faults(history)) == []


def test_an_effect_that_is_logged_behind_the_one_that_took_it_over_is_linear() -> None:
    history: list[Event] = [A, B, Began(KEY, "b", 2), Given(KEY, "b", 2), Began(KEY, "a", 1)]

    assert list(faults(history)) == []


def lived(folder: Path, seed: int, seen: Counter[str]) -> list[Event]:
    """The history of processes at once, each a lease ahead of the one before."""
    command = [sys.executable, "-m", "proofs.linear.caller", str(folder), str(seed)]
    caller.sqlite(folder)
    processes = [subprocess.Popen([*command, str(ahead * AHEAD_MS)]) for ahead in range(PROCESSES)]
    ends = Counter(process.wait(60) for process in processes)
    assert set(ends) <= {0, -signal.SIGKILL}
    seen["killed"] += ends[-signal.SIGKILL]
    return caller.read(folder)


@pytest.mark.theorem("sampled")
@pytest.mark.clause("run.journal.step-output", "run.journal.claim-takeover", "run.journal.current-owner")
def test_processes_that_die_and_lapse_leave_a_linear_history(tmp_path: Path, record_proof: Callable[..., None]) -> None:
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        folder = tmp_path / str(seed)
        folder.mkdir()
        history = lived(folder, seed, seen)
        assert list(faults(history)) == [], f"seed {seed}"
        seen.update(type(event).__name__ for event in history)
        entries = {(event.key, event.run_id) for event in history if isinstance(event, Began)}
        seen["entered by another run too"] += len(entries) - len({key for key, _ in entries})

    record_proof(
        claim="Whoever dies and whoever lapses, what callers in several processes see is what one after another would.",
        domain=f"{PROCESSES} processes of {caller.THREADS} threads, {len(caller.LABELS)} steps, on SQLite",
        cases=len(SEEDS),
        budget=", ".join(f"{number} {name}" for name, number in sorted(seen.items())),
        leaves_open="PostgreSQL, D1 and the file tree; the log's order stands for the order of the calls",
    )
    assert [name for name in ("Called", "Began", "Given", "killed") if not seen[name]] == []


def together(store: stores.Store) -> list[Event]:
    """The history of the threads of one process, each of which lets the others go first at every instant."""
    history: list[Event] = []

    def pause() -> None:
        SystemWorld().wait(threading.Event(), 1)

    with store() as rows:
        caller.live(rows, history.append, pause)
    return history


@pytest.mark.parametrize("store", [stores.memory, stores.sqlite], ids=["memory", "sqlite"])
@pytest.mark.clause("run.journal.entry-key")
def test_threads_leave_a_linear_history(store: stores.Store) -> None:
    history = together(store)

    assert list(faults(history)) == []
    assert Counter(map(type, history)) == {
        Called: len(caller.LABELS) * caller.THREADS,
        Began: len(caller.LABELS),
        Given: len(caller.LABELS) * caller.THREADS,
    }


@pytest.mark.parametrize(("was", "becomes"), BUGS.values(), ids=BUGS)
def test_a_planted_race_is_found(was: str, becomes: str) -> None:
    with planted(journal, was, becomes):
        assert any(list(faults(together(stores.memory))) for _ in range(20))
