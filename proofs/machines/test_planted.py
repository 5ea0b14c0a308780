"""The machine finds what it is for: each of these bugs, planted in the engine, within a thousand cases."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import Phase, settings

from contextful.run import retry
from contextful.run.journal import journal
from contextful.run.own import own
from contextful.runner import journal as journal_runner
from contextful.runner import own as own_runner
from contextful.runner import read_ahead
from proofs import stores
from proofs.machines.replay import SETTINGS, sampled
from proofs.mutants import planted

# A run ends at the first bug that it finds, so the bound costs nothing but where there is none to find.
HERE = settings(SETTINGS, max_examples=1_000, phases=[Phase.generate], report_multiple_bugs=False)
NOTHING = "journal.Recorded(journal.Inline(b'null'))"
BUGS = {
    "a live lease is taken over": (own, "now_ms < lease.expires_ms", "False"),
    "a lease lapses a millisecond early": (own, "now_ms < lease.expires_ms", "now_ms < lease.expires_ms - 1"),
    "every failure releases its owner": (own, "return replay_stable or not wrote_batch", "return True"),
    "the journal outlives its owner": (journal, '{"execution_id": execution_id})', '{"execution_id": "x"})'),
    "nothing says which input": (journal, "input_hash=input_hash)", 'input_hash="")'),
    "a value is recorded before its effect": (
        journal_runner,
        "outcome = self._run(entry, claim, effect)",
        f"outcome = (self._record(attempt, entry, claim, {NOTHING}), self._run(entry, claim, effect))[1]",
    ),
    "a value is recorded without its effect": (
        journal_runner,
        "outcome = self._run(entry, claim, effect)",
        f"outcome = Fresh({NOTHING}.value, 4, None)",
    ),
    "a value is given and not recorded": (
        journal_runner,
        "kept = self._rows.commit(change, *attempt.guards)",
        "kept = True",
    ),
    "a wait is not written down": (
        journal_runner,
        "return waiting if self._rows.commit(change) else None",
        "return waiting",
    ),
    "a wait is not waited for": (journal_runner, "if remaining_ms <= 0:", "if True:"),
    "a long wait keeps its slot": (
        journal_runner,
        "if not (attempt.sleeps and retry.sleeps_in_process(remaining_ms)):",
        "if False:",
    ),
    "a takeover begins the attempts anew": (journal, "standing._replace(run_id", "standing._replace(attempt=1, run_id"),
    "a takeover forgets the instant": (
        journal,
        "standing._replace(run_id",
        "standing._replace(not_before_ms=None, run_id",
    ),
    "the attempts never end": (retry, "attempt >= schedule.attempts", "False"),
    "a run's failure is kept for good": (journal, "    if failure.final:", "    if True:"),
    "a run's failure is not let go": (own_runner, "*forgotten, *unanswered, *also)", "*unanswered, *also)"),
    "a sweep takes what is referred to": (journal, "return not referenced and age_ms", "return age_ms"),
    "a replay gives whatever comes first": (
        read_ahead,
        "self._page.pop((step_label, input_hash), None)",
        "self._page.popitem()[1] if self._page else None",
    ),
}


@pytest.mark.parametrize(("module", "was", "becomes"), BUGS.values(), ids=BUGS)
def test_a_planted_bug_is_found(module: ModuleType, was: str, becomes: str) -> None:
    with planted(module, was, becomes), pytest.raises(AssertionError):
        sampled(stores.memory, HERE)
