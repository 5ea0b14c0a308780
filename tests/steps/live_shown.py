"""Steps of what the live view shows, and of what its subscribers have read."""

from __future__ import annotations

import json

from pytest_bdd import parsers, then

from contextful.kernel.shape import to_json
from contextful.runner.live import Live
from contextful_contract.shapes import FailureTag, RunStatus, StepStatus
from tests.steps.live import RUN, Watched
from tests.steps.stage import Stage


@then("the record of run `r-1` shows `success`")
def record_shows(watched: Watched) -> None:
    assert watched.run().status is RunStatus.SUCCESS


@then(parsers.parse("the hub holds {count:d} runs"))
def hub_holds(watched: Watched, count: int) -> None:
    assert len(watched.hub) == count


@then("a subscriber of run `r-1` reads `success` from the durable record")
def subscriber_reads(watched: Watched) -> None:
    subscription = Live(watched.rows, watched.stage.world).subscribe(RUN)
    assert subscription is not None
    assert [snapshot.status for snapshot in subscription.take()] == [RunStatus.SUCCESS]


@then(parsers.parse("no event for step `{label}` is emitted"))
def no_event(watched: Watched, label: str) -> None:
    subscription = watched.hub.subscribe("r-2")
    assert subscription is not None
    (view,) = subscription.take()
    assert StepStatus.COMPLETED not in [step.status for step in view.steps if step.label == label]


@then(parsers.parse("its snapshot is `{snapshot}`"))
def snapshot_is(stage: Stage, snapshot: str) -> None:
    assert json.dumps(stage.shown, separators=(",", ":")) == snapshot


@then(parsers.re(r"step `(?P<label>\w+)` shows `(?P<shown>.+)`"))
def step_shows(watched: Watched, label: str, shown: str) -> None:
    step = watched.step(label)
    assert to_json(step) == json.loads(shown) if shown.startswith("{") else step.status == shown


@then(parsers.parse("the failure of step `{label}` has the tag `{tag}`"))
def failure_has_the_tag(watched: Watched, label: str, tag: str) -> None:
    failure = watched.step(label).failure
    assert failure is not None
    assert failure.tag is FailureTag(tag)


@then(parsers.parse("the snapshot has status `{status}` and no error"))
def snapshot_has_no_error(watched: Watched, status: str) -> None:
    snapshot_has(watched, status)
    assert watched.view().error is None


@then(parsers.parse("the snapshot has status `{status}`"))
def snapshot_has(watched: Watched, status: str) -> None:
    assert watched.view().status is RunStatus(status)


@then(parsers.parse("the snapshot lists the steps `{labels}`"))
def snapshot_lists(watched: Watched, labels: str) -> None:
    assert [step.label for step in watched.view().steps] == labels.split(", ")


@then("the snapshot is unchanged")
def snapshot_is_unchanged(watched: Watched) -> None:
    assert watched.client == watched.before


@then(parsers.parse("the snapshot does not contain `{text}`"))
def snapshot_does_not_contain(watched: Watched, text: str) -> None:
    shown = json.dumps(to_json(watched.view()))
    assert "reference" in shown
    assert text not in shown


@then(parsers.parse("the output of step `{label}` has exactly the keys `{keys}`"))
def output_has_the_keys(watched: Watched, label: str, keys: str) -> None:
    assert sorted(to_json(watched.step(label).output)) == keys.split(", ")


@then("it closes `success`")
def closes_well(watched: Watched) -> None:
    assert watched.run().status is RunStatus.SUCCESS


@then("the channel has dropped events")
def channel_has_dropped(watched: Watched) -> None:
    assert watched.hub.emissions.dropped > 0


@then(parsers.parse("its journal holds {count:d} rows"))
def journal_holds(stage: Stage, count: int) -> None:
    assert stage.recorded_at_end == count


@then(parsers.parse("the subscriber receives the updates of `{instants}` ms"))
def subscriber_receives(watched: Watched, instants: str) -> None:
    due_ms = watched.stage.named["due"]
    assert isinstance(due_ms, int)
    watched.stage.world.skip(due_ms)
    watched.hub.turn()
    assert watched.seen() == list(map(int, instants.split(", ")))


@then("no two broadcasts are less than 100 ms apart")
def broadcasts_are_apart(watched: Watched) -> None:
    gaps = [later - before for before, later in zip(watched.told_ms, watched.told_ms[1:], strict=False)]
    assert gaps
    assert min(gaps) >= 100


@then(parsers.parse("the subscriber has received status `{status}` at {at:d} ms"))
def subscriber_has_received(watched: Watched, status: str, at: int) -> None:
    begun_ms = watched.stage.named["begun"]
    assert isinstance(begun_ms, int)
    assert (watched.read[-1].status, watched.told_ms[-1] - begun_ms) == (RunStatus(status), at)


@then(parsers.parse("its metadata serializes to {size:d} B"))
def metadata_serializes(watched: Watched, size: int) -> None:
    assert len(json.dumps(watched.view().metadata, separators=(",", ":"))) == size


@then("the client discards it")
def client_discards(watched: Watched) -> None:
    assert watched.client == watched.before


@then("the client applies it")
def client_applies(watched: Watched) -> None:
    assert watched.client.status is RunStatus.WAITING


@then("it has seen each of 1000 updates once, folded or live")
def has_seen_each(watched: Watched) -> None:
    """What it was handed first has the 400 before in it."""
    assert watched.seen() == list(range(400, 1_001))


@then("it reads the updates from 145 to 1000 in order")
def reads_in_order(watched: Watched) -> None:
    assert watched.seen() == list(range(145, 1_001))


@then(parsers.parse("its next update is number {number:d}"))
def next_update_is(watched: Watched, number: int) -> None:
    assert watched.subscription is not None
    assert next(iter(watched.subscription.take())).metadata["update"] == number
