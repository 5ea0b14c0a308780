"""The stage of the scenarios: stores that outlive processes, a clock that skips, effects with a script."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import psycopg
import pytest

import contextful
from contextful.adapters.d1.blobs import OBJECT, R2Blobs
from contextful.adapters.d1.rows import D1Rows
from contextful.adapters.file_tree import FileBlobs, FileRows
from contextful.adapters.limiters import LocalLimiter
from contextful.adapters.memory import MemoryRows
from contextful.adapters.postgres import PostgresRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.sqlite import SqliteRows
from contextful.faces import stores
from contextful.kernel import instant
from contextful.kernel.failure import Failed
from contextful.kernel.signal import Suspended
from contextful.kernel.table import Row, Select
from contextful.ports.blobs import Blobs
from contextful.ports.observer import Onlooker, Progress, StepRecorded
from contextful.ports.rows import Rows
from contextful.ports.run_table import RunTable
from contextful.run.journal import journal
from contextful.run.own import own
from contextful.run.record import Run
from contextful.runner.meter import Meter
from contextful.testing import Crash, Crashes, CrashingBlobs, CrashingRows, SkippingWorld
from contextful.testing.postgres import schema
from contextful.testing.workerd import Server

LEASE_LAPSED_MS = 31_000
SCOPE = "scenario"


def never(call: int) -> bool:
    """No call is the process's last."""
    return False


def always(call: int) -> bool:
    """The first call is the process's last."""
    return True


class Turn(Protocol):
    """One call of an effect: it returns, or it raises."""

    def __call__(self) -> object: ...


def returns(value: object) -> Turn:
    """The effect returns this."""
    return lambda: value


def fails(tag: str, *, message: str = "no luck", retry_after_s: int | None = None) -> Turn:
    """The effect fails with this tag."""

    def turn() -> object:
        wait_ms = None if retry_after_s is None else retry_after_s * 1_000
        raise Failed(contextful.Failure(contextful.FailureTag(tag), message, wait_ms))

    return turn


@dataclass
class Effect:
    """What an effect does, call by call, the last turn for ever; and what was seen of each call."""

    script: list[Turn] = field(default_factory=list)
    started_ms: list[int] = field(default_factory=list)
    attempted_ms: list[int] = field(default_factory=list)  # an attempt that gets no permit runs no effect
    permits: int = 0
    keys: list[str] = field(default_factory=list)

    def count(self) -> int:
        """How often it has run."""
        return len(self.started_ms)


def blobs_beside(rows: Rows, folder: Path) -> Blobs:
    """Where the blobs of these rows are."""
    match rows:
        case FileRows():
            return FileBlobs(folder / "blobs")
        case D1Rows():
            return R2Blobs(rows.worker, rows)
        case _:
            return RowBlobs(rows)


class Stage:
    """One scenario: its folder and stores, its clock, the process that is alive, and what came of the last call.

    `shown` is what "its" speaks of, `told` what the last attempt's observer heard, `seen` what is counted by kind.
    """

    def __init__(self, rows: Rows, folder: Path) -> None:
        self.rows = rows
        self.folder = folder
        self.blobs = blobs_beside(rows, folder)
        self.world = SkippingWorld()
        self.crashes = Crashes()
        self.effects: dict[str, Effect] = {}
        self.label = "fetch"
        self.schedule = contextful.Schedule()
        self.outcome: object = None
        self.error: BaseException | None = None
        self.before: list[str] = []
        self.opening: Callable[[contextful.Execution], object] = lambda _: None  # what the body does first
        self.dies_in: Callable[[int], bool] = never
        self.attempts = 0
        self.content = b""
        self.execution_id = ""
        self.holders: list[object] = []
        self.shown: object = None
        self.told: list[Progress] = []
        self.exporter: Callable[[], Onlooker] | None = None
        self.seen: dict[str, list[object]] = defaultdict(list)
        self.sent: list[str] = []
        self.run_id = ""
        self.allow_partial = False
        self.meter = Meter(LocalLimiter("vendor", self.world, permits=1 << 30, every_ms=1 << 60), self.world)
        self.pins: own.Pins | None = None  # what an owner was bound to that has gone by now
        self.opened: dict[str, contextful.Execution] = {}
        self.scope: own.Scope = own.HostScope(SCOPE)
        self.identities: dict[str, str] = {}
        self.named: dict[str, object] = {}
        self.recorded_at_end = 0

    def effect(self, label: str | None = None) -> Effect:
        """The effect of a step, with an empty script where nobody wrote one."""
        return self.effects.setdefault(label or self.label, Effect([returns("ok")]))

    def engine(self, run_table: Callable[[], RunTable] | None = None) -> contextful.Engine:
        """The engine of the process that is alive."""
        rows, blobs = CrashingRows(self.rows, self.crashes), CrashingBlobs(self.blobs, self.crashes)
        return contextful.Engine(rows, blobs, self.world, observer=self, run_table=run_table)

    def tell(self, progress: Progress) -> None:
        """Hear what the attempt has done."""
        self.told.append(progress)

    def replayed(self) -> int:
        """How many steps the last attempt has replayed."""
        return sum(isinstance(progress, StepRecorded) and progress.replayed for progress in self.told)

    def onlooker(self) -> contextful.Engine:
        """An engine that only looks, and that no crash of the process can reach."""
        return contextful.Engine(self.rows, self.blobs, self.world)

    def perform(self, run: contextful.Execution, label: str, value: object = None) -> object:
        """Call a step of the body."""
        effect = self.effect(label)

        def call(given: object) -> object:
            effect.attempted_ms.append(self.world.now_ms())
            with self.meter.permit():
                effect.permits += 1
            effect.started_ms.append(self.world.now_ms())
            effect.keys.append(contextful.idempotency_key())
            self.sent.append(contextful.idempotency_key())
            if self.dies_in(effect.count()):
                self.crashes.die()
            return effect.script[min(effect.count(), len(effect.script)) - 1]()

        return run.step(label, call, value, retry=self.schedule)

    def attempt(self, *inputs: object) -> None:
        """Run an attempt of the body: the steps before it, then the step on each input; keep its outcome."""
        self.begin()
        try:
            with self.engine().execution(SCOPE, "plan", run_id=self.run_id) as run:
                self.opening(run)
                for label in self.before:
                    self.perform(run, label)
                for value in inputs or (None,):
                    self.outcome = self.perform(run, self.label, value)
                self.recorded_at_end = len(self.entries("recorded"))
        except (Exception, Crash, Suspended) as error:  # noqa: BLE001 (the scenario says what it expects)
            self.error = error

    def begin(self, run_id: str | None = None) -> None:
        """Another attempt begins, of which nothing is known yet."""
        self.attempts += 1
        self.run_id = run_id or f"run-{self.attempts}"
        self.outcome = self.error = self.shown = None
        self.told = []

    def resume(self, *inputs: object) -> None:
        """A new process takes up the body, once the dead one's lease has lapsed."""
        self.crashes = Crashes()
        self.dies_in = never
        if isinstance(self.error, Crash):
            self.world.skip(LEASE_LAPSED_MS)
        self.attempt(*inputs)

    def leave_pending(self, *inputs: object) -> None:
        """Record the step on each input, and keep the owner: the process dies before it closes."""
        self.begin()
        run = self.engine().execution(SCOPE, "plan", run_id=self.run_id)
        for label in self.before:
            self.perform(run, label)
        for value in inputs or (None,):
            self.outcome = self.perform(run, self.label, value)
        run.drop()
        self.error = Crash()
        self.world.skip(LEASE_LAPSED_MS)

    def run(self) -> Run:
        """The last attempt's run row."""
        run = self.onlooker().run(self.run_id)
        assert run is not None
        return run

    def owner(self, scope: own.Scope | None = None) -> own.Owner | None:
        """The pending owner of a scope, if it has one: where none is named, of the one that the scenario is about."""
        row = self.rows.get(own.OWNER, ((scope or self.scope).key(),))
        return None if row is None else own.from_row(row)

    def entries(self, state: str | None = None) -> list[Row]:
        """The journal rows of the pending execution."""
        owner = self.owner()
        rows = [] if owner is None else self.entries_of(owner.execution_id)
        return [row for row in rows if state in (None, row["state"])]

    def entries_of(self, execution_id: str) -> list[Row]:
        """The journal rows of an execution."""
        return list(self.rows.select(Select(journal.ENTRY, {"execution_id": execution_id})))

    def sweeps(self) -> list[object]:
        """When the last blob sweep began."""
        row = self.rows.get(journal.SWEEP, ("blobs",))
        return [] if row is None else [row["swept_ms"]]

    def blob_count(self) -> int:
        """How many blobs the store holds."""
        return len(self.blobs.older_than(1 << 62, limit=100))


TABLES_OF_BOTH = stores.TABLES
TABLES_OF_D1 = (*stores.STATES, OBJECT)
STORES = ["memory", "sqlite", "files", "postgres"]
PERSISTENT = ("run.journal.", "run.suspend.")  # what storage-ports asks of every adapter; D1 takes 5 ms a request
OVER_ROWS = re.compile(r"run\.(items|sweep|own\.body)\b")  # of jobs, on a laptop and in a container
PER_STORE = ("run.journal.", "run.suspend.", "run.retry.", "run.cancel.")
OF_ITS_OWN = re.compile(  # these name their store
    r"run\.(journal\.(sqlite|postgres|d1|container|storage|execution|durable|guard)|suspend\.(survives|postgres))-"
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The scenarios of these operations run once a store."""
    clauses = [str(mark.args[0]) for mark in metafunc.definition.iter_markers("clause")]
    if not metafunc.definition.get_closest_marker("scenario") or OF_ITS_OWN.match(clauses[0]):
        return
    if clauses[0].startswith(PER_STORE):
        remote = ["d1"] if clauses[0].startswith(PERSISTENT) else []
        metafunc.fixturenames.append("rows")
        metafunc.parametrize("rows", STORES + remote, indirect=True)
    if OVER_ROWS.match(clauses[0]):
        metafunc.fixturenames.append("rows")
        metafunc.parametrize("rows", ["sqlite", "postgres"], indirect=True)


@pytest.fixture
def rows(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rows]:
    """An empty store of the kind that the scenario runs on: where it says nothing, the one of a project's folder."""
    path = tmp_path / stores.STATE
    path.parent.mkdir()
    made = _made(request, path)
    yield made
    made.close()


def _made(request: pytest.FixtureRequest, path: Path) -> Rows:
    match getattr(request, "param", "sqlite"):
        case "memory":
            return MemoryRows()
        case "files":
            return FileRows(path.parent)
        case "postgres":
            return PostgresOnStage(request.getfixturevalue("empty_postgres"), TABLES_OF_BOTH)
        case "d1":
            return D1OnStage(request.getfixturevalue("empty_d1").worker(), TABLES_OF_D1)
        case _:
            return SqliteRows(path, TABLES_OF_BOTH)


@pytest.fixture(scope="session")
def postgres_tables(postgres_database: str) -> Iterator[str]:
    """The address of a schema with the engine's tables, made once: that takes longer than a scenario."""
    with schema(postgres_database) as address:
        rows = PostgresRows(address, TABLES_OF_BOTH)
        rows.initialize()
        rows.close()
        yield address


@pytest.fixture
def empty_postgres(postgres_tables: str) -> str:
    """The same, empty."""
    with psycopg.connect(postgres_tables, autocommit=True) as connection:
        connection.execute("; ".join(f"DELETE FROM {table.name}" for table in TABLES_OF_BOTH).encode())
    return postgres_tables


@pytest.fixture
def empty_d1(cloudflare_server: Server) -> Server:
    """Cloudflare with the engine's tables, empty."""
    cloudflare_server.rows(TABLES_OF_D1).close()
    return cloudflare_server


class D1OnStage(D1Rows):
    """D1 with the stage's clock in the place of its own, so that a lease lapses when the scenario says so."""

    def now_ms(self, local_ms: int) -> int:
        """The stage's instant."""
        return local_ms


class PostgresOnStage(PostgresRows):
    """PostgreSQL with the stage's clock in the place of its own, so that a lease lapses when the scenario says so."""

    def now_ms(self, local_ms: int) -> int:
        """The stage's instant."""
        return local_ms


@pytest.fixture
def stage(rows: Rows, tmp_path: Path) -> Iterator[Stage]:
    """A stage over that store. Handles that the scenario left open are let go."""
    made = Stage(rows, tmp_path)
    yield made
    for run in made.opened.values():
        run.drop()


def instant_ms(text: str) -> int:
    """The instant that a page spells."""
    read = instant.read(text)
    assert read is not None
    return read


def declared(text: str) -> contextful.Schedule:
    """The schedule that a scenario writes as JSON."""
    given = json.loads(text)
    if "backoff" in given:
        given["backoff"] = contextful.Backoff(given["backoff"])
    if "retry_on" in given:
        given["retry_on"] = tuple(contextful.FailureTag(tag) for tag in given["retry_on"])
    return contextful.Schedule(**given)
