"""run.retry, performed: for any schedule and any failures, the runner does what the decision says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import takewhile
from types import ModuleType

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel.failure import Failed, Failure
from contextful.kernel.signal import Suspended
from contextful.ports.observer import Progress, StepRetrying
from contextful.run import retry
from contextful.run.retry import Again, Schedule
from contextful.runner import journal as journal_runner
from contextful.testing import SkippingWorld
from contextful_contract.shapes import Backoff, FailureTag
from proofs.effort import DERANDOMIZED, FULL
from proofs.mutants import planted

CASES = 2_000 if FULL else 200
SETTINGS = settings(max_examples=CASES, deadline=None, derandomize=DERANDOMIZED)
RETRYABLE = list(retry.RETRYABLE)
SCHEDULES = st.builds(
    Schedule,
    backoff=st.sampled_from(Backoff),
    base_ms=st.integers(0, 10_000),
    factor=st.integers(1, 10),
    attempts=st.integers(1, 8),
    max_delay_ms=st.integers(0, 400_000),
    jitter_ms=st.integers(0, 1_000),
    retry_on=st.sampled_from([tuple(RETRYABLE), *((tag,) for tag in RETRYABLE), ()]),
)
FAILURES = st.builds(
    Failure,
    tag=st.sampled_from(RETRYABLE * 4 + list(FailureTag)),
    message=st.just("no luck"),
    retry_after_ms=st.none() | st.integers(-1, 900_000),
    deterministic=st.sampled_from([False] * 9 + [True]),
)
THROTTLED = [Failure(FailureTag.RATE_LIMITED, "no luck", retry_after_ms) for retry_after_ms in (300_000, 300_001)]


@dataclass
class Performance:
    """What was seen of one step: when its effect was called, what delays were told, which of them closed an attempt."""

    called_ms: list[int] = field(default_factory=list)
    delays_ms: list[int] = field(default_factory=list)
    closed_after: list[int] = field(default_factory=list)
    outcome: object = None

    def tell(self, progress: Progress) -> None:
        """Note a delay."""
        if isinstance(progress, StepRetrying):
            self.delays_ms.append(progress.delay_ms)


def performed(schedule: Schedule, failures: Sequence[Failure]) -> Performance:
    """A step whose effect fails like this and then returns, up to its answer."""
    rows, world, seen = MemoryRows(), SkippingWorld(), Performance()
    engine = contextful.Engine(rows, RowBlobs(rows), world, observer=seen)

    def effect() -> str:
        seen.called_ms.append(world.now_ms())
        if len(seen.called_ms) <= len(failures):
            raise Failed(failures[len(seen.called_ms) - 1])
        return "ok"

    while seen.outcome is None:  # ends: each round has called the effect, or waited for its instant
        try:
            with engine.execution("performed", "plan") as run:
                seen.outcome = run.step("fetch", effect, retry=schedule)
        except Suspended as waiting:
            seen.closed_after.append(len(seen.called_ms))
            world.skip(waiting.until_ms - world.now_ms())
        except contextful.StepFailed as refusal:
            seen.outcome = refusal.tag
    return seen


def compared(schedule: Schedule, failures: Sequence[Failure]) -> None:
    """The calls, the delays between them, the attempts that close and the outcome are those of the decisions."""
    seen = performed(schedule, failures)

    bounds = [delays(schedule, attempt, failure) for attempt, failure in enumerate(failures, start=1)]
    again = [delay for delay in takewhile(bool, bounds) if delay]
    outcome = "ok" if len(again) == len(failures) else failures[len(again)].tag
    assert (seen.outcome, len(seen.called_ms)) == (outcome, len(again) + 1)
    for attempt, bounds_ms in enumerate(again, start=1):
        delay_ms = seen.delays_ms[attempt - 1]
        assert delay_ms in bounds_ms
        assert seen.called_ms[attempt] - seen.called_ms[attempt - 1] == delay_ms
        assert (attempt in seen.closed_after) == (not retry.sleeps_in_process(delay_ms))
    assert seen == performed(schedule, failures), "the seed alone decides the jitter"


def delays(schedule: Schedule, attempt: int, failure: Failure) -> range | None:
    """The delays that the decision may come to under any seed; none where it gives up."""
    least, most = (retry.decide(schedule, attempt, failure, raw) for raw in (0, max(0, schedule.jitter_ms - 1)))
    return range(least.delay_ms, most.delay_ms + 1) if isinstance(least, Again) and isinstance(most, Again) else None


def search(drawing: settings) -> None:
    """Compare as many as that, the throttled one first."""
    drawn = given(schedule=SCHEDULES, failures=st.lists(FAILURES, max_size=8))(compared)
    drawing(example(schedule=retry.DEFAULT, failures=THROTTLED)(drawn))()


@pytest.mark.theorem("sampled")
@pytest.mark.clause("run.retry.schedule", "run.retry.retry-after", "run.retry.waiting-state", "run.retry.step-failed")
def test_the_runner_performs_what_is_decided(record_proof: Callable[..., None]) -> None:
    search(SETTINGS)

    record_proof(
        claim="The runner calls an effect as often, after such delays and to such an outcome as `retry.decide` says.",
        domain="schedules of up to 8 attempts, up to 8 failures of any tag, a wait of up to 15 min or none with each",
        cases=CASES,
        versions={"hypothesis": version("hypothesis")},
        leaves_open="which number the seed draws: the jitter is held between its bounds",
    )


BUGS = {
    "an attempt is counted twice": (
        journal_runner,
        "claim.attempt + 1, not_before_ms",
        "claim.attempt + 2, not_before_ms",
    ),
    "a delay is left out": (journal_runner, "self._world.now_ms() + delay_ms", "self._world.now_ms()"),
    "what is long is slept": (
        journal_runner,
        "if not (attempt.sleeps and retry.sleeps_in_process(remaining_ms)):",
        "if False:",
    ),
    "the jitter is drawn anew": (
        journal_runner,
        "jitter_raw = _jitter(attempt.seed,",
        "jitter_raw = _jitter(id(outcome),",
    ),
}


@pytest.mark.parametrize(("module", "was", "becomes"), BUGS.values(), ids=BUGS)
def test_a_planted_difference_is_found(module: ModuleType, was: str, becomes: str) -> None:
    with planted(module, was, becomes), pytest.raises(AssertionError):
        search(settings(SETTINGS, phases=[Phase.explicit, Phase.generate], report_multiple_bugs=False))
