"""Jobs over rows, beyond what the scenarios say: bodies that wait, that are coroutines, that ask for too much."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.parquet import ParquetStore
from contextful.adapters.row_blobs import RowBlobs
from contextful.pipeline import compile
from contextful.pipeline.spec import JobSpec, TableSpec
from contextful.ports.observer import Progress, RowCame, Spent
from contextful.ports.read_face import NONE, Answer
from contextful.run.journal import store_driven_input
from contextful.runner.bodies import Bodies, built_from
from contextful.runner.job import Fired, Jobs
from contextful.runner.land import Landings
from contextful.runner.own import standing_owner
from contextful.runner.row import Row
from contextful.testing import SkippingWorld
from contextful_contract.errors import ExecutionPinMismatch
from contextful_contract.shapes import Awakeable, ConnectorPin, JobKind, ProviderConfiguration
from tests.steps.shift import Threads

SPEC = JobSpec(
    "score", JobKind.STORE_DRIVEN, body="score", statement="select id from tickets", tables=(TableSpec("scores"),)
)
PIN = ConnectorPin(id="body", version="1", world="native", hash="h")


class Tickets:
    """A table of so many rows."""

    rows = 5

    def query(
        self,
        sql: str,
        *,
        rows_max: int,
        as_of_ms: int | None = None,
        available_as_of_ms: int | None = None,
        tables_as_of_ms: Mapping[str, int] = NONE,
    ) -> Answer:
        """All of them."""
        return Answer(("id",), ("BIGINT",), [(number,) for number in range(self.rows)], truncated=False)


class Desk:
    """A job's stores; each fire is a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.world = SkippingWorld()
        self.rows = MemoryRows()
        self.folder = folder
        self.fires = 0
        self.onlooker: Callable[[Progress], object] = lambda _: None

    def fire(self, code: Callable[[Row], Any], spec: JobSpec = SPEC, **registered: Any) -> Fired:
        """Fire the job with this body."""
        self.fires += 1
        bodies = Bodies()
        bodies.register("score", effects=["judge"], **registered)(code)
        engine = self.engine()
        store = ParquetStore(self.folder, self.world, node_id="node")
        landings = Landings(engine, self.rows, self.world, store, site_id="here", connectors=lambda _: PIN)
        jobs = Jobs(engine, self.world, Tickets(), landings)
        return jobs.fire(compile.job(spec), bodies.body("score", job="score"), run_id=f"f-{self.fires}")

    def engine(self) -> contextful.Engine:
        """The engine of a process."""
        return contextful.Engine(self.rows, RowBlobs(self.rows), self.world, observer=self)

    def tell(self, progress: Progress) -> None:
        """Somebody may look on."""
        self.onlooker(progress)

    def waits(self) -> Sequence[Awakeable]:
        """What the job's rows wait for."""
        owner = standing_owner(self.rows, store_driven_input.scope("score"))
        return () if owner is None else self.engine().awaited(owner.execution_id)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    return Desk(tmp_path)


def test_a_body_may_be_a_coroutine(desk: Desk) -> None:
    async def score(row: Row) -> None:
        await asyncio.sleep(0)
        row.emit("scores", {"id": row["id"]})

    assert desk.fire(score).rows == 5


@pytest.mark.parametrize("text", ["\ud800", {"deep": ["\ud800"]}], ids=["text", "nested"])
def test_half_a_character_is_refused_by_its_column(desk: Desk, text: Any) -> None:
    with pytest.raises(contextful.ContextfulError, match=r"column 'said' of row 0 .*\\ud800"):
        desk.fire(lambda row: row.emit("scores", {"said": text}))


def test_a_body_that_ends_its_process_has_failed_and_ends_nothing(desk: Desk) -> None:
    with pytest.raises(contextful.StepFailed, match=r"asks its process to end: SystemExit\(3\)"):
        desk.fire(lambda _: sys.exit(3))


def test_a_body_that_yields_is_refused_as_it_registers() -> None:
    def score(row: Row) -> Iterator[Row]:
        yield row

    with pytest.raises(TypeError, match="body score yields"):
        Bodies().register("score")(score)


def test_a_row_that_waits_lets_the_others_go_on_and_the_next_fire_enters_it_again(desk: Desk) -> None:
    asked: list[int] = []

    def judge(number: int) -> int:
        asked.append(number)
        if number == 3 and asked.count(3) == 1:
            raise contextful.RateLimited("later", retry_after_ms=400_000)
        return number

    def score(row: Row) -> None:
        row.emit("scores", {"id": row.step("judge", judge, row["id"])})

    with pytest.raises(contextful.Suspended) as waits:
        desk.fire(score, implementation="d1")
    desk.world.skip(waits.value.until_ms - desk.world.now_ms())

    assert desk.fire(score, implementation="d1").rows == 5
    assert asked == [0, 1, 2, 3, 4, 3], "the others did not wait for it"


def test_whoever_watches_sees_how_many_rows_are_through_and_what_they_have_cost(desk: Desk) -> None:
    seen: list[Progress] = []
    desk.onlooker = seen.append

    def score(row: Row) -> None:
        row.step("judge", row.spend, 0.1, "USD")

    desk.fire(score)

    assert [each for each in seen if isinstance(each, RowCame)][-1] == RowCame(5, 0, 5)
    assert [each for each in seen if isinstance(each, Spent)][-1] == Spent({"USD": 0.5})


@pytest.mark.parametrize("amount", [-1, float("nan"), "dear"])
def test_an_amount_that_is_none_is_refused(desk: Desk, amount: Any) -> None:
    with pytest.raises(contextful.StepFailed, match="must be a number that is not negative"):
        desk.fire(lambda row: row.spend(amount))


@pytest.mark.parametrize("value", [float("nan"), [1.0, float("inf")], {"a": {"b": -float("inf")}}])
def test_a_number_that_is_none_is_refused_where_it_is_emitted(desk: Desk, value: Any) -> None:
    with pytest.raises(contextful.StepFailed, match="column 'likely' of table scores is "):
        desk.fire(lambda row: row.emit("scores", {"id": row["id"], "likely": value}))


def test_a_failed_row_is_tried_again_by_the_next_fire_and_what_others_paid_for_is_not(desk: Desk) -> None:
    asked: list[int] = []

    def judge(number: int) -> int:
        asked.append(number)
        if number == 1 and len(asked) == 2:
            raise contextful.Permanent("no luck")
        return number

    def score(row: Row) -> None:
        row.emit("scores", {"id": row.step("judge", judge, row["id"])})

    with pytest.raises(contextful.StepFailed):
        desk.fire(score, implementation="d1")

    assert desk.fire(score, implementation="d1").rows == 5
    assert asked == [0, 1, 1, 2, 3, 4]


@pytest.mark.clause("run.suspend.row-parks")
def test_an_answer_to_any_of_the_rows_that_wait_wakes_the_run(desk: Desk) -> None:
    def score(row: Row) -> None:
        ttl = "1h" if row.key == 0 else "24h"
        row.emit("scores", {"id": row["id"], "answer": row.wait("approve", ttl=ttl, hold="0s")})

    with pytest.raises(contextful.Suspended):
        desk.fire(score, implementation="d1")
    (last,) = [each for each in desk.waits() if each.step_label.startswith("row/4")]

    desk.engine().resolve(last.token, "yes")

    owner = standing_owner(desk.rows, store_driven_input.scope("score"))
    assert owner is not None
    assert owner.waiting_until_ms == desk.world.now_ms()


@pytest.mark.clause("run.suspend.row-parks")
def test_an_answer_that_comes_before_the_close_to_a_row_that_has_left_is_not_waited_for(desk: Desk) -> None:
    def score(row: Row) -> None:
        if row.key == 1:  # the one before has left by now
            desk.engine().resolve(desk.waits()[0].token, "yes")
        row.wait("approve", ttl="24h" if row.key == 0 else "1h", hold="0s")

    with pytest.raises(contextful.Suspended):
        desk.fire(score, implementation="d1")

    run = desk.engine().run("f-1")
    assert run is not None
    assert run.next_attempt_ms == desk.world.now_ms()


@pytest.mark.clause("run.suspend.row-parks")
def test_a_row_that_fails_beside_one_that_waits_fails_the_run(desk: Desk) -> None:
    def score(row: Row) -> None:
        if row.key == 0:
            row.wait("approve", hold="0s")
        raise contextful.Permanent("no luck")

    with pytest.raises(contextful.StepFailed):
        desk.fire(score, implementation="d1")

    run = desk.engine().run("f-1")
    assert run is not None
    assert run.status == "failed"


@pytest.mark.clause("run.retry.failure-let-go")
def test_all_rows_that_failed_side_by_side_are_tried_again(desk: Desk) -> None:
    desk.world = Threads()
    inside = threading.Barrier(2)

    def fails(row: Row) -> None:
        inside.wait(10)
        raise contextful.Permanent("no luck")

    with pytest.raises(contextful.StepFailed):
        desk.fire(fails, replace(SPEC, max_in_flight=2), implementation="d1")

    assert desk.fire(lambda row: row.emit("scores", {"id": row["id"]}), implementation="d1").rows == 5


def test_a_step_that_was_not_registered_is_refused_by_its_label(desk: Desk) -> None:
    def score(row: Row) -> None:
        row.step("bribe", int)

    with pytest.raises(contextful.StepFailed, match="bribe is none of its effects"):
        desk.fire(score)


def test_a_landing_that_failed_lands_what_the_others_did_not(desk: Desk) -> None:
    spec = replace(SPEC, tables=(TableSpec("scores"), TableSpec("notes", primary_key=("id",))))

    def half(row: Row) -> None:
        row.emit("scores", {"id": row["id"]})
        row.emit("notes", {"note": "a row without its key"})

    with pytest.raises(contextful.ContextfulError):
        desk.fire(half, spec, implementation="d1")
    with pytest.raises(contextful.ContextfulError):
        desk.fire(half, spec, implementation="d1")

    landed = ParquetStore(desk.folder, desk.world, node_id="node").manifests("score_scores")
    assert [manifest.run_id for manifest in landed] == ["f-1.scores"], "and not once more"


def test_another_source_of_the_same_name_is_another_implementation(desk: Desk, tmp_path: Path) -> None:
    def first(row: Row) -> None:
        raise contextful.Permanent("no luck")

    def pays(row: Row) -> None:
        row.step("judge", int)
        raise contextful.Permanent("no luck")

    with pytest.raises(contextful.StepFailed):
        desk.fire(pays)

    with pytest.raises(ExecutionPinMismatch):
        desk.fire(first)
    assert built_from(first) != built_from(pays)


@pytest.mark.parametrize(
    ("endpoint", "parameters"),
    [
        ("https://models.example/v1?api_key=sk-live-0123456789abcdef", {}),
        ("https://models.example/v1", {"header": "Authorization: Bearer abcdefghijklmnop"}),
    ],
    ids=["in its query", "among its parameters"],
)
@pytest.mark.clause("run.own.body-public-configuration")
def test_a_provider_is_registered_without_its_credential(endpoint: str, parameters: dict[str, Any]) -> None:
    provider = ProviderConfiguration(endpoint=endpoint, model="m-1", parameters=parameters)

    with pytest.raises(contextful.Failed, match="credential"):
        Bodies().register("score", provider=provider)(print)


@pytest.mark.clause("run.record.job-trace", "run.record.sweep-bounds")
def test_a_fire_without_a_caller_is_one_trace_and_its_row_has_what_it_read(desk: Desk) -> None:
    desk.fire(lambda row: row.emit("scores", {"id": row["id"]}))

    runs = contextful.Engine(desk.rows, RowBlobs(desk.rows), desk.world).history()
    (fire,) = [run for run in runs if run.run_id == "f-1"]
    assert [run.table for run in runs if run.run_id != "f-1"] == ["scores"]
    assert {run.trace_id for run in runs} == {fire.trace_id}
    assert fire.input is not None
    assert (fire.input.rows, fire.input.as_of) == (5, fire.started_ms)


def test_what_a_body_emitted_before_it_failed_does_not_land(desk: Desk) -> None:
    failed: set[int] = set()

    def score(row: Row) -> None:
        row.emit("scores", {"id": row["id"]})
        if row.key not in failed:
            failed.add(row.key)
            raise contextful.Transient("not yet")

    assert desk.fire(score).rows == 5


def test_a_resumed_fire_begins_with_the_rows_that_nobody_was_through(desk: Desk) -> None:
    """What is on record is looked up afterwards: it keeps nobody from the work that is left."""
    entered: list[int] = []

    def score(row: Row) -> None:
        entered.append(row["id"])
        if row["id"] == 3 and entered.count(3) == 1:
            raise contextful.Permanent("no luck")
        row.emit("scores", {"id": row["id"]})

    looked: list[str] = []
    with pytest.raises(contextful.StepFailed):
        desk.fire(score, implementation="d1")
    desk.onlooker = lambda progress: looked.append(getattr(progress, "label", ""))

    assert desk.fire(score, implementation="d1").rows == 5
    assert entered == [0, 1, 2, 3, 3, 4]
    assert [label for label in looked if label.startswith("row/")][:2] == ["row/3", "row/3"], "begun, and recorded"
