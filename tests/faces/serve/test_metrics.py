"""What is counted of runs, and what is read off the record of them, as Prometheus is told it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.faces.serve.metrics import Metrics
from contextful.runner.hub import Hub
from contextful.testing import SkippingWorld

Samples = dict[tuple[str, str], float]
CHARGED = "no luck"


class Desk:
    """An engine that is watched, and its figures."""

    def __init__(self) -> None:
        rows = MemoryRows()
        self.world = SkippingWorld()
        self.engine = contextful.Engine(rows, RowBlobs(rows), self.world)
        self.metrics = Metrics(self.engine.in_flight, self.world.now_ms, lambda: 3)
        self.engine.watch(self.metrics)

    def figures(self) -> Samples:
        """Each sample that is no zero, by its name and the value of its label."""
        families = text_string_to_metric_families(self.metrics.text().decode())
        samples = [sample for family in families for sample in family.samples if not sample.name.endswith("_created")]
        named = {(each.name.removeprefix("contextful_"), "".join(each.labels.values())): each.value for each in samples}
        return {name: value for name, value in named.items() if value}


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    with made.engine:
        yield made


def test_steps_claims_retries_and_recorded_bytes_are_counted(desk: Desk) -> None:
    calls: list[int] = []

    def flaky() -> str:
        calls.append(1)
        if len(calls) == 1:
            raise contextful.Transient(CHARGED)
        return "page"

    with desk.engine.execution("orders", "plan") as run:
        run.step("fetch", flaky, retry=contextful.Schedule(attempts=2))
        run.step("fetch", flaky, retry=contextful.Schedule(attempts=2))

    assert desk.figures() == {
        ("runs_opened_total", ""): 1,
        ("runs_closed_total", "success"): 1,
        ("claims_total", ""): 2,
        ("retries_total", "Transient"): 1,
        ("steps_total", "recorded"): 1,
        ("steps_total", "replayed"): 1,
        ("journal_bytes_total", ""): 6,
        ("stream_subscribers", ""): 3,
    }


def test_runs_in_flight_and_their_leases_are_read_off_the_record(desk: Desk) -> None:
    desk.engine.execution("lost", "plan").drop()
    desk.world.skip(31_000)
    desk.engine.execution("at-work", "plan").drop()
    with pytest.raises(contextful.Suspended), desk.engine.execution("waits", "plan") as run:
        run.awakeable("approve").wait()

    figures = desk.figures()

    assert figures["runs_in_flight", "running"] == 2
    assert figures["runs_in_flight", "waiting"] == 1
    assert figures["leases", "held"] == figures["leases", "lapsed"] == figures["waits_total", ""] == 1


def test_a_wait_that_another_run_goes_on_with_is_in_flight_no_more(desk: Desk) -> None:
    def attempt() -> None:
        with desk.engine.execution("waits", "plan") as run:
            run.awakeable("approve").wait()

    for _ in range(2):
        with pytest.raises(contextful.Suspended):
            attempt()

    assert desk.figures()["runs_in_flight", "waiting"] == 1


def test_readers_of_the_live_view_are_counted_while_they_read(desk: Desk) -> None:
    hub = Hub(desk.world)
    with desk.engine.execution("orders", "plan", run_id="r-1"):
        pass
    (run,) = desk.engine.history()
    hub.show(run)

    readers = [hub.subscribe("r-1"), hub.subscribe("r-1", lambda: None), hub.subscribe("r-9")]
    reading = hub.subscriber_count()
    assert readers[0] is not None
    readers[0].close()

    assert (reading, hub.subscriber_count()) == (2, 1)
