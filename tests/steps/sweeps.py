"""Steps of sweeps: a store whose rows became known and were committed when a scenario says; what origins read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.answers import Answers, RememberedReads
from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.parquet import ParquetStore
from contextful.kernel import instant
from contextful.kernel.shape import to_json
from contextful.kernel.signal import Signal
from contextful.pipeline import compile, declare
from contextful.pipeline.spec import JobSpec, PipelineSpec, PythonSource, TableSpec
from contextful.ports.read_face import Answer
from contextful.run import sweep
from contextful.run.journal import store_driven_input
from contextful.run.own import own
from contextful.run.record import Run
from contextful.runner.bodies import Bodies
from contextful.runner.job import Jobs
from contextful.runner.land import Landings
from contextful.runner.row import Row
from contextful.store.cache import Caller
from contextful.store.schema import Type
from contextful.testing import Crash, Crashes, CrashingBlobs, CrashingRows, PagedSource, SkippingWorld
from contextful_contract.shapes import ConnectorPin, JobKind, Sweep, SweepState
from tests.steps.shop import Unsynced
from tests.steps.stage import Stage, instant_ms

JOB = "ask"
FACTS = PipelineSpec(
    "facts",
    PythonSource("facts:facts"),
    (TableSpec("facts", columns={"name": Type.UTF8}, available_time="known_at"),),
)
PIN = ConnectorPin(id="it", version="1", world="native", hash="h")
ENDS = (Exception, Signal, Crash)


class Ticking(SkippingWorld):
    """A world in which no two things happen at the same instant."""

    def now_ms(self) -> int:
        """A millisecond later than it was."""
        self.skip(1)
        return super().now_ms()

    def come_to(self, at_ms: int) -> None:
        """It is that instant when somebody asks next."""
        self.skip(at_ms - super().now_ms() - 1)


class Nothing:
    """What a scenario reads that asks about no table: one row, at once."""

    def query(self, sql: str, *, rows_max: int, **_: object) -> Answer:
        """The row."""
        return Answer(("facts", "notes"), ("VARCHAR", "VARCHAR"), [(None, None)], truncated=False)


@dataclass(frozen=True)
class Planted:
    """A row, from when on it could be known, and when it is committed."""

    name: str
    available_ms: int
    committed_ms: int


@dataclass(frozen=True)
class Seen:
    """What an origin has read."""

    number: int
    names: Sequence[str]


class Sweeping:
    """A job with a sweep, its store, and what its origins have read."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.sweep = Sweep(start=0, end=0, step="1d", state=SweepState.FRESH)
        self.as_of_ms: int | None = None
        self.planted: list[Planted] = []
        self.facts = False  # whether any row was, or is to be, planted
        self.lands: dict[int, str] = {}  # by its number, what an origin notes
        self.notes = TableSpec("notes", columns={"name": Type.UTF8})
        self.fails: set[int] = set()
        self.keeps, self.answers = False, Answers(1 << 20)
        self.dies_after: int | None = None
        self.seen: list[Seen] = []
        self.inside = self.inside_max = 0
        self.world = Ticking(now_ms=instant_ms("2026-01-01T12:00:00Z"))
        stage.world = self.world

    @property
    def statement(self) -> str:
        """One row, with the names of all rows of the tables that the scenario asks about: each takes its time."""
        asked = {"facts": "facts_facts" if self.facts else None, "notes": "ask_notes" if self.lands else None}
        columns = [
            "NULL AS " + name if table is None else f"(SELECT string_agg(name, ',') FROM {table}) AS {name}"
            for name, table in asked.items()
        ]
        return f"SELECT {', '.join(columns)}"

    def spec(self) -> JobSpec:
        """What the job declares."""
        return JobSpec(
            JOB,
            JobKind.STORE_DRIVEN,
            body=JOB,
            statement=self.statement,
            as_of_ms=self.as_of_ms,
            tables=(self.notes,),
            sweep=self.sweep,
        )

    def body(self, row: Row) -> None:
        """Look at what there is, and note what the scenario says."""
        self.inside += 1
        self.inside_max = max(self.inside_max, self.inside)
        number = self.number(row.origin)
        names = [name for column in ("facts", "notes") for name in (row[column] or "").split(",") if name]
        self.seen.append(Seen(number, names))
        self.inside -= 1
        if number in self.fails:
            raise contextful.Permanent("no luck")
        if number in self.lands:
            row.emit("notes", {"name": self.lands[number]})

    def number(self, origin: str | None) -> int:
        """Which origin it is, from 1."""
        assert origin is not None
        return list(sweep.origins(self.sweep)).index(instant_ms(origin)) + 1

    def come_to(self, at: str) -> None:
        """It is that instant; what was to be committed by then has been."""
        for each in sorted(self.planted, key=lambda planted: planted.committed_ms):
            if each.committed_ms <= instant_ms(at):
                self.world.come_to(each.committed_ms)
                self.plant(each)
        self.planted = [each for each in self.planted if each.committed_ms > instant_ms(at)]
        self.world.come_to(instant_ms(at))

    def plant(self, each: Planted) -> None:
        """Commit a row."""
        (plan,) = compile.tables(FACTS)
        rows = [{"name": each.name, "known_at": instant.spell(each.available_ms)}]
        engine = self.engine(Crashes())
        self.landings(engine, self.stage.rows).run(plan, lambda: PagedSource([rows]), run_id=f"plant-{each.name}")

    def fire(self, at: str) -> None:
        """Fire the job in a process of its own."""
        stage = self.stage
        self.come_to(at)
        stage.begin()
        stage.scope = store_driven_input.scope(JOB)
        stage.crashes = Crashes()
        rows = CrashingRows(stage.rows, stage.crashes)
        engine = self.engine(stage.crashes)
        bodies = Bodies()
        bodies.register(JOB, implementation="d-1")(self.body)
        plans = [*compile.tables(FACTS), *compile.job(self.spec()).tables.values()]
        reads = DuckdbReads(self.store(), [replace(plan.reading, result_cache=self.keeps) for plan in plans])
        answers = RememberedReads(reads, self.answers, Caller()) if self.keeps else reads
        jobs = Jobs(engine, self.world, answers if self.facts or self.lands else Nothing(), self.landings(engine, rows))
        try:
            stage.outcome = jobs.fire(
                compile.job(self.spec()), bodies.body(JOB, job=JOB), run_id=stage.run_id, told=lambda _: self.dies()
            )
        except ENDS as error:
            stage.error = error

    def dies(self) -> None:
        """The process ends, if an origin was its last."""
        if self.dies_after is not None and len(self.seen) == self.dies_after:
            self.stage.crashes.die()

    def engine(self, crashes: Crashes) -> contextful.Engine:
        """The engine of a process."""
        rows, blobs = CrashingRows(self.stage.rows, crashes), CrashingBlobs(self.stage.blobs, crashes)
        return contextful.Engine(rows, blobs, self.world, site_id="here")

    def landings(self, engine: contextful.Engine, rows: Any) -> Landings:
        """What lands in the store."""
        return Landings(engine, rows, self.world, self.store(), site_id="here", connectors=lambda _: PIN)

    def store(self) -> ParquetStore:
        """The store."""
        return ParquetStore(self.stage.folder / "store", self.world, node_id="node", disk=Unsynced())

    def origin_runs(self) -> list[Run]:
        """The runs of origins, the oldest first."""
        runs = self.stage.onlooker().history(limit=500)
        return [run for run in reversed(runs) if "/origin/" in run.host_scope]


@pytest.fixture
def sweeping(stage: Stage) -> Sweeping:
    """A job that has not fired."""
    return Sweeping(stage)


@given(parsers.parse("a `{state}` sweep from `{start}` to `{end}` by `{step}`"))
def sweep_from(sweeping: Sweeping, state: str, start: str, end: str, step: str) -> None:
    sweeping.sweep = Sweep(start=instant_ms(start), end=instant_ms(end), step=step, state=SweepState(state))


@given(parsers.parse("a row `{name}` available at `{available}` and committed at `{committed}`"))
def row_is_planted(sweeping: Sweeping, name: str, available: str, committed: str) -> None:
    sweeping.facts = True
    sweeping.planted.append(Planted(name, instant_ms(available), instant_ms(committed)))


@given(parsers.parse("the job declares `as_of` at `{at}`"))
def declares_as_of(sweeping: Sweeping, at: str) -> None:
    sweeping.as_of_ms = instant_ms(at)


@given(parsers.parse("origin {number:d} lands row `{name}` in an output table"))
def origin_lands(sweeping: Sweeping, number: int, name: str) -> None:
    sweeping.lands[number] = name


@given(parsers.parse("origin {number:d} lands row `{name}` in an output table with `available_time`"))
def origin_lands_dated(sweeping: Sweeping, number: int, name: str) -> None:
    sweeping.lands[number] = name
    sweeping.notes = replace(sweeping.notes, available_time="noted_at")


@given(parsers.parse("origin {number:d} fails `Permanent`"))
def origin_fails(sweeping: Sweeping, number: int) -> None:
    sweeping.fails.add(number)


@given(parsers.parse("the scheduler was last awake at `{at}`"))
def last_awake(sweeping: Sweeping, at: str) -> None:
    """The job has a run of that time; more than a year of fires was missed."""
    sweeping.world.come_to(instant_ms(at))
    engine = sweeping.engine(Crashes())
    engine.attempt(store_driven_input.scope(JOB), own.Pins("before", {}), run_id="before").leave(None)


@given("a sweep that declares no `state`")
def sweep_without_state(sweeping: Sweeping) -> None:
    sweeping.stage.named["sweep"] = '{ start = "2014-03-05T00:00:00Z", end = "2014-03-12T00:00:00Z", step = "7d" }'


@given("a result cache is on for its input table")
def result_cache_is_on(sweeping: Sweeping) -> None:
    sweeping.keeps = True


@when(parsers.parse("the sweep runs at `{at}`"))
def sweep_runs(sweeping: Sweeping, at: str) -> None:
    sweeping.fire(at)


@when(parsers.parse("the sweep opens at `{at}`"))
def sweep_opens(sweeping: Sweeping, at: str) -> None:
    """In a process that does not outlive its first origin, if it comes to one."""
    sweeping.dies_after = 1
    sweeping.fire(at)
    sweeping.dies_after = None


@when(parsers.parse("it is killed after origin {number:d}"))
def is_killed(sweeping: Sweeping, number: int) -> None:
    assert isinstance(sweeping.stage.error, Crash)
    assert [each.number for each in sweeping.seen] == [number]


@when(parsers.parse("it resumes at `{at}`"))
def it_resumes(sweeping: Sweeping, at: str) -> None:
    sweeping.fire(at)


@when(parsers.parse("its step becomes `{step}`"))
def step_becomes(sweeping: Sweeping, step: str) -> None:
    sweeping.sweep = replace(sweeping.sweep, step=step)


@when("the job is validated")
def job_is_validated(sweeping: Sweeping) -> None:
    stage = sweeping.stage
    made = (
        f'{{ start = "{instant.spell(sweeping.sweep.start)}", end = "{instant.spell(sweeping.sweep.end)}",'
        f' step = "{sweeping.sweep.step}", state = "{sweeping.sweep.state}" }}'
    )
    as_of = "" if sweeping.as_of_ms is None else f'as_of = "{instant.spell(sweeping.as_of_ms)}"\n'
    text = (
        f'[project]\nname = "p"\n[[job]]\nname = "{JOB}"\nbody = "{JOB}"\nstatement = "select 1"\nmax_in_flight = 1\n'
        f'{as_of}tables = ["notes"]\nsweep = {stage.named.get("sweep", made)}\n'
    )
    try:
        (spec,) = declare.read(text, file="contextful.toml").jobs
        assert spec.sweep is not None
        stage.named["state"] = spec.sweep.state
    except ExceptionGroup as refused:
        stage.error = refused


@when("the plan references of its origins are computed")
def plan_references(sweeping: Sweeping) -> None:
    registration = Bodies()
    registration.register(JOB, implementation="d-1")(sweeping.body)
    body = registration.body(JOB, job=JOB).registration()
    sweeping.stage.seen["plan references"] = [
        store_driven_input.pins(
            body, sweeping.statement, None, identity=None, declared=sweep.declared(sweeping.sweep, at_ms)
        ).plan_ref
        for at_ms in sweep.origins(sweeping.sweep)
    ]


@then(parsers.parse("{count:d} origins have run"))
def origins_have_run(sweeping: Sweeping, count: int) -> None:
    assert len({each.number for each in sweeping.seen}) == len(sweeping.seen) == count
    assert len(sweeping.origin_runs()) == count


@then(parsers.parse("row `{name}` is hidden from origins {first:d} to {last:d}"))
def row_is_hidden(sweeping: Sweeping, name: str, first: int, last: int) -> None:
    _read(sweeping, name, range(first, last + 1), reads=False)


@then(parsers.parse("row `{name}` is read by origins {first:d} to {last:d}"))
def row_is_read(sweeping: Sweeping, name: str, first: int, last: int) -> None:
    _read(sweeping, name, range(first, last + 1), reads=True)


@then("each of their runs records the execution id of the fire as its sweep id")
def runs_record_the_sweep(sweeping: Sweeping) -> None:
    runs = sweeping.origin_runs()
    sweep_id = sweeping.stage.run().execution_id
    assert {None if run.input is None else run.input.sweep_id for run in runs} == {sweep_id}


@then(parsers.parse("at most {count:d} origins run at once"))
def at_most_at_once(sweeping: Sweeping, count: int) -> None:
    assert sweeping.inside_max == count
    runs = sweeping.origin_runs()
    ends = [run.ended_ms or 0 for run in runs]
    assert all(begun.started_ms > ended for begun, ended in zip(runs[1:], ends, strict=False))


@then("the origins have run in ascending order")
def in_ascending_order(sweeping: Sweeping) -> None:
    assert [each.number for each in sweeping.seen] == [1, 2, 3]


@then(parsers.parse("row `{name}` is available at `{at}`"))
def row_is_available_at(sweeping: Sweeping, name: str, at: str) -> None:
    reads = DuckdbReads(sweeping.store(), [])
    sql = f"SELECT epoch_ms(noted_at::TIMESTAMPTZ) FROM ask_notes WHERE name = '{name}'"
    assert {row[0] for row in reads.query(sql, rows_max=10).rows} == {instant_ms(at)}


@then(parsers.parse("the {count:d} of them differ"))
def they_differ(stage: Stage, count: int) -> None:
    assert len(stage.seen["plan references"]) == len(set(stage.seen["plan references"])) == count


@then("its state is `fresh`")
def state_is_fresh(stage: Stage) -> None:
    assert stage.error is None
    assert stage.named["state"] is SweepState.FRESH


@then(parsers.parse("their {count:d} execution ids differ"))
def execution_ids_differ(sweeping: Sweeping, count: int) -> None:
    ids = [run.execution_id for run in sweeping.origin_runs()]
    assert len(ids) == len(set(ids)) == count


def _read(sweeping: Sweeping, name: str, numbers: Sequence[int], *, reads: bool) -> None:
    """Of the last sweep: what is asked about was read, or hidden, wherever it ran."""
    newest = {each.number: each for each in sweeping.seen}
    for number in numbers:
        assert (name in newest[number].names) is reads, newest[number]


@given(parsers.parse("a sweep `{name}` over table `tickets` with `as_of` `{at}`"))
def sweep_over(sweeping: Sweeping, name: str, at: str) -> None:
    sweeping.as_of_ms = instant_ms(at)
    sweeping.stage.named["called"] = name


@when(parsers.parse("its origin `{at}` runs"))
def its_origin_runs(sweeping: Sweeping, at: str) -> None:
    """The sweep's id, as it is on record, is shown by the name that the page has for it."""
    stage = sweeping.stage
    sweeping.sweep = replace(sweeping.sweep, start=instant_ms(at), end=instant_ms(at))
    sweeping.fire("2026-03-02T00:00:00Z")
    (run,) = sweeping.origin_runs()
    assert run.input is not None
    assert run.input.sweep_id == stage.run().execution_id
    stage.shown = {"input": to_json(run.input) | {"sweep_id": stage.named["called"]}}
