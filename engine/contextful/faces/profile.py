"""A project: its manifest, the engine over its stores, and the store that its runs fill, wired to their adapters."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from contextful.adapters.system import SystemWorld
from contextful.authority import mask, redact
from contextful.authority.credential import Credential
from contextful.faces import binding, carrying, config, manifest, opening, own_outputs, stores, tracing, units, upkeep
from contextful.faces.carrying import Bound, Carrying
from contextful.faces.embedded import Engine
from contextful.faces.tables import Tables
from contextful.faces.upkeep import Applied, Compacted
from contextful.kernel import trace
from contextful.kernel.failure import Failed, Failure
from contextful.pipeline import compile, declare
from contextful.pipeline.spec import JobSpec, Origin, PipelineSpec, ProjectSpec
from contextful.ports.bucket import Bucket
from contextful.ports.item_table import ItemTable
from contextful.ports.observer import Nobody, Observer
from contextful.ports.read_face import Answer, ReadFace
from contextful.ports.run_table import RunTable
from contextful.ports.source import Source
from contextful.ports.world import World
from contextful.run.journal import storage
from contextful.run.own.own import SEED
from contextful.run.record import Run
from contextful.run.site import Site
from contextful.run.site import site_id as declared_site
from contextful.runner import delegate
from contextful.runner.backfill import Backfill
from contextful.runner.bodies import BODIES, Bodies
from contextful.runner.items import Items
from contextful.runner.job import Fired, Jobs
from contextful.runner.land import Landings, Outcome
from contextful.runner.schedule import Scheduler, Start, Told
from contextful.runner.sweep import Ran
from contextful.store import lay_out, pull
from contextful.surface.apply import Draft
from contextful_contract.shapes import DowngradeEvent, FailureTag, Grant, JobKind

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from contextful.adapters.control import Control
    from contextful.adapters.parquet import ParquetStore

NODE_ID = "CONTEXTFUL_NODE_ID"
CONTROL = Path(".contextful", "control")
ROWS_MAX = 10_000
NO_PLANS: Mapping[str, Collection[str]] = {}


class Project:
    """A project's folder: its declared pipelines, the engine that runs them, and the store that they fill."""

    def __init__(
        self,
        folder: Path,
        spec: ProjectSpec,
        kept: stores.Stores,
        world: World,
        observer: Observer,
        *,
        site_id: str,
        node_id: str,
        pepper: bytes | None,
        bound: Bound | None,
    ) -> None:
        self.folder = folder
        self.spec = spec
        self._rows = kept.rows
        self._world = world
        self._site_id = site_id
        self.node_id = node_id
        self._pepper = pepper
        self._bound = bound
        self.parts = kept.place.parts  # what keeps which part of all that the engine knows
        self.tables = Tables(spec, pepper)
        caller = trace.of_caller(os.environ.get(tracing.TRACEPARENT))
        self.engine = Engine(
            kept.rows,
            kept.blobs,
            world,
            observer=observer,
            site_id=site_id,
            profile=kept.profile,
            trace_id=caller,
            capabilities=kept.capabilities(),
            run_table=self._run_table,
            disk=carrying.unpushed(self._store, stores.chosen()),
        )
        self._spans = tracing.configured(os.environ)
        if self._spans is not None:
            self.engine.watch(self._spans)
        self.engine.reap()

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        *,
        world: World | None = None,
        observer: Observer | None = None,
        site: Site | None = None,
        bucket: Bucket | None = None,
    ) -> Project:
        """The project that the folder's `contextful.toml` declares. `site` takes its declaration's place, and `bucket`
        that of the one which `[sync]` names.

        Raises a group with every fault of the manifest, each noted with its place.
        """
        at = Path(folder)
        spec = manifest.read(at)
        site_id = declared_site(site or spec.site, os.environ)
        root = at / lay_out.root(spec.name)
        held = config.read(root)
        declared = os.environ.get(NODE_ID, held.node.get("id"))
        node_id = lay_out.node_id(declared, host=platform.node(), store=str(root.absolute()))
        hashed = any(redact.hashes(table.redaction) or mask.hashes(table.policy) for table in spec.tables)
        pepper = mask.pepper(os.environ, needed=hashed)
        profile = stores.chosen()
        storage.beside_corpus(profile, encrypted=held.encryption is not None)
        world, sync = world or SystemWorld(), carrying.settled(held.sync, profile)
        kept = stores.local(at, world) if profile is None else stores.shared(profile, spec.name)
        try:
            bucket = bucket or kept.bucket
            bound = None if sync is None else Bound(sync, bucket or carrying.bucket(sync, at, world))
            told = observer or Nobody()
            return cls(at, spec, kept, world, told, site_id=site_id, node_id=node_id, pepper=pepper, bound=bound)
        except BaseException:
            kept.rows.close()
            raise

    def carrying(self) -> Carrying | None:
        """The store's way to its bucket, if it has one."""
        if self._bound is None:
            return None
        ids = [spec.id for spec in self.spec.pipelines]
        return Carrying(
            self._store,
            self._bound,
            self._rows,
            self._world,
            project=self.spec.name,
            pipelines=ids,
            restore=self.engine.restore_history,
        )

    def pipeline(self, pipeline_id: str) -> PipelineSpec:
        """The pipeline of this id."""
        for spec in self.spec.pipelines:
            if spec.id == pipeline_id:
                return spec
        raise Failed(Failure(FailureTag.CONFIG, manifest.unknown_pipeline(self.spec, pipeline_id)))

    def run(
        self, pipeline_id: str, run_id: str | None = None, *, told: Callable[[Outcome], object] = lambda _: None
    ) -> Sequence[Outcome]:
        """Fire the pipeline once: every table lands what its source has from the committed position on.

        Raises PipelineTableFailed, a group of them where several tables failed; what the others came to is told before.
        """
        spec = self.pipeline(pipeline_id)
        return self._landings().fire(spec, self._opened, run_id=run_id, told=told)

    def seed(self, pipeline_id: str, *, told: Callable[[Outcome], object] = lambda _: None) -> Sequence[Outcome]:
        """Land what the pipeline's tables begin with, where that has not landed yet."""
        return self._landings().seed(self.pipeline(pipeline_id), self._opened, told=told)

    def backfill(self, pipeline_id: str) -> Backfill:
        """The pipeline's history, chunk by chunk."""
        spec = self.pipeline(pipeline_id)
        return Backfill(spec, self.engine, self._rows, self._world, self._landings(), self._opened)

    def job(self, name: str) -> JobSpec:
        """The job of this name."""
        for spec in self.spec.jobs:
            if spec.name == name:
                return spec
        names = ", ".join(spec.name for spec in self.spec.jobs) or "none"
        raise Failed(Failure(FailureTag.CONFIG, f"no job is called {name}; declared: {names}"))

    def fire(
        self,
        name: str,
        run_id: str | None = None,
        *,
        bodies: Bodies = BODIES,
        identity: str | None = None,
        grants: Sequence[Grant] | None = None,
        told: Callable[[Ran], object] = lambda _: None,
    ) -> Fired:
        """Fire a store-driven job once: its body over every row of its statement, and then its output tables.

        Of a sweep, that is done for each of its origins, and `told`.

        It reads what `grants` cover, and every table where there are none. Raises JobBodyUnregistered, and what
        `Jobs.fire` does.
        """
        spec = self.job(name)
        if spec.kind is not JobKind.STORE_DRIVEN:
            raise Failed(Failure(FailureTag.CONFIG, f"job {name} is of kind {spec.kind}, which is not fired by hand"))
        body = bodies.body(spec.body, job=name) if spec.body else delegate.whole()
        plan, landings = compile.job(spec), self._landings()
        reads = own_outputs.reads(self.tables, self._store, grants, plan, body)
        reads.admit()
        run_id = run_id or f"run-{self._world.draw(64):016x}"
        isolated = Items(self.engine, self._rows, self._world, landings, self._item_table)
        with binding.opened(config.read(self._root()).delegates, spec.delegate, self._world) as delegates:
            jobs = Jobs(self.engine, self._world, reads, landings, delegates=delegates, isolated=isolated)
            return jobs.fire(plan, body, run_id=run_id, identity=identity, told=told)

    def scheduler(self, start: Start, *, told: Told) -> Scheduler:
        """What fires pipelines and jobs as their schedules say, and wakes those that wait for an instant."""
        states = self._store.states()
        return Scheduler(
            self._rows,
            self._world,
            units.of(self.spec),
            start,
            told=told,
            elsewhere=lambda key: pull.started_ms(states, key),
        )

    def query(
        self,
        sql: str,
        *,
        rows_max: int = ROWS_MAX,
        as_of_ms: int | None = None,
        available_as_of_ms: int | None = None,
    ) -> Answer:
        """What one SELECT of the operator's own says about the committed rows, unmasked, as of the first instant.

        Of tables with `available_time`, it reads what could be known at the second.
        """
        reads = self.tables.operators(self._store)
        return reads.query(sql, rows_max=rows_max, as_of_ms=as_of_ms, available_as_of_ms=available_as_of_ms)

    def reads(self, grants: Sequence[Grant] | None = None) -> ReadFace:
        """What the holder of these grants reads through, or without them whoever may read all. It masks for either."""
        return self.tables.masked(self._store, grants)

    def answering(self, credential: Credential | None) -> ReadFace:
        """What whoever presents the credential reads through."""
        return self.tables.answering(self._store, credential, self.engine.revocation_epoch())

    def served(self, issuer: bytes, *, audience: str, path: str = "the issuer's key") -> Starlette:
        """The served face over the project's runs and tables, as `Engine.served` has it over runs alone."""
        return self.engine.served(issuer, audience=audience, path=path, tables=self)

    def compact(self, table: str | None = None) -> Mapping[str, Compacted]:
        """Fold the table of this name in the store, or without one every table that is due, and collect what is past.

        Raises StoreUnknownTable where no pipeline declares the table, or nothing was landed in it.
        """
        store = self._store
        return upkeep.compact(store, self.tables.operators(store), self.tables.readings, table)

    def draft(self) -> Draft:
        """What is declared now, beside the version that is current."""
        control = self._control()
        base = control.current()
        held = control.text(base)
        return Draft(self.spec, manifest.text(self.folder), base, None if held is None else manifest.standing(held))

    def apply(self, draft: Draft, *, plans: Mapping[str, Collection[str]] = NO_PLANS) -> Applied:
        """Claim the draft as the next version, and retire the pending work of jobs for which it has no plan.

        `plans` are those that each job's scope is declared with now. Raises ManifestVersionConflict where somebody
        else has applied meanwhile, and retires nothing then.
        """
        return upkeep.applied(self.engine, self._control(), draft, plans)

    def schema_diff(self, run: Run) -> Sequence[DowngradeEvent]:
        """What the run landed as less than it arrived as."""
        return self._store.schema_diff(declare.table_name(run.pipeline_id, run.table.removesuffix(SEED)), run.run_id)

    def close(self) -> None:
        """Let the stores go, once the spans are sent."""
        if self._spans is not None:
            self._spans.close()
        self.engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _landings(self) -> Landings:
        return Landings(
            self.engine,
            self._rows,
            self._world,
            self._store,
            site_id=self._site_id,
            connectors=lambda spec: opening.connector(spec, self.folder),
            pepper=self._pepper,
        )

    def _run_table(self) -> RunTable:
        from contextful.adapters.run_table import ParquetRunTable

        return ParquetRunTable(self._store, site_id=self._site_id)

    def _item_table(self) -> ItemTable:
        from contextful.adapters.item_table import ParquetItemTable

        return ParquetItemTable(self._store, site_id=self._site_id)

    @cached_property
    def _store(self) -> ParquetStore:
        from contextful.adapters.parquet import ParquetStore

        return ParquetStore(self._root(), self._world, node_id=self.node_id, carried=self._bound is not None)

    def _opened(self, spec: Origin, table: str) -> Source:
        return opening.source(spec, table, self.folder, self._world)

    def _root(self) -> Path:
        return self.folder / lay_out.root(self.spec.name)

    def _control(self) -> Control:
        from contextful.adapters.control import Control

        return Control(self.folder / CONTROL / self.spec.name, self._world)
