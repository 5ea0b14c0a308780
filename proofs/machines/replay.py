"""run.journal as a state machine: bodies grow, processes die of them and resume, and every replay is faithful."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import wraps
from itertools import count
from typing import ClassVar, TypeVar, cast

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from contextful.adapters.memory import MemoryRows
from contextful.kernel.failure import Failure
from contextful_contract import limits
from contextful_contract.shapes import FailureTag
from proofs.effort import DERANDOMIZED, FULL
from proofs.machines.body import FOR_GOOD, LONGEST_WAIT_MS, Death, Ending, Step
from proofs.machines.life import Life
from proofs.stores import Store

SETTINGS = settings(max_examples=500 if FULL else 60, stateful_step_count=15, derandomize=DERANDOMIZED, deadline=None)
LEASE_MS = limits.OWNER_LEASE_TTL_MS
LARGE = "x" * (limits.JOURNAL_INLINE_CUTOFF_BYTES + 1)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3)
VALUES = st.recursive(
    LEAVES | st.binary(max_size=3) | st.frozensets(st.integers(), max_size=2),
    lambda inner: (
        st.lists(inner, max_size=2) | st.tuples(inner) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=3,
)
AGAIN = Failure(FailureTag.TRANSIENT, "no luck")
SOON = Failure(FailureTag.RATE_LIMITED, "no luck", retry_after_ms=7_000)
LATER = Failure(FailureTag.RATE_LIMITED, "no luck", retry_after_ms=LONGEST_WAIT_MS)
NO_MORE = Failure(FailureTag.PERMANENT, "no luck")
FAILURES = [(), (AGAIN,), (SOON,), (LATER,), (NO_MORE,), (AGAIN, LATER), (LATER, NO_MORE), (AGAIN,) * 5]
STEPS = st.builds(
    Step,
    label=st.sampled_from(["fetch", "score", "write"]),
    taken=LEAVES,
    failures=st.sampled_from(FAILURES),
    answer=VALUES | st.just(Failure(FailureTag.PERMANENT, FOR_GOOD)),
)

RULES: list[str] = []
Rule = TypeVar("Rule", bound=Callable[..., object])

at_work = precondition(lambda machine: machine.life.body)
live = precondition(lambda machine: machine.life.witness.lease_left_ms() > 0)
interrupted = precondition(lambda machine: machine.interrupted)


def counted(rule: Rule) -> Rule:
    """The rule, counted each time that it applies."""
    RULES.append(rule.__name__)

    @wraps(rule)
    def applied(self: Replay, **drawn: object) -> object:
        self.seen[rule.__name__] += 1
        return rule(self, **drawn)

    return cast(Rule, applied)


class Replay(RuleBasedStateMachine):
    """One scope in one store, which `store` opens; `seen` counts cases, rules and endings."""

    store: ClassVar[Store]
    seen: ClassVar[Counter[str]]
    steps = Bundle("steps")

    def __init__(self) -> None:
        super().__init__()
        self.seen["begun"] += 1
        self.interrupted = False
        self._stack = ExitStack()
        self.life = Life(self._stack.enter_context(type(self).store()))
        self._numbers = count()

    def teardown(self) -> None:
        """The case is over, or given up."""
        self.seen["finished"] += sys.exception() is None
        self._stack.close()

    @rule(target=steps, drawn=st.lists(STEPS, min_size=1, max_size=3))
    @counted
    def grows(self, drawn: list[Step]) -> MultipleResults[Step]:
        """The body goes on with steps of its own: labels may repeat, inputs do not."""
        fresh = [replace(step, taken=[next(self._numbers), step.taken]) for step in drawn]
        self.life.body.extend(fresh)
        return multiple(*fresh)

    @precondition(lambda machine: all(step.answer is not LARGE for step in machine.life.body))
    @rule(target=steps)
    @counted
    def grows_large(self) -> Step:
        """The body goes on with a step whose value becomes a blob."""
        step = Step("large", next(self._numbers), (), LARGE)
        self.life.body.append(step)
        return step

    @rule(step=steps)
    @counted
    def repeats(self, step: Step) -> None:
        """The body calls a step that it knows."""
        self.life.body.append(step)

    @at_work
    @rule(at=st.integers(0, 999), swept=st.booleans())
    @counted
    def dies(self, at: int, swept: bool) -> None:
        """A process comes once the lease of the last one has lapsed, and dies at a storage operation, or lives. Then
        hours may go by, and the blob sweep with them."""
        self.life.world.skip(LEASE_MS)
        self._ended(self.life.attempt(Death(operation=at % (16 + 4 * len(self.life.body)))))
        if swept:
            self.life.world.skip(2 * limits.BLOB_SWEEP_GRACE_MS)
            self.life.sweep()

    @at_work
    @rule(call=st.integers(1, 6))
    @counted
    def dies_in_an_effect(self, call: int) -> None:
        """A process comes, and dies in a call of an effect, if it comes so far."""
        self.life.world.skip(LEASE_MS)
        self._ended(self.life.attempt(Death(call=call)))

    @live
    @rule(left_ms=st.sampled_from([1, LEASE_MS]))
    @counted
    def comes_too_early(self, left_ms: int) -> None:
        """A process comes while the lease of the last one stands, if only for another millisecond."""
        self.life.world.skip(max(0, self.life.witness.lease_left_ms() - left_ms))
        self._ended(self.life.attempt())

    @interrupted
    @rule()
    @counted
    def comes_to_its_end(self) -> None:
        """The work ends as if nothing had ever interrupted it."""
        uninterrupted = Life(MemoryRows())
        uninterrupted.body = self.life.body
        assert self.life.to_its_end() == uninterrupted.to_its_end()
        self._ended(Ending.CLOSED)

    @invariant()
    def stands(self) -> None:
        """Whatever happens, what is on record stays there."""
        self.life.witness.stands()

    def _ended(self, ending: Ending) -> None:
        self.seen[ending.name.lower()] += 1
        self.interrupted = ending is not Ending.CLOSED
        if ending is Ending.CLOSED:
            self.life.body = []


def sampled(store: Store, drawing: settings) -> Counter[str]:
    """What was seen of such stores; raises what does not hold."""
    machine = type("Sampled", (Replay,), {"store": staticmethod(store), "seen": Counter()})
    run_state_machine_as_test(machine, settings=drawing)
    return cast(type[Replay], machine).seen
