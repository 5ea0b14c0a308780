"""Steps whose call ends badly: the next call of the step has to come to an answer."""

from __future__ import annotations

import contextlib
import enum
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.system import SystemWorld
from contextful.errors import StepFailed
from contextful.kernel.change import Change, Survives, Update
from contextful.kernel.failure import StorageFailed
from contextful.ports.observer import Progress
from contextful.run.journal import journal
from contextful.testing import SimRows, SimWorld, SkippingWorld


class Unspeakable(Exception):
    """An error that cannot say what it is."""

    def __str__(self) -> str:
        raise ValueError("no text")


class Unclassified(contextful.Failed):
    """A failure that was never given one."""

    def __init__(self) -> None:
        pass


@dataclass
class Card:
    """A value."""

    number: str


def storage_fails_to_close(rows: MemoryRows, world: SimWorld) -> contextful.Engine:
    """An engine in whose storage no run can be closed."""

    class Unclosing(SimRows):
        def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:
            if any(isinstance(change, Update) and change.set.get("phase") == "commit" for change in changes):
                raise StorageFailed("EIO")
            return super().commit(*changes, survives=survives)

    simulated = Unclosing(rows, world)
    return contextful.Engine(simulated, RowBlobs(simulated), world)


def raises(make: Callable[[], BaseException]) -> Callable[[], object]:
    """An effect that raises what is made."""

    def effect() -> object:
        raise make()

    return effect


BAD_EFFECTS = {
    "an error whose text raises": (raises(Unspeakable), "Unspeakable: (its text raises ValueError)"),
    "a failure without one": (raises(Unclassified), "Unclassified"),
    "a failure that is a text": (raises(lambda: contextful.Failed("busy")), "must"),  # type: ignore[arg-type]
    "a wait past all instants": (raises(lambda: contextful.RateLimited("x", retry_after_ms=10**20)), "retry_after_ms"),
    "a wait that is a text": (raises(lambda: contextful.RateLimited("x", retry_after_ms="9")), "retry_after_ms"),  # type: ignore[arg-type]
    "a wait without an end": (raises(lambda: contextful.RateLimited("x", retry_after_ms=float("inf"))), "retry_after"),  # type: ignore[arg-type]
    "a failure whose message is an error": (raises(lambda: contextful.Permanent(ValueError("busy"))), "busy"),  # type: ignore[arg-type]
    "a value with a field unset": (lambda: object.__new__(Card), "value.number is not set"),
    "a class of no module": (lambda: enum.Enum("Lost", "A", module="").A, "cannot be imported"),  # type: ignore[attr-defined]
}


@pytest.mark.clause("run.cancel.engine-keeper")
def test_a_run_that_could_not_be_closed_is_kept_no_longer() -> None:
    rows, world = MemoryRows(), SimWorld(1)

    def body() -> int:
        with contextlib.suppress(StorageFailed), storage_fails_to_close(rows, world).execution("index-42", "plan-a"):
            pass
        world.wait(world.event(), 1_000)
        return world.running("contextful-keeper")

    world.process("one", body)
    world.run()

    assert world.outcomes["one"] == 0


@pytest.fixture
def rows() -> MemoryRows:
    return MemoryRows()


@pytest.fixture
def engine(rows: MemoryRows) -> contextful.Engine:
    return contextful.Engine(rows, RowBlobs(rows), SkippingWorld())


@pytest.mark.clause("run.retry.step-failed")
@pytest.mark.parametrize(("effect", "says"), BAD_EFFECTS.values(), ids=BAD_EFFECTS.keys())
def test_whatever_an_effect_does_is_an_answer_of_its_step(
    engine: contextful.Engine, effect: Callable[[], object], says: str
) -> None:
    run = engine.execution("index-42", "plan-a")

    messages = []
    for _ in range(2):
        with pytest.raises(StepFailed) as refusal:
            run.step("fetch", effect)
        messages.append(refusal.value.message)

    assert says.replace("must", "not with a Failure") in messages[0]
    assert messages[0] == messages[1]


class FailingOnce:
    """Storage that fails once: at a blob, or with the answer to a claim or to a record, which was applied."""

    def __init__(self, rows: MemoryRows, at: str) -> None:
        self._rows = rows
        self._at = at
        self.blobs = RowBlobs(rows)
        self.get, self.select, self.now_ms, self.close = rows.get, rows.select, rows.now_ms, rows.close
        self.older_than, self.delete = self.blobs.older_than, self.blobs.delete

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:
        """Apply them, and fail to say so."""
        applied = self._rows.commit(*changes, survives=survives)
        if any(change.table is journal.ENTRY for change in changes):
            self._fail("claim" if survives is Survives.PROCESS else "record")
        return applied

    def put(self, sha256: str, content: bytes, *, now_ms: int) -> None:
        """Fail to keep the content, once."""
        self._fail("blob")
        self.blobs.put(sha256, content, now_ms=now_ms)

    def _fail(self, at: str) -> None:
        if at == self._at:
            self._at = ""
            raise StorageFailed("EIO")


class Blobs:
    """The blobs of such storage."""

    def __init__(self, storage: FailingOnce) -> None:
        self.put, self.get = storage.put, storage.blobs.get
        self.older_than, self.delete = storage.older_than, storage.delete


@pytest.mark.parametrize("at", ["blob", "claim", "record"])
def test_a_claim_that_a_failure_of_the_storage_left_behind_is_the_next_call_s(rows: MemoryRows, at: str) -> None:
    storage = FailingOnce(rows, at)
    run = contextful.Engine(storage, Blobs(storage), SkippingWorld()).execution("index-42", "plan-a")  # type: ignore[arg-type]
    page = "x" * (2 << 20)

    with pytest.raises(StorageFailed):
        run.step("fetch", lambda: page)

    assert run.step("fetch", lambda: page) == page


class Deaf:
    """An observer that cannot be told anything."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def tell(self, progress: Progress) -> None:
        """Something has happened."""
        raise self._error


@pytest.mark.parametrize("error", [ValueError("deaf"), BrokenPipeError(), SystemExit(1)], ids=repr)
def test_an_observer_s_error_is_logged_and_never_reaches_the_run(
    rows: MemoryRows, caplog: pytest.LogCaptureFixture, error: BaseException
) -> None:
    engine = contextful.Engine(rows, RowBlobs(rows), SkippingWorld(), observer=Deaf(error))

    with caplog.at_level(logging.WARNING), engine.execution("index-42", "plan-a") as run:
        value = run.step("fetch", lambda: "page")

    assert value == "page"
    assert "could not be told of StepRecorded" in caplog.text
    assert engine.pending("index-42") is None


def test_a_step_inside_its_own_effect_is_refused_by_name(engine: contextful.Engine) -> None:
    run = engine.execution("index-42", "plan-a")

    def own() -> object:
        return run.step("fetch", own)

    with pytest.raises(StepFailed, match="step fetch is called inside its own effect"):
        run.step("fetch", own)


def test_two_steps_inside_each_other_s_effects_are_refused_by_name(engine: contextful.Engine) -> None:
    run = engine.execution("index-42", "plan-a")

    def one() -> object:
        return run.step("two", two)

    def two() -> object:
        return run.gather("both", {"a": lambda: run.step("one", one)})

    with pytest.raises(StepFailed, match="step one is called inside its own effect"):
        run.step("one", one)


def test_two_branches_whose_steps_wait_for_each_other_are_refused_by_name(rows: MemoryRows) -> None:
    engine = contextful.Engine(rows, RowBlobs(rows), SystemWorld())
    meeting = threading.Barrier(2, timeout=10)

    def one() -> object:
        meeting.wait()
        return run.step("two", lambda: None)

    def two() -> object:
        meeting.wait()
        return run.step("one", lambda: None)

    with pytest.raises(StepFailed) as refusal, engine.execution("index-42", "plan-a") as run:
        run.gather("both", {"a": lambda: run.step("one", one), "b": lambda: run.step("two", two)})

    assert "waits for one that waits for it" in refusal.value.message


def test_a_branch_within_an_effect_carries_its_key(engine: contextful.Engine) -> None:
    run = engine.execution("index-42", "plan-a")

    def effect() -> object:
        return [contextful.idempotency_key(), *run.gather("both", {"a": contextful.idempotency_key}).values()]

    own, branch = run.step("fetch", effect)  # type: ignore[misc]

    assert own == branch


def test_a_recorded_value_whose_class_is_gone_is_refused_with_its_step(
    engine: contextful.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = engine.execution("index-42", "plan-a")
    run.step("fetch", lambda: Card("4242"))
    monkeypatch.delitem(globals(), "Card")

    with pytest.raises(contextful.Failed, match=r"what step fetch has recorded cannot be read: .*test_journal:Card"):
        run.step("fetch", lambda: None)
