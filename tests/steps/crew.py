"""Isolated jobs under test: the rows they are given, what their bodies do with each, and what was seen of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

import pytest

import contextful
from contextful.adapters import arrow
from contextful.adapters.parquet import ParquetStore
from contextful.pipeline import compile
from contextful.pipeline.spec import JobSpec, TableSpec
from contextful.ports.item_table import ItemTable
from contextful.ports.observer import ItemCame, Observer, Progress
from contextful.ports.read_face import NONE, Answer, ReadFace
from contextful.run import items
from contextful.run.record import Run
from contextful.runner.bodies import Bodies
from contextful.runner.delegate import Bound
from contextful.runner.items import Items
from contextful.runner.job import Fired, Jobs
from contextful.runner.land import Landings
from contextful.runner.own import standing_owner
from contextful.runner.row import Row
from contextful.store import lay_out
from contextful.testing import Crash, Crashes, CrashingRows
from contextful_contract.shapes import Binding, ConnectorPin, IsolatedItems, ItemRow, JobKind
from tests.steps.stage import LEASE_LAPSED_MS, Stage

DECLARED = IsolatedItems(key=("id",), entity_key=("customer",), entity_namespace="customers", attempts=3)
PIN = ConnectorPin(id="body", version="1", world="native", hash="h")
ENDS = (Exception, Crash, contextful.Suspended, contextful.Stopped)
NAME = "reviewer"
Turn = Callable[[Row], None]  # what a body does for an item before its call: it returns, waits or raises


class Told:
    """The store's table of items, as a list."""

    def __init__(self) -> None:
        self.rows: list[ItemRow] = []

    def append(self, rows: Sequence[ItemRow]) -> None:
        """They are there."""
        self.rows += rows

    def holding(self, execution_ids: Sequence[str]) -> Set[str]:
        """Those that are there."""
        return {row.execution_id for row in self.rows} & set(execution_ids)


class Answers:
    """A delegate that answers each call with its number; a process may not live to hear one of them."""

    deadline_ms = 1_000

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self.unheard = 0

    def ask(self, request: bytes, *, idempotency_key: str) -> bytes:
        """The answer, to who is alive."""
        asked = json.loads(request)
        self._crew.sent.append((asked["job"], asked["row"], asked["ordinal"], idempotency_key))
        if asked["ordinal"] == self.unheard:
            self.unheard = 0
            self._crew.stage.crashes.die()
        return json.dumps({"value": asked["ordinal"]}).encode()

    def close(self) -> None:
        """Nothing is held open."""


class Crew:
    """The jobs of one store, each fire in a process of its own."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.specs: dict[str, JobSpec] = {}
        self.given: list[str] = ["a"]
        self.told = Told()
        self.table: ItemTable = self.told
        self.turns: dict[tuple[str, str], list[Turn]] = {}  # by job and item: a turn a call of the body, then none
        self.entered: list[tuple[str, str, int]] = []
        self.sent: list[tuple[str, str, int, str]] = []  # by job, item and number of the call, with its key
        self.asks = 0  # calls of the delegate in the place of the body's own
        self.delegate = Answers(self)
        self.outcomes: dict[tuple[str, str], str] = {}
        self.failures: list[contextful.Failure] = []
        self.fires: dict[str, int] = {}
        self.fired: Fired | None = None
        self.inside = 0
        self.inside_max = 0
        self.full = threading.Event()  # as many are inside as may be
        self.turn = threading.Lock()
        self.reads: ReadFace = self

    def job(self, name: str, **changed: Any) -> None:
        """Declare an isolated job."""
        declared = replace(DECLARED, **changed)
        self.specs[name] = JobSpec(
            name,
            JobKind.STORE_DRIVEN,
            body=name,
            statement="select id, customer from tickets",
            tables=(TableSpec("scores"),),
            items=declared,
        )

    def query(
        self,
        sql: str,
        *,
        rows_max: int,
        as_of_ms: int | None = None,
        available_as_of_ms: int | None = None,
        tables_as_of_ms: Mapping[str, int] = NONE,
    ) -> Answer:
        """The input: each row is of a customer of its own."""
        rows = [(each, each) for each in self.given]
        return Answer(("id", "customer"), ("VARCHAR", "VARCHAR"), rows[:rows_max], truncated=False, snapshots={})

    def body(self, job: str, row: Row) -> None:
        """The item's turn, one paid call, one row."""
        item = row["id"]
        with self.turn:
            self.entered.append((job, item, self.stage.world.now_ms()))
            self.inside += 1
            self.inside_max = max(self.inside_max, self.inside)
            turns = self.turns.get((job, item), [])
            turn = turns.pop(0) if turns else None
        try:
            if turn is not None:
                turn(row)
            self.call(job, row)
            row.emit("scores", {"id": item})
        finally:
            with self.turn:
                self.inside -= 1

    def call(self, job: str, row: Row) -> None:
        """A paid call, or as many as the delegate is asked."""
        item = row["id"]
        for _ in range(self.asks):
            row.call(item)
        if self.asks:
            return

        def send() -> str:
            self.sent.append((job, item, 1, contextful.idempotency_key()))
            return "paid"

        row.step("call", send)

    def fire(self, job: str) -> None:
        """Fire the job, whatever it ends with."""
        self.fires[job] = self.fires.get(job, 0) + 1
        stage, spec = self.stage, self.specs[job]
        stage.begin(f"{job}-{self.fires[job]}")
        rows = CrashingRows(stage.rows, stage.crashes)
        engine = contextful.Engine(rows, stage.blobs, stage.world, site_id="here")
        engine.watch(_Watching(self, job))
        landings = Landings(engine, rows, stage.world, self.store(), site_id="here", connectors=lambda _: PIN)
        bodies = Bodies()
        bodies.register(job, effects=["call"], implementation="d1")(lambda row: self.body(job, row))
        isolated = Items(engine, rows, stage.world, landings, lambda: self.table)
        bound = {NAME: Bound(Binding(name=NAME, public={"endpoint": "https://reviewer.example"}), self.delegate)}
        jobs = Jobs(engine, stage.world, self.reads, landings, delegates=bound, isolated=isolated)
        self.fired = None
        try:
            self.fired = jobs.fire(compile.job(spec), bodies.body(job, job=job), run_id=f"{job}-{self.fires[job]}")
        except ENDS as error:
            stage.error = error

    def resume(self, job: str) -> None:
        """Fire the job once more, after its process has died and its leases have lapsed."""
        self.stage.crashes = Crashes()
        self.stage.world.skip(LEASE_LAPSED_MS)
        self.fire(job)

    def store(self) -> ParquetStore:
        """The store that they land in."""
        return ParquetStore(self.stage.folder / lay_out.root("jobs"), self.stage.world, node_id="node")

    def landed(self, job: str) -> list[str]:
        """The items whose rows are in the job's table, in the order of their commits."""
        store = self.store()
        commits = sorted(store.manifests(f"{job}_scores"), key=lambda manifest: manifest.commit_seq)
        parts = [path for manifest in commits for path in store.parts(manifest)]
        return [str(row["id"]) for rows in arrow.records(parts, 1_000) for row in rows]

    def read(self, table: str) -> list[Mapping[str, Any]]:
        """The rows that a table of the store has."""
        parts = [path for manifest in self.store().manifests(table) for path in self.store().parts(manifest)]
        return [row for rows in arrow.records(parts, 1_000) for row in rows]

    def landed_at(self, job: str, item: str) -> int:
        """When the item's row was committed."""
        commits = self.store().manifests(f"{job}_scores")
        owner = {str(row["id"]): each for each in commits for rows in self._rows(each) for row in rows}
        return owner[item].committed_ms

    def item(self, job: str, item: str) -> items.Item:
        """The item that the row is to the job."""
        owner = standing_owner(self.stage.rows, items.HostScope(f"job:{job}"))
        run = self.stage.onlooker().run(f"{job}-1")
        plan_ref = owner.pins.plan_ref if owner is not None else run.plan_ref if run is not None else None
        assert plan_ref is not None
        declared = self.specs[job].items
        assert declared is not None
        return items.item(job, declared, plan_ref, {"id": item, "customer": item})

    def spent(self, job: str, item: str) -> int:
        """How many failed attempts the item has spent."""
        return items.attempts(self.stage.rows.get(items.ITEM, items.entry(self.item(job, item))))

    def _rows(self, manifest: Any) -> Sequence[Sequence[Mapping[str, Any]]]:
        return list(arrow.records(self.store().parts(manifest), 1_000))


class _Watching:
    """Sees what each item comes to."""

    def __init__(self, crew: Crew, job: str) -> None:
        self._crew = crew
        self._job = job

    def watching(self, run: Run) -> Observer:
        """Every run is watched alike."""
        return self

    def tell(self, progress: Progress) -> None:
        """Note an item's outcome."""
        if isinstance(progress, ItemCame):
            self._crew.outcomes[self._job, progress.key] = progress.outcome.value
            self._crew.failures += [progress.failure] if progress.failure is not None else []


@pytest.fixture
def crew(stage: Stage) -> Crew:
    """Jobs that nobody has declared yet."""
    return Crew(stage)
