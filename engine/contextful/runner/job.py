"""Performs run.journal's store-driven input: a fire reads its statement once, runs its body over every row, and lands.

input --> row/0 … row/n, at most max_in_flight in the body --> one landing a table --> the owner retires
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from contextful.kernel.failure import Failed, Failure
from contextful.kernel.signal import Suspended, together
from contextful.pipeline.compile import JobPlan
from contextful.pipeline.prepare import Writer
from contextful.ports.observer import RowCame
from contextful.ports.read_face import ReadFace
from contextful.ports.world import World
from contextful.run import items, record, sweep
from contextful.run.items import Item
from contextful.run.journal import store_driven_input
from contextful.run.own import body_pins
from contextful.run.own.body_pins import Projection
from contextful.run.own.own import Pins
from contextful.run.retry import Schedule
from contextful.run.sweep import Origin
from contextful.runner import emitted
from contextful.runner.bodies import UNAVAILABLE, Body
from contextful.runner.delegate import NONE, Bound, Calls, bound
from contextful.runner.emitted import Emission, Emitted, Undeclared
from contextful.runner.engine import Engine
from contextful.runner.execution import Execution
from contextful.runner.item_fire import Incomplete
from contextful.runner.items import Items
from contextful.runner.land import Landings, Success
from contextful.runner.row import Row, output
from contextful.runner.slots import through
from contextful.runner.sweep import Ran, clear, swept
from contextful.runner.till import Till
from contextful.store import respond
from contextful_contract import limits
from contextful_contract.shapes import FailureTag, InputBounds, Json, RecordedInput, RunStatus

ONCE = Schedule(attempts=1)  # a failed attempt at an item is its budget's, and no schedule's


@dataclass(frozen=True, slots=True)
class Fired:
    """A fire that succeeded: what it read, and what each of the tables came to that it landed."""

    job: str
    run_id: str
    input_rows: int
    landed: Sequence[Success]

    @property
    def rows(self) -> int:
        """How many rows it has landed, in all its tables."""
        return sum(success.rows for success in self.landed)


class Jobs:
    """Store-driven jobs over their ports."""

    def __init__(
        self,
        engine: Engine,
        world: World,
        reads: ReadFace,
        landings: Landings,
        *,
        delegates: Mapping[str, Bound] = NONE,
        isolated: Items | None = None,
    ) -> None:
        self._engine = engine
        self._world = world
        self._reads = reads
        self._landings = landings
        self._delegates = delegates
        self._items = isolated

    def fire(
        self,
        plan: JobPlan,
        body: Body,
        *,
        run_id: str,
        identity: str | None = None,
        projection: Projection | None = None,
        told: Callable[[Ran], object] = lambda _: None,
    ) -> Fired:
        """Fire the job once, or take up what is pending of it; `told` hears of each origin of a sweep.

        `identity` is a structural identity of the host's own; a `projection` that is not the one that the body has
        registered is refused. Raises ExecutionPinMismatch where pending work is bound to another statement, body or
        dependency, RunInputTruncated, and what a row failed with.
        """
        to = bound(self._delegates, plan.delegate, job=plan.name)
        registration = body.registration(None if to is None else to.binding)
        body_pins.admit_projection(registration, projection)  ##= run.journal.body-projection
        admit_effects(plan, body)
        declared: dict[str, object] = {} if plan.items is None else {"items": items.policy(plan.items)}
        declared |= {f"writer {table}": writer.identities([]) for table, writer in self._protected(plan).items()}

        def pinned(origin_ms: int | None = None) -> Pins:
            of_all = {**declared, **sweep.declared(plan.sweep, origin_ms)}
            return store_driven_input.pins(
                registration, plan.statement, plan.as_of_ms, identity=identity, declared=of_all
            )

        pins = pinned()
        ##= run.own.body-admission
        with self._engine.attempt(store_driven_input.scope(plan.name), pins, run_id=run_id) as run:
            if UNAVAILABLE in registration.dependencies.values():
                missing = sorted(name for name, it in registration.dependencies.items() if it == UNAVAILABLE)
                raise Failed(Failure(FailureTag.CONFIG, f"body {body.name} cannot read its {', '.join(missing)}"))
            if plan.sweep is not None:
                ran = swept(plan, run, partial(self._origin, plan, body, run, pinned, to), told)
                landed = [success for each in ran for success in each.landed]
                return Fired(plan.name, run_id, sum(each.input_rows for each in ran), landed)
            given = self._input(plan, run)
            if plan.items is not None:
                return self._isolated(plan, body, run, pins, given, to)
            return self._batch(plan, body, run, given, to)

    def _origin(
        self,
        plan: JobPlan,
        body: Body,
        run: Execution,
        pinned: Callable[[int], Pins],
        to: Bound | None,
        origin: Origin,
        run_id: str,
    ) -> Ran:
        """An origin of the sweep that the run is: an execution of its own, which tells the sweep of its end."""
        scope = sweep.scope(store_driven_input.scope(plan.name), origin.at_ms)
        clear(self._engine, scope, run)
        pins = pinned(origin.at_ms)
        pins = replace(pins, identities={**pins.identities, sweep.SWEEP: origin.sweep_id})
        with self._engine.attempt(scope, pins, run_id=run_id, within=run) as part, run.stops(part):
            fired = self._batch(plan, body, part, self._input(plan, part, origin), to, origin)
            commits = [self._landings.committed_ms(table, part.execution_id) for table in plan.tables.values()]
            committed_ms = max((at_ms for at_ms in commits if at_ms is not None), default=None)
            ran = Ran(run_id, origin.at_ms, fired.input_rows, tuple(fired.landed), committed_ms)
            part.close(record.Closing(RunStatus.SUCCESS), also=[run.leaves(origin.label, ran)])
        return ran

    def _batch(
        self,
        plan: JobPlan,
        body: Body,
        run: Execution,
        given: RecordedInput,
        to: Bound | None,
        origin: Origin | None = None,
    ) -> Fired:
        """All rows, which land together."""
        self._rows(plan, body, run, given, to, origin)
        landed = [success for table in plan.tables if (success := self._land(plan, run, table, len(given.rows)))]
        return Fired(plan.name, run.run_id, len(given.rows), landed)

    def _input(self, plan: JobPlan, run: Execution, origin: Origin | None = None) -> RecordedInput:
        """The rows, read once, and under an origin's bounds: a resumption goes through what is recorded."""
        as_of_ms = store_driven_input.as_of(plan.as_of_ms, run.opened_ms) if origin is None else origin.as_of_ms
        at_ms, of = (None, {}) if origin is None else (origin.at_ms, origin.tables_as_of_ms)

        def read() -> RecordedInput:
            answer = self._reads.query(
                plan.statement,
                rows_max=limits.FACE_ROW_CEILING_ROWS,
                as_of_ms=as_of_ms,
                available_as_of_ms=at_ms,  ##= run.sweep.cache-key
                tables_as_of_ms=of,
            )
            rows = [dict(zip(answer.columns, map(respond.cell, row), strict=True)) for row in answer.rows]
            told = cast(Sequence[dict[str, Json]], rows)
            if plan.items is not None:
                items.keyed(plan.name, plan.items, told)
            return store_driven_input.recorded(as_of_ms, answer.snapshots, told, truncated=answer.truncated)

        given = run.step(store_driven_input.INPUT, read)  ##= run.journal.store-input
        bounds = InputBounds(as_of=given.as_of, snapshots=given.snapshots, rows=len(given.rows))
        if origin is not None:
            ##= run.sweep.sweep-id
            bounds = replace(bounds, available_as_of=at_ms, sweep_id=origin.sweep_id, origin=at_ms)
        run.read(bounds)
        return given

    def _isolated(
        self, plan: JobPlan, body: Body, run: Execution, pins: Pins, given: RecordedInput, to: Bound | None
    ) -> Fired:
        """Every row by itself: what has come of those that are through by now."""
        assert self._items is not None, "who declares items has a store to keep them in"
        protected, till = self._protected(plan), Till(run)

        def enters(item_run: Execution, item: Item, columns: Mapping[str, Any]) -> Sequence[Emission]:
            key, calls = item.logical_key, Calls(plan.name, item_run, to)
            made = partial(Row, key, columns, item_run, body.projection, calls, till, items.label)
            ##= run.items.delegated-item
            return output(item_run, body, items.label(), made, key=key, protected=protected, retry=ONCE)

        try:
            fire = self._items.fire(plan, pins, run, given, enters)
        except Incomplete as failed:
            run.leave(failed, replay_stable=True)
            raise
        return Fired(plan.name, run.run_id, len(given.rows), fire.landings())

    def _rows(
        self,
        plan: JobPlan,
        body: Body,
        run: Execution,
        given: RecordedInput,
        to: Bound | None,
        origin: Origin | None,
    ) -> None:
        """Run the body over every row, so many at once. One that waits gives its slot to the next.

        After one that fails none goes in, and those inside come out.
        """
        ended: list[int] = []
        parked: list[Suspended] = []
        tables: dict[str, int] = {}
        calls, protected, till = Calls(plan.name, run, to), self._protected(plan), Till(run)

        def work(ordinal: int) -> None:
            columns, labelled = (
                cast(Mapping[str, Any], given.rows[ordinal]),
                partial(store_driven_input.row_label, ordinal),
            )
            made = partial(Row, ordinal, columns, run, body.projection, calls, till, labelled, origin)
            try:
                with run.parks():
                    emissions = output(run, body, labelled(), made, key=ordinal, protected=protected)
            except Suspended as waits:
                parked.append(waits)  ##= run.suspend.row-parks
            else:
                ended.append(ordinal)
                for emission in emissions:
                    tables.setdefault(emission.table, ordinal)
            run.tell(RowCame(len(ended), len(parked), len(given.rows)))

        run.tell(RowCame(0, 0, len(given.rows)))
        begins, count = _frontier(run, len(given.rows)), len(given.rows)
        rows = [partial(work, ordinal) for ordinal in (*range(begins, count), *range(begins))]
        through(self._world, "contextful-row", rows, plan.max_in_flight)  ##= run.journal.row-concurrency
        if parked:
            raise together(parked)  # once it is over, each that waits no more enters its body anew
        for table, ordinal in tables.items():
            if table not in plan.tables:
                ##= surface.fire.undeclared-output
                raise Undeclared(f"job {plan.name} declares no table {table}, and its row {ordinal} emits to it")

    def _protected(self, plan: JobPlan) -> Mapping[str, Writer]:
        """What prepares the rows of each table that has rules, by the table's name."""
        return {name: self._landings.writer(table) for name, table in plan.tables.items() if table.writer.protects}

    def _land(self, plan: JobPlan, run: Execution, table: str, row_count: int) -> Success | None:
        """One landing, a run of its own, which needs its parent all the while; none where one has landed all of it."""
        run.admit()
        if emitted.ordinal(self._landings.position(plan.tables[table]), run.execution_id) == row_count > 0:
            return None

        def recorded(at: int) -> Sequence[Emission]:
            return cast(Sequence[Emission], run.step(store_driven_input.row_label(at), _gone, input=at))

        source = Emitted(run.execution_id, table, row_count, recorded, parent=run.admit)
        return self._landings.run(
            plan.tables[table].prepared,
            lambda: source,
            run_id=f"{run.run_id}.{table}",  ##= surface.fire.output-runs
            admit=run.admit,
            within=run,
        )  ##= run.journal.row-output


def admit_effects(plan: JobPlan, body: Body) -> None:
    """See that the body declares what it has to, where the job lands in a table of which values are removed."""
    removed = {
        name: {rule.column.lower() for rule in table.writer.rules}
        for name, table in plan.tables.items()
        if table.writer.protects
    }
    body_pins.admit_effects(body.projection, removed, job=plan.name)
    if removed and plan.delegate is not None:
        said = f"job {plan.name} lands in {min(removed)}, of which values are removed"
        raise Failed(Failure(FailureTag.CONFIG, f"{said}, and what a delegate answers has no types"))


def _frontier(run: Execution, row_count: int) -> int:
    """About where the rows begin that no attempt has been through: those before it need only be looked up.

    Rows are worked off in their order, but for those that waited or were inside as an attempt ended.
    """
    low, high = 0, row_count if len(run.attempts) > 1 else 0
    while low < high:
        middle = (low + high) // 2
        through_it = run.holds(store_driven_input.row_label(middle), middle)
        low, high = (middle + 1, high) if through_it else (low, middle)
    return low


def _gone() -> None:
    raise AssertionError("a row that is through is on record")
