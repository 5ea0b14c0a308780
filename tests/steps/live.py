"""Steps of the live view: a run that moves, the hub that folds it, and whoever subscribes to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from pytest_bdd import given, parsers, when

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel.change import Change as RowChange
from contextful.kernel.change import Update
from contextful.kernel.failure import StorageFailed
from contextful.kernel.shape import to_json
from contextful.kernel.table import Select
from contextful.run import project, record
from contextful.run.journal import journal
from contextful.runner.hub import Hub, Subscription
from contextful.runner.live import Live
from contextful_contract.shapes import (
    Change,
    ChangeKind,
    Delta,
    OutputRef,
    RunStatus,
    Snapshot,
    StepPatch,
    StepStatus,
    StepView,
    StopScope,
    Version,
)
from tests.steps.stage import Stage, instant_ms

RUN = "r-1"
STEPS_MANY = 10_000


class Failing:
    """Rows that take no answer of a step."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rows, name)

    def commit(self, *changes: RowChange, **survives: Any) -> bool:
        if any(isinstance(each, Update) and each.table is journal.ENTRY for each in changes):
            raise StorageFailed("the disk is full")
        return bool(self._rows.commit(*changes, **survives))


class Watched:
    """A run and its hub, with what each subscriber has read, and when it was told."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.rows: Any = stage.rows
        self.hub = Hub(stage.world)
        self.labels: list[str] = []
        self.execution: contextful.Execution | None = None
        self.subscription: Subscription | None = None
        self.read: list[Snapshot] = []
        self.told_ms: list[int] = []
        self.updates = 0
        self.client = Snapshot(
            run_id=RUN,
            workflow_id="w",
            status=RunStatus.RUNNING,
            steps=(),
            metadata={},
            version=Version(epoch=0, counter=0),
        )
        self.before = self.client

    def open(self, labels: Sequence[str] = ()) -> contextful.Execution:
        """Open the run, with these steps known and not begun."""
        self.stage.run_id = RUN
        engine = contextful.Engine(self.rows, self.stage.blobs, self.stage.world)
        engine.watch(self.hub)
        self.execution = engine.execution("scenario", "plan", run_id=RUN)
        self.stage.opened[RUN] = self.execution
        self.labels = list(labels)
        for label in labels:
            self.patch(StepPatch(label=label, status=StepStatus.PENDING))
        return self.execution

    def run(self) -> record.Run:
        """The run's row."""
        found = self.stage.onlooker().run(RUN)
        assert found is not None
        return found

    def patch(self, patch: StepPatch) -> None:
        """A step has moved."""
        self.hub.turn()
        self.hub.show(self.run(), [Change(kind=ChangeKind.STEP, step=patch)])

    def view(self) -> Snapshot:
        """What somebody who subscribes now is shown first."""
        subscription = self.hub.subscribe(RUN)
        assert subscription is not None
        (first, *_) = subscription.take()
        subscription.close()
        return first

    def step(self, label: str) -> StepView:
        """A step of that."""
        (found,) = [step for step in self.view().steps if step.label == label]
        return found

    def subscribe(self, *, oldest: bool = False) -> None:
        """Subscribe, and read what there is."""
        self.subscription = self.hub.subscribe(RUN, self.hear, oldest=oldest)
        self.hear()

    def hear(self) -> None:
        """Read what has come, at once."""
        assert self.subscription is not None or not self.read
        if self.subscription is not None:
            come = self.subscription.take()
            self.read += come
            self.told_ms += [self.stage.world.now_ms()] * len(come)

    def broadcast(self, count: int = 1) -> None:
        """As many updates, each broadcast on its own."""
        assert self.execution is not None
        for _ in range(count):
            self.stage.world.skip(100)
            self.updates += 1
            self.execution.annotate({"update": self.updates})
            self.hub.turn()

    def seen(self) -> list[Any]:
        """The updates that the subscriber has read."""
        return [snapshot.metadata["update"] for snapshot in self.read if "update" in snapshot.metadata]


@pytest.fixture
def watched(stage: Stage) -> Watched:
    """A hub that has seen nothing yet."""
    return Watched(stage)


@given(parsers.parse("a live run `r-1` with the steps `{labels}`"))
def live_run(watched: Watched, labels: str) -> None:
    watched.open(labels.split(", "))


@given("a live run `r-1` that broadcasts 1000 updates")
def live_run_that_broadcasts(watched: Watched) -> None:
    watched.open()
    watched.hub.turn()


@given("a subscriber of run `r-1`")
def subscriber(watched: Watched) -> None:
    watched.open()
    watched.hub.turn()
    watched.stage.world.skip(60_000)
    watched.subscribe()
    watched.told_ms.clear()


@given(parsers.parse("a hub started at `{at}`"))
def hub_started(watched: Watched, at: str) -> None:
    watched.stage.world.skip(instant_ms(at) - watched.stage.world.now_ms())
    watched.hub = Hub(watched.stage.world)


@given("an observer that takes no event")
def observer_that_takes_none(watched: Watched) -> None:
    """Nobody has the hub's turn."""
    watched.rows = watched.stage.rows = MemoryRows()
    watched.stage.blobs = RowBlobs(watched.rows)


@given(parsers.parse("a run whose metadata serializes to {size:d} B"))
def run_whose_metadata(watched: Watched, size: int) -> None:
    watched.open()
    metadata_is_written(watched, size)


@given(parsers.parse('a client at version `("{epoch}", {counter:d})`'))
def client_at(watched: Watched, epoch: str, counter: int) -> None:
    watched.client = replace(watched.client, version=Version(epoch=instant_ms(epoch), counter=counter))


@given("a subscriber of run `r-1` that has read update 1")
def subscriber_that_has_read(watched: Watched) -> None:
    watched.open()
    watched.hub.turn()
    watched.broadcast()
    watched.subscription = watched.hub.subscribe(RUN)
    watched.hear()
    assert watched.seen() == [1]


@given(parsers.parse("step `{label}` is `{status}`"))
def step_is(watched: Watched, label: str, status: str) -> None:
    step_becomes(watched, label, status, 1)


@given(parsers.parse("step `{label}` has the output `{output}`"))
def step_has_the_output(watched: Watched, label: str, output: str) -> None:
    watched.patch(StepPatch(label=label, output=OutputRef(**json.loads(output))))


@given(parsers.parse("run `r-1` has ended `{status}`"))
def run_has_ended(watched: Watched, status: str) -> None:
    assert watched.execution is not None
    watched.execution.leave(None if status == "success" else contextful.Permanent("no luck"))
    watched.hub.turn()
    assert watched.view().status == status


@given(parsers.parse("run `r-1` has ended `{status}` and its event is folded"))
def run_has_ended_and_is_folded(watched: Watched, status: str) -> None:
    watched.open()
    run_has_ended(watched, status)


@given(parsers.parse("the record of run `r-1` says `{status}`"))
def record_says(watched: Watched, status: str) -> None:
    watched.hub.turn()
    assert watched.rows.commit(Update(record.RUN, {"run_id": RUN}, {}, {"status": status}))


@when("the hub loses all it holds")
def hub_loses_all(watched: Watched) -> None:
    watched.hub = Hub(watched.stage.world)


@when("the process restarts")
def process_restarts(watched: Watched) -> None:
    watched.hub = Live(watched.rows, watched.stage.world).hub


@when("run `r-1` runs to its end")
def run_runs_to_its_end(watched: Watched) -> None:
    assert watched.execution is not None
    for label in watched.labels:
        watched.execution.step(label, lambda: "ok")
    watched.execution.leave(None)


@when(parsers.parse("the durable write for step `{label}` fails"))
def durable_write_fails(watched: Watched, label: str) -> None:
    watched.execution = None
    watched.stage.opened.pop(RUN).drop()
    watched.stage.world.skip(60_000)
    watched.hub = Hub(watched.stage.world)
    engine = contextful.Engine(Failing(watched.rows), watched.stage.blobs, watched.stage.world)
    engine.watch(watched.hub)
    run = watched.stage.opened["r-2"] = engine.execution("scenario", "plan", run_id="r-2")
    with pytest.raises(StorageFailed):
        run.step(label, lambda: "ok")


@when("a run `r-1` of pipeline `shop` is `running` with no steps")
def run_is_running(watched: Watched) -> None:
    """Its status is all that is known of it."""
    version = Version(epoch=watched.stage.world.now_ms(), counter=1)
    fold = project.Fold(RUN, "shop", replace(version, counter=0))
    assert fold.take(version, Change(kind=ChangeKind.STATUS, status=RunStatus.RUNNING))
    watched.stage.shown = to_json(fold.snapshot())


@when(parsers.parse("step `{label}` becomes `{status}` at attempt {attempt:d}"))
def step_becomes(watched: Watched, label: str, status: str, attempt: int) -> None:
    watched.patch(StepPatch(label=label, status=StepStatus(status), attempts=attempt))


@when("run `r-1` is stopped")
def run_is_stopped(watched: Watched) -> None:
    assert watched.execution is not None
    watched.execution.leave(contextful.Stopped("enough", scope=StopScope.RUN))


@when("a run of 10000 steps runs")
def run_of_many_steps(watched: Watched) -> None:
    with watched.open() as run:
        for number in range(STEPS_MANY):
            run.step(f"step-{number}", int)
        recorded = Select(journal.ENTRY, {"execution_id": run.execution_id}, limit=STEPS_MANY + 1)
        watched.stage.recorded_at_end = len(watched.rows.select(recorded))


@when("the observer takes its events")
def observer_takes(watched: Watched) -> None:
    watched.hub.turn()


@when("the projection of run `r-1` is read")
def projection_is_read(watched: Watched) -> None:
    live = Live(watched.rows, watched.stage.world)
    live.hub = watched.hub
    assert live.subscribe(RUN) is not None


@when(parsers.parse("updates come at `{instants}` ms"))
def updates_come(watched: Watched, instants: str) -> None:
    assert watched.execution is not None
    begun_ms = watched.stage.world.now_ms()
    for at in map(int, instants.split(", ")):
        watched.stage.world.skip(begun_ms + at - watched.stage.world.now_ms())
        watched.execution.annotate({"update": at})
        due_ms = watched.hub.turn()
    watched.stage.named["begun"] = begun_ms
    watched.stage.named["due"] = due_ms


@when(parsers.parse("run `r-1` ends `success` at {at:d} ms"))
def run_ends_at(watched: Watched, at: int) -> None:
    assert watched.execution is not None
    begun_ms = watched.stage.named["begun"]
    assert isinstance(begun_ms, int)
    watched.stage.world.skip(begun_ms + at - watched.stage.world.now_ms())
    watched.execution.leave(None)
    watched.hub.turn()


@when(parsers.parse("metadata is written that makes it {size:d} B"))
def metadata_is_written(watched: Watched, size: int) -> None:
    assert watched.execution is not None
    padding = "x" * (size - len(json.dumps({"of": ""}, separators=(",", ":"))))
    try:
        watched.execution.annotate({"of": padding})
    except contextful.ContextfulError as refusal:
        watched.stage.error = refusal


@when(parsers.parse('a delta of version `("{epoch}", {counter:d})` comes'))
def delta_comes(watched: Watched, epoch: str, counter: int) -> None:
    version = Version(epoch=instant_ms(epoch), counter=counter)
    watched.before = watched.client
    watched.client = project.reduce(watched.client, _delta(watched.client, version, RunStatus.WAITING))


@when("a delta at its own version comes")
def delta_at_its_own_version(watched: Watched) -> None:
    watched.before = watched.view()
    watched.client = project.reduce(watched.before, _delta(watched.before, watched.before.version, RunStatus.WAITING))


@when(parsers.parse("a status event `{status}` comes"))
def status_event_comes(watched: Watched, status: str) -> None:
    held = watched.view()
    above = replace(held.version, counter=held.version.counter + 1)
    watched.client = project.reduce(held, _delta(held, above, RunStatus(status)))
    assert watched.client.status == held.status


@when(parsers.parse("step `{label}` records the 12 bytes `{text}`"))
def step_records(watched: Watched, label: str, text: str) -> None:
    assert watched.execution is not None
    watched.execution.step(label, lambda: text)


@when("a subscriber connects at update 400")
def connects(watched: Watched) -> None:
    watched.broadcast(400)
    watched.subscribe()
    watched.broadcast(600)


@when("a late joiner connects at update 400 and asks for the oldest snapshot")
def joins_late(watched: Watched) -> None:
    watched.broadcast(400)
    watched.subscribe(oldest=True)
    watched.broadcast(600)


@when(parsers.parse("{count:d} more updates are broadcast"))
def more_are_broadcast(watched: Watched, count: int) -> None:
    watched.broadcast(count)


def _delta(held: Snapshot, version: Version, status: RunStatus) -> Delta:
    change = Change(kind=ChangeKind.STATUS, status=status)
    return Delta(run_id=held.run_id, workflow_id=held.workflow_id, version=version, change=change)
