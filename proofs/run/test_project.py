"""run.project, decided: which of two versions is the newer, and that nothing moves what has ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

import pytest

from contextful.run import project
from contextful_contract.shapes import (
    Change,
    ChangeKind,
    Delta,
    RunStatus,
    StepPatch,
    StepStatus,
    StepView,
    Version,
)
from proofs.theorem import theorem


@theorem(
    "run.project.version",
    of=project.newer,
    mutants=[
        ("> (held.epoch, held.counter)", ">= (held.epoch, held.counter)"),
        ("(version.epoch, version.counter)", "(version.counter, version.epoch)"),
        ("(version.epoch, version.counter) > (held.epoch, held.counter)", "version.counter > held.counter"),
    ],
)
def test_a_hub_that_started_later_is_newer_whatever_the_counters(
    epoch: int, counter: int, later: int, other: int
) -> tuple[bool, bool, bool]:
    """A version of a later epoch is above every one of an earlier, within an epoch a higher counter is, and no version
    is above itself.

    pre: later > epoch
    post: __return__ == (True, other > counter, False)
    """
    held = Version(epoch=epoch, counter=counter)
    restarted, same = Version(epoch=later, counter=other), Version(epoch=epoch, counter=other)
    return project.newer(restarted, held), project.newer(same, held), project.newer(held, held)


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.project.reducer-is-total")
def test_whatever_comes_is_folded_and_moves_nothing_that_has_ended(record_walk: Callable[..., None]) -> None:
    """Every sequence of three deltas, each of any kind and fresh or stale, is folded without a fault. A run or a step
    that has ended keeps its status, a stale delta changes nothing, no step is lost, and the order of steps stands.
    """
    walks = list(product(DELTAS, repeat=3))
    for walk in walks:
        held = project.Fold("r-1", "w", Version(epoch=1, counter=1)).snapshot()
        for number, (fresh, change) in enumerate(walk, start=2):
            version = Version(epoch=1, counter=number if fresh else 1)
            after = project.reduce(held, Delta(run_id="r-1", workflow_id="w", version=version, change=change))
            assert (after == held) or fresh
            assert not held.status.terminal or after.status is held.status
            stood = {step.label: step.status for step in held.steps}
            assert [step.label for step in after.steps][: len(stood)] == list(stood)
            assert all(step.status is stood.get(step.label, step.status) for step in after.steps if ended(stood, step))
            held = after

    changes = len(RunStatus) + 2 * (len(StepStatus) + 1) + 1 + 2
    assert len(walks) == (2 * changes) ** 3
    record_walk(
        domain="three deltas: each run status, two steps under each status and none, metadata, changes of no content",
        cases=len(walks),
        leaves_open="longer sequences, and fields of a step other than its status",
    )


def ended(stood: Mapping[str, StepStatus], step: StepView) -> bool:
    """Whether the step had ended before."""
    return step.label in stood and stood[step.label].terminal


def changes() -> Iterator[Change]:
    """One of each kind that there is to tell."""
    for status in RunStatus:
        yield Change(kind=ChangeKind.STATUS, status=status)
    for label, step in product(("fetch", "parse"), (None, *StepStatus)):
        yield Change(kind=ChangeKind.STEP, step=StepPatch(label=label, status=step))
    yield Change(kind=ChangeKind.METADATA, entries={"rows": 1})
    yield Change(kind=ChangeKind.STATUS)
    yield Change(kind=ChangeKind.STEP)


DELTAS = list(product((True, False), changes()))
