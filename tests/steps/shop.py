"""The pipeline of the scenarios: a source with a script, a real store, fires that end where a page says.

A fire is a process of its own over the stage's rows and the folder's files. It reads the manifest, as every fire does.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import contextful
from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.files import Disk
from contextful.adapters.memory import MemoryRows
from contextful.adapters.parquet import ParquetStore
from contextful.adapters.run_table import ParquetRunTable
from contextful.faces import carrying, stores
from contextful.faces.tracing import TRACEPARENT
from contextful.kernel import digest, trace
from contextful.kernel.failure import Failed
from contextful.kernel.signal import Signal
from contextful.pipeline import compile, declare
from contextful.pipeline.spec import PythonSource, SourceSpec
from contextful.ports.source import Source
from contextful.run import advance, record, site
from contextful.run.own import own
from contextful.run.own.staging_and_checkpoints import made_by
from contextful.runner.backfill import Backfill
from contextful.runner.land import Landings
from contextful.store import lay_out
from contextful.store.lay_out import Manifest
from contextful.testing import Crash, Crashes, CrashingBlobs
from contextful_contract import limits
from contextful_contract.shapes import ConnectorPin
from tests.steps.manifest import SHOP, Declared
from tests.steps.script import (
    Act,
    Fire,
    Gate,
    Listing,
    MarkedDisk,
    MarkedRows,
    Page,
    Record,
    Scripted,
    nothing,
    position,
)
from tests.steps.server import Server
from tests.steps.stage import LEASE_LAPSED_MS, Stage

RENAMED = "Shop"  # another id, whose tables are called as those of `shop` are
ENDS = (contextful.ContextfulError, Failed, ExceptionGroup, Signal, Crash)  # how a fire may end without success


class Unsynced(Disk):
    """A disk that nobody waits for."""

    def sync(self, path: Path) -> None:
        """What the system has is enough."""


@dataclass
class Held:
    """A fire on a thread of its own, and where it stands."""

    fire: Fire
    gate: Gate
    thread: threading.Thread


class Shop(Declared):
    """A project with pipeline `shop`: what it declares, what its source lists, and its fires."""

    def __init__(self, stage: Stage, folder: Path) -> None:
        super().__init__()
        self.stage = stage
        self.folder = folder
        self.listing = Listing()
        self.scale = 1
        self.lists: Server | None = None  # what it walks over, where that is no script
        self.seeding = False  # its fires land what its tables begin with
        self.source: Callable[[SourceSpec, str], Source] | None = None
        self.fires: list[Fire] = []
        self.pepper: bytes | None = b"salt-and-pepper"
        self.known: str | None = None  # the commit that writers beside it have seen, where there are any
        self.spelled: dict[str, str | None] = {}  # positions, as pages call them
        self.node_id = "node"
        self.around: Callable[[], AbstractContextManager[None]] = nullcontext  # what a command does before and after
        self.recorded = False  # whether its runs are appended to the store's table of runs
        self._held: dict[str, Held] = {}
        stage.scope = self.scope()

    @property
    def fired(self) -> Fire:
        """The last fire."""
        return self.fires[-1]

    def fire(self, run_id: str | None = None, **meets: Any) -> None:
        """Fire the pipeline in a process of its own, which meets what it is said to. The stage has what came of it."""
        self._perform(self._prepared(run_id, meets))

    def next_fire(self, run_id: str | None = None, **meets: Any) -> None:
        """Fire again, in a new process where the last one died, once its lease has lapsed."""
        if isinstance(self.stage.error, Crash):
            self.stage.world.skip(LEASE_LAPSED_MS)
        self.stage.crashes = Crashes()
        self.fire(run_id, **meets)

    def die(self) -> None:
        """The last fire's process ends here."""
        self.fired.crashes.die()

    def dies(self, run_id: str | None = None, **meets: Any) -> None:
        """Fire, and lose the process on the way."""
        self.fire(run_id, **meets)
        assert isinstance(self.stage.error, Crash), self.stage.error

    def hold(self, staged: int, run_id: str | None = None, **meets: Any) -> None:
        """Fire on a thread of its own, and stop it in the pull after so many batches, when they are staged."""
        gate = Gate()
        fire = self._prepared(run_id, {"at_pull": {staged + 1: gate}, **meets})
        thread = threading.Thread(target=self._perform, args=(fire,), daemon=True)
        self._held[fire.run_id] = Held(fire, gate, thread)
        thread.start()
        gate.reached(thread)

    def holds(self, run_id: str) -> bool:
        """Whether that run is stopped on its way."""
        return run_id in self._held

    def release(self, run_id: str | None = None, act: Act = nothing) -> None:
        """Let a run go on that was stopped, the last one where none is named, and wait for its end."""
        run_id = run_id or list(self._held)[-1]
        held = self._held.pop(run_id)
        held.gate.open(act)
        held.thread.join()
        self.stage.run_id = run_id

    def close(self) -> None:
        """End the processes of runs that were left standing."""
        for run_id, held in list(self._held.items()):
            self.release(run_id, held.fire.crashes.die)

    def land(self, rows: list[Record], run_id: str, **table: Any) -> None:
        """Land these rows in a run of their own, declared with these keys; beside pending work, under another id."""
        pages, declared = self.listing.pages, self.table
        self.listing.pages, self.table = [Page(rows, position(run_id), more=False)], {**declared, **table}
        self.listing.begins.add(self.cursor().position)
        self.next_fire(run_id, pipeline=SHOP if self.stage.owner() is None else RENAMED)
        self.listing.pages, self.table = pages, declared

    def stand_at(self, text: str) -> None:
        """Bring the table to a position by a fire that ends there."""
        if (
            self.listing.complete
        ):  # it would land nothing, and that in the place of all: the name is that of where it is
            self.spelled[text] = self.cursor().position
            return
        pages, declared = self.listing.pages, self.pipeline
        incremental: Record = {"field": declared.get("incremental"), "at": clock(text)}
        held: Record = json.loads(text) if text.startswith("{") else incremental
        if held["field"] is None:
            self.listing.pages = [Page([], position(text), more=False)]
        else:
            self.pipeline = {**declared, "cursor": "monotonic", "incremental": held["field"]}
            self.listing.pages = [Page([{"id": "before", held["field"]: held["at"]}], position("before"), more=False)]
        self.fire()
        self.set_up()
        self.listing.pages, self.pipeline = pages, declared

    def set_up(self) -> None:
        """The last fire was no part of the scenario, and has gone well."""
        assert self.stage.error is None, self.stage.error
        self.fires.pop()
        self.stage.sent.clear()

    def store(self) -> ParquetStore:
        """The store, to look at."""
        return ParquetStore(self.folder / lay_out.root(SHOP), self.stage.world, node_id=self.node_id)

    def run_table(self) -> ParquetRunTable:
        """The store's table of runs, which no power loss is played on."""
        store = ParquetStore(self.store().root, self.stage.world, node_id=self.node_id, disk=Unsynced())
        return ParquetRunTable(store, site_id="here")

    def stored(self, table: str | None = None) -> str:
        """What the table is called in the store."""
        return declare.table_name(SHOP, table or self.tables[0])

    def manifests(self, run_id: str | None = None, table: str | None = None) -> list[Manifest]:
        """The table's commits in their order, or those that one run made."""
        found = sorted(self.store().manifests(self.stored(table)), key=lambda manifest: manifest.commit_seq)
        return [manifest for manifest in found if run_id is None or made_by(manifest.run_id, [run_id])]

    def run_folder(self, run_id: str, table: str | None = None) -> Path:
        """The folder of a run's parts."""
        return self.store().root / lay_out.run_folder(self.stored(table), run_id, self.node_id)

    def staged(self, run_id: str) -> int:
        """How many parts a run has staged."""
        return len(list(self.run_folder(run_id).glob(f"*{lay_out.STAGING}/*")))

    def parts(self, run_id: str) -> int:
        """How many parts stand where a run's commit puts them."""
        return len(list(self.run_folder(run_id).glob("*.parquet")))

    def select(self, sql: str, **bounds: int | None) -> list[tuple[Any, ...]]:
        """What the committed rows of the table answer, where the statement calls it `it`."""
        return self.ask(f"WITH it AS (SELECT * FROM {self.stored()}) {sql}", **bounds)

    def ask(self, sql: str, **bounds: int | None) -> list[tuple[Any, ...]]:
        """What the store answers."""
        readings = [plan.reading for plan in compile.tables(self.spec())]
        return list(DuckdbReads(self.store(), readings).query(sql, rows_max=10_000, **bounds).rows)

    def scope(self, table: str | None = None) -> own.TableScope:
        """What a run of the table owns."""
        return own.TableScope(SHOP, table or self.tables[0])

    def run(self, table: str | None = None) -> record.Run:
        """The table's run in the last fire."""
        fired = self.fired.run_id
        run = self.stage.onlooker().run(fired if len(self.tables) == 1 else f"{fired}.{table or self.tables[0]}")
        assert run is not None
        return run

    def cursor(self, table: str | None = None) -> advance.Cursor:
        """The cached position."""
        scope = self.scope(table)
        return advance.from_row(self.stage.rows.get(advance.CURSOR, (scope.key(),)), scope)

    def uninterrupted(self) -> Shop:
        """The same pipeline in a place of its own, where its last run has landed as if nothing had happened."""
        (landed,) = self.manifests()
        other = Shop(Stage(MemoryRows(), self.folder), self.folder / "uninterrupted")
        other.project, other.pipeline, other.table = self.project, self.pipeline, self.table
        other.listing.pages = self.listing.pages
        other.stage.world.skip(landed.committed_ms - other.stage.world.now_ms())
        other.fire(landed.run_id)
        return other

    def part_digests(self) -> dict[str, str]:
        """Every committed part by its name."""
        return {
            f"{manifest.run_id}/{part}": digest.of_bytes((self.run_folder(manifest.run_id) / part).read_bytes())
            for manifest in self.manifests()
            for part in manifest.parts
        }

    def _prepared(self, run_id: str | None, meets: Mapping[str, Any]) -> Fire:
        self.stage.begin(run_id)
        fire = Fire(
            self.stage.run_id, crashes=self.stage.crashes, **{"pipeline": self.called, "seeds": self.seeding, **meets}
        )
        self.fires.append(fire)
        return fire

    def _perform(self, fire: Fire) -> None:
        stage = self.stage
        try:
            project = self.declared(fire.pipeline)
            site_id = site.site_id(project.site, {})
            rows = MarkedRows(stage.rows, fire)
            blobs = CrashingBlobs(stage.blobs, fire.crashes)
            caller = trace.of_caller(os.environ.get(TRACEPARENT))
            engine = contextful.Engine(
                rows,
                blobs,
                stage.world,
                site_id=site_id,
                observer=fire,
                trace_id=caller,
                run_table=self.run_table if self.recorded else None,
                disk=carrying.unpushed(self.store(), stores.chosen()),
            )
            if stage.exporter is not None:
                engine.watch(stage.exporter())
            store = ParquetStore(
                self.store().root,
                stage.world,
                node_id=self.node_id,
                disk=MarkedDisk(fire),
                staged_bytes_max=limits.STAGED_BYTES_PER_RUN_BYTES // self.scale,
            )
            landings = Landings(
                engine,
                rows,
                stage.world,
                store,
                site_id=site_id,
                connectors=self._connector,
                pepper=self.pepper,
                checkpoint_bytes=limits.CHECKPOINT_BYTES // self.scale,
                passing=fire.passes,
            )
            (spec,) = project.pipelines
            sources = self.source or self._scripted(fire)
            with self.around():
                if fire.seeds:
                    fire.outcomes = landings.seed(spec, sources, run_id=fire.run_id)
                elif fire.chunks:
                    history = Backfill(spec, engine, rows, stage.world, landings, sources)
                    fire.outcomes = [each.outcome for each in history.run(run_id=fire.run_id)]
                else:
                    fire.outcomes = landings.fire(spec, sources, run_id=fire.run_id)
        except ENDS as error:
            stage.error = fire.error = error

    def _scripted(self, fire: Fire) -> Callable[[SourceSpec, str], Source]:
        return lambda _, table: Scripted(self.listing, fire, table, self.stage.sent)

    def _connector(self, spec: SourceSpec) -> ConnectorPin:
        """What would pull: the listing's connector, or that of a function's module."""
        listing = self.listing
        called = spec.function.partition(":")[0] if isinstance(spec, PythonSource) else listing.connector
        return ConnectorPin(id=called, version=listing.version, world="native", hash=digest.of(listing.build))


def clock(text: str) -> object:
    """A clock value as a page spells it: a number, a quoted text, or a text as it stands."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def clocks(text: str) -> list[object]:
    """The clock values that a page lists; `none` lists none."""
    return [] if text == "none" else [clock(item) for item in text.split(", ")]


def fails(tag: str, retry_after_s: int | None = None) -> Act:
    """Fail with the tag."""

    def act() -> None:
        wait_ms = None if retry_after_s is None else retry_after_s * 1_000
        raise Failed(contextful.Failure(contextful.FailureTag(tag), "no luck", wait_ms))

    return act


@pytest.fixture
def shop(stage: Stage) -> Iterator[Shop]:
    """The pipeline on that stage."""
    made = Shop(stage, stage.folder)
    yield made
    made.close()
