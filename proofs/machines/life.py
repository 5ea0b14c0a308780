"""Pending work under one scope of a real store: one attempt after another performs its body, before a witness."""

from __future__ import annotations

import contextful
from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel import codec
from contextful.kernel.signal import Suspended
from contextful.ports.rows import Rows
from contextful.testing import Crash, Crashes, CrashingBlobs, CrashingRows, SkippingWorld
from proofs.machines.body import FOR_GOOD, LONGEST_WAIT_MS, NEVER, Death, Ending, Step
from proofs.machines.witness import REFUSED, SCOPE, Witness

ATTEMPTS_MAX = 100


class Life:
    """A body, the world that it lives in, and what its last attempt was given."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.world = SkippingWorld()
        self.witness = Witness(rows, self.world)
        self.body: list[Step] = []
        self.given: list[bytes] = []
        self._run_count = 0

    def attempt(self, death: Death = NEVER) -> Ending:
        """Perform the body in a process of its own, to what end it comes."""
        self._run_count += 1
        self.given = []
        live, process = self.witness.lease_left_ms() > 0, _Process(self, death)
        try:
            process.perform(f"run-{self._run_count}")
        except contextful.Transient:
            assert live, "only a live attempt turns another away"
            return Ending.TURNED_AWAY
        except (Crash, Suspended, contextful.StepFailed):
            pass
        assert not (live and process.opened), "nobody joins a live attempt"
        if process.fault is not None:
            raise process.fault
        return self._ended()

    def to_its_end(self) -> list[bytes]:
        """Attempt after attempt until one closes, and what that one was given."""
        for _ in range(ATTEMPTS_MAX):
            self.world.skip(LONGEST_WAIT_MS)
            if self.attempt() is Ending.CLOSED:
                return self.given
        raise AssertionError(f"the body did not come to its end in {ATTEMPTS_MAX} attempts")

    def sweep(self) -> None:
        """A blob sweep passes by."""
        contextful.Engine(self.rows, RowBlobs(self.rows), self.world).sweep_blobs()

    def _ended(self) -> Ending:
        """What the run's row says: a process may die with only the answer to its close outstanding."""
        run = contextful.Engine(self.rows, RowBlobs(self.rows), self.world).run(f"run-{self._run_count}")
        ending = Ending.DIED if run is None else Ending(run.status)
        if ending is Ending.CLOSED:
            assert len(self.given) == len(self.body), "a run closes at the end of its body"
            self.witness.retires()
        self.witness.ends(self.body)
        return ending


class _Process:
    """One process, and its death."""

    def __init__(self, life: Life, death: Death) -> None:
        self._life = life
        self._death = death
        self._crashes = Crashes(death.operation)
        self._called: list[Step] = []
        self.opened = False
        self.fault: AssertionError | None = None

    def perform(self, run_id: str) -> None:
        """Open the work and go through its body."""
        life = self._life
        rows, blobs = CrashingRows(life.rows, self._crashes), CrashingBlobs(RowBlobs(life.rows), self._crashes)
        with contextful.Engine(rows, blobs, life.world).execution(SCOPE, "plan", run_id=run_id) as run:
            self.opened = True
            life.witness.opens(run.execution_id, life.body)
            for step in life.body:
                value = self._given(run, step)
                life.witness.gives(step, value)
                life.given.append(value)

    def _given(self, run: contextful.Execution, step: Step) -> bytes:
        try:
            return codec.encode(run.step(step.label, lambda: self._call(step), input=step.taken))
        except contextful.StepFailed as refusal:
            if refusal.message != FOR_GOOD:
                raise
            return REFUSED

    def _call(self, step: Step) -> object:
        witness = self._life.witness
        try:
            witness.calls_effect(step, again=step in self._called)
        except AssertionError as fault:
            self.fault = fault  # which the engine takes for the effect's own failure
            raise
        self._called.append(step)
        if len(self._called) == self._death.call:
            self._crashes.die()
        return step.called(witness.calls[step])
