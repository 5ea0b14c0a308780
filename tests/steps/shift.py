"""A store-driven job under test: the rows that its statement has, a body with a script, and what was seen inside."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

import contextful
from contextful.adapters.parquet import ParquetStore
from contextful.adapters.system import SystemWorld
from contextful.faces.tracing import TRACEPARENT
from contextful.kernel import trace
from contextful.kernel.shape import to_json
from contextful.pipeline import compile
from contextful.pipeline.spec import BodyOutput, JobSpec, TableSpec
from contextful.ports.read_face import NONE as UNBOUND
from contextful.ports.read_face import Answer
from contextful.ports.world import Event, Task
from contextful.run import record
from contextful.run.journal import store_driven_input
from contextful.run.own.body_pins import Projection
from contextful.runner import delegate
from contextful.runner.bodies import Bodies
from contextful.runner.delegate import NONE, Bound
from contextful.runner.job import Fired, Jobs
from contextful.runner.land import Landings
from contextful.runner.row import Row
from contextful.store import lay_out
from contextful.testing import Crash, Crashes, CrashingBlobs, CrashingRows, SkippingWorld
from contextful_contract.shapes import ConnectorPin, JobKind, ProviderConfiguration
from tests.steps.stage import LEASE_LAPSED_MS, Stage

JOB = "score"
ENDS = (Exception, Crash, contextful.Suspended, contextful.Stopped)
WAIT_S = 10
CREDENTIAL = "sk-live-0123456789abcdef"


class Threads(SkippingWorld):
    """The skipping clock, with rows in threads of their own."""

    def start(self, name: str, work: Callable[[], None]) -> Task:  # type: ignore[override]
        return SystemWorld().start(name, work)

    def wait(self, event: Event, timeout_ms: int) -> bool:
        """Skip the timeout; but another thread gets to do what is waited for, such as to leave a lock."""
        event.wait(0.001)
        return super().wait(event, timeout_ms)


class Reads:
    """A read face that counts how often it is asked."""

    def __init__(self) -> None:
        self.rows = 3
        self.snapshot = "snapshot-7"
        self.ceiling = 1_000
        self.count = 0
        self.given: list[tuple[object, ...]] = []  # in the place of the numbers

    def query(
        self,
        sql: str,
        *,
        rows_max: int,
        as_of_ms: int | None = None,
        available_as_of_ms: int | None = None,
        tables_as_of_ms: Mapping[str, int] = UNBOUND,
    ) -> Answer:
        """The rows by their number."""
        self.count += 1
        ceiling = min(rows_max, self.ceiling)
        rows = self.given or [(number,) for number in range(self.rows)]
        snapshots = {"tickets": self.snapshot}
        return Answer(("id",), ("BIGINT",), rows[:ceiling], truncated=len(rows) > ceiling, snapshots=snapshots)


class Shift:
    """A job and its body, what has been seen inside it, and the fires so far."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.reads = Reads()
        self.spec = JobSpec(
            JOB, JobKind.STORE_DRIVEN, body=JOB, statement="select id from tickets", tables=(TableSpec("scores"),)
        )
        self.implementation = "d1"
        self.dependencies: dict[str, Any] = {}
        self.provider: ProviderConfiguration | None = None
        self.identity: str | None = None
        self.projection: Projection | None = None
        self.emits: list[str] = ["scores"]
        self.each = 1
        self.columns: dict[str, Any] = {}  # of every row that it emits, beside those that it always has
        self.credential = ""
        self.asks = 0  # how many calls of its delegate the body makes a row
        self.delegates: Mapping[str, Bound] = NONE
        self.throttled: set[int] = set()  # calls that the vendor has refused once, naming the credential
        self.entered: list[int] = []
        self.completed: set[int] = set()
        self.inside = 0
        self.inside_max = 0
        self.turn = threading.Lock()
        self.enters: Callable[[Row], None] = lambda _: None
        self.before_commit: Callable[[], None] = lambda: None
        self.fired: Fired | None = None
        self.pins: dict[str, str] = {}
        self.returned: list[int] = []
        self.before: object = None

    def body(self, row: Row) -> None:
        """One paid call, and as many rows as the scenario says."""
        with self.turn:
            self.entered.append(row.key)
            self.inside += 1
            self.inside_max = max(self.inside_max, self.inside)
            owner = self.stage.owner(store_driven_input.scope(JOB))
            assert owner is not None
            self.stage.pins = owner.pins
            self.pins = dict(owner.pins.identities)
        try:
            self.enters(row)
            for _ in range(self.asks):
                self.stage.seen["answers"].append(row.call({"id": row["id"]}))
            row.step("score", self.call, row["id"])
            for table in self.emits:
                for number in range(self.each):
                    row.emit(table, {"id": row["id"], "number": number, **self.columns})
        finally:
            with self.turn:
                self.inside -= 1
                self.returned.append(row.key)
        self.completed.add(row.key)

    def call(self, number: int) -> int:
        """A paid call."""
        if self.credential and number not in self.throttled:
            self.throttled.add(number)
            raise contextful.Transient(f"not now, says the vendor to Authorization: Bearer {self.credential}")
        with self.turn:
            self.stage.sent.append(contextful.idempotency_key())
            self.stage.seen["idempotency keys"].append(contextful.idempotency_key())
        return number

    def bodies(self) -> Bodies:
        """What the binary registers."""
        bodies = Bodies()
        bodies.register(
            JOB,
            effects=["score"],
            dependencies=self.dependencies,
            provider=self.provider,
            implementation=self.implementation,
        )(self.body)
        return bodies

    def store(self) -> ParquetStore:
        """The store that it lands in."""
        return ParquetStore(self.stage.folder / lay_out.root("jobs"), self.stage.world, node_id="node")

    def fire(self, run_id: str | None = None) -> None:
        """Fire the job in a process of its own."""
        stage = self.stage
        stage.begin(run_id)
        stage.scope = store_driven_input.scope(JOB)
        rows = CrashingRows(stage.rows, stage.crashes)
        engine = contextful.Engine(
            rows,
            CrashingBlobs(stage.blobs, stage.crashes),
            stage.world,
            site_id="here",
            observer=stage,
            trace_id=trace.of_caller(os.environ.get(TRACEPARENT)),
        )
        if stage.exporter is not None:
            engine.watch(stage.exporter())
        landings = Landings(engine, rows, stage.world, self.store(), site_id="here", connectors=_connector)
        landed = _Interrupted(landings, self)
        jobs = Jobs(engine, stage.world, self.reads, landed, delegates=self.delegates)  # type: ignore[arg-type]
        try:
            body = self.bodies().body(JOB, job=JOB) if self.spec.body else delegate.whole()
            self.fired = jobs.fire(
                compile.job(self.spec), body, run_id=stage.run_id, identity=self.identity, projection=self.projection
            )
            stage.outcome = self.fired
        except ENDS as error:
            stage.error = error
        self.noted()

    def noted(self) -> None:
        """What a fire leaves to be looked at."""
        if (run := self.stage.onlooker().run(self.stage.run_id)) is not None:
            self.stage.seen["plan references"].append(run.plan_ref)
        if (given := self.input()) is not None:
            rows = ", ".join(str(row["id"]) for row in given.rows)
            step = {"rows": rows, "snapshots": given.snapshots, "as_of": given.as_of}
            recorded = None if run is None or run.input is None else to_json(run.input)
            self.stage.shown = {"first step": step, "input": recorded}

    def input(self) -> Any:
        """The recorded input of the last fire that got so far."""
        return self.stage.named.get("input")

    def reading(self, statement: str) -> JobSpec:
        """The job, over another statement."""
        return replace(self.spec, statement=statement)

    def again(self) -> None:
        """In a new process, once the lease of the one before has lapsed."""
        self.stage.crashes = Crashes()
        self.enters = lambda _: None
        self.stage.world.skip(LEASE_LAPSED_MS)
        self.fire()

    def landed(self, table: str) -> int:
        """How many rows the table has."""
        return sum(run.counts.rows for run in self.runs(table) if run.status is contextful.RunStatus.SUCCESS)

    def runs(self, table: str) -> list[record.Run]:
        """The runs that landed in the table."""
        return [run for run in self.stage.onlooker().history() if (run.pipeline_id, run.table) == (JOB, table)]


class _Interrupted:
    """Landings before whose commit something happens."""

    def __init__(self, landings: Landings, shift: Shift) -> None:
        self._landings = landings
        self._shift = shift

    def position(self, plan: Any) -> str | None:
        """Where the table stands."""
        return self._landings.position(plan)

    def writer(self, plan: Any) -> Any:
        """What prepares the table's rows."""
        return self._landings.writer(plan)

    def run(self, plan: Any, opened: Any, *, run_id: str, admit: Callable[[], None], within: Any) -> Any:
        """Land, after what happens."""

        def admitted() -> None:
            self._shift.before_commit()
            admit()

        return self._landings.run(plan, opened, run_id=run_id, admit=admitted, within=within)


@pytest.fixture
def shift(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Shift:
    """A job that has not fired; what its first step records is noted."""
    made = Shift(stage)
    recorded = store_driven_input.recorded

    def noted(as_of_ms: int, snapshots: Mapping[str, str], rows: Any, *, truncated: bool) -> Any:
        given = recorded(as_of_ms, snapshots, rows, truncated=truncated)
        stage.named["input"] = given
        return given

    monkeypatch.setattr(store_driven_input, "recorded", noted)
    return made


def _connector(spec: object) -> ConnectorPin:
    assert isinstance(spec, BodyOutput)
    return ConnectorPin(id="body", version="1", world="native", hash="h")
