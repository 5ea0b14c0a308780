"""Every replay is faithful, sampled: in memory and on SQLite."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

import pytest

from proofs import stores
from proofs.machines.body import Ending
from proofs.machines.replay import RULES, SETTINGS, sampled
from proofs.stores import Store

GIVEN_UP_MAX = 0.33  # of the cases that Hypothesis begins and finds too large to draw


@pytest.mark.theorem("sampled")
@pytest.mark.clause("run.journal.step-output", "run.journal.effect-boundary", "run.journal.collection")
@pytest.mark.clause("run.retry.not-before", "run.retry.resume-at", "run.own.unclosed-execution", "run.own.live-owner")
@pytest.mark.parametrize("store", [stores.memory, stores.sqlite], ids=["memory", "sqlite"])
def test_every_replay_is_faithful(store: Store, record_proof: Callable[..., None]) -> None:
    seen = sampled(store, SETTINGS)

    given_up = 1 - seen["finished"] / seen["begun"]
    record_proof(
        claim="Whenever its processes die, a body is given what an uninterrupted run gives it, and no effect runs "
        "under nobody's claim, before its instant, past its last attempt or once its answer is on record.",
        domain=f"random bodies, values, failures and deaths, in at most {SETTINGS.stateful_step_count} rules a case",
        cases=seen["begun"],
        budget=f"{given_up:.0%} given up; {', '.join(f'{number} {name}' for name, number in sorted(seen.items()))}",
        versions={"hypothesis": version("hypothesis")},
        leaves_open="callers at once: the simulation has those",
    )
    assert [name for name in (*RULES, *(ending.name.lower() for ending in Ending)) if not seen[name]] == []
    assert given_up <= GIVEN_UP_MAX
