"""Performs run.journal's store-driven input: a fire reads its statement once, runs its body over every row, and lands.

input --> row/0 … row/n, at most max_in_flight in the body --> one landing a table --> the owner retires
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, cast

from contextful.kernel.failure import Failed, Failure, Permanent
from contextful.kernel.signal import Stopped, Suspended, together
from contextful.pipeline.compile import JobPlan
from contextful.ports.read_face import ReadFace
from contextful.ports.world import World
from contextful.run import delegate
from contextful.run.journal import store_driven_input
from contextful.run.own import body_pins
from contextful.run.own.body_pins import Projection
from contextful.run.retry import DEFAULT, Schedule
from contextful.runner import emitted, ending
from contextful.runner.bodies import UNAVAILABLE, Body
from contextful.runner.delegate import NONE, Bound, Calls, bound
from contextful.runner.emitted import Emission, Emitted
from contextful.runner.engine import Engine
from contextful.runner.execution import Execution
from contextful.runner.land import Landings, Success
from contextful.store import respond
from contextful_contract import limits
from contextful_contract.shapes import FailureTag, InputBounds, Json, RecordedInput


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


class Row(Mapping[str, Any]):
    """One input row in its body: its columns, and the steps that the body takes for it."""

    def __init__(
        self, key: int, columns: Mapping[str, Any], run: Execution, projection: Projection, calls: Calls
    ) -> None:
        self.key = key  # the row's ordinal in the recorded input
        self._columns = columns
        self._run = run
        self._projection = projection
        self._calls = calls
        self._ordinals = count(1)
        self.emissions: list[Emission] = []

    def __getitem__(self, column: str) -> Any:
        return self._columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def step(self, label: str, effect: Callable[..., Any], *args: object, retry: Schedule = DEFAULT) -> Any:
        """The effect's recorded value, as `Execution.step` has it, under a label of this row's.

        Raises Permanent where the body did not register the label among its effects.
        """
        if label not in self._projection.effects:
            raise Permanent(f"a body takes the steps that it registered, and {label} is none of its effects")
        return self._run.step(store_driven_input.row_label(self.key, label), effect, *args, retry=retry)

    def call(self, given: Json, *, retry: Schedule = DEFAULT) -> Any:
        """What the job's delegate answers: one journaled step, sent under one key however often it is sent."""
        self._calls.admit()
        ordinal = next(self._ordinals)  ##= delegate.call.call
        label = store_driven_input.row_label(self.key, delegate.label(ordinal))
        ##= delegate.call.replayed
        return self._run.step(label, self._calls.ask, str(self.key), ordinal, given, retry=retry)

    def wait(self, label: str, *, ttl: str = "24h", hold: str | None = None) -> Any:
        """What a party outside answers for this row, as `Execution.wait` has it."""
        return self._run.wait(store_driven_input.row_label(self.key, label), ttl=ttl, hold=hold)

    def emit(self, table: str, record: Mapping[str, Any]) -> None:
        """Have a row land in an output table, once all rows are through."""
        self.emissions.append(Emission(table, dict(record)))


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
    ) -> None:
        self._engine = engine
        self._world = world
        self._reads = reads
        self._landings = landings
        self._delegates = delegates

    def fire(
        self,
        plan: JobPlan,
        body: Body,
        *,
        run_id: str,
        identity: str | None = None,
        projection: Projection | None = None,
    ) -> Fired:
        """Fire the job once, or take up what is pending of it.

        `identity` is a structural identity of the host's own; a `projection` that is not the one that the body has
        registered is refused. Raises ExecutionPinMismatch where pending work is bound to another statement, body or
        dependency, RunInputTruncated, and what a row failed with.
        """
        to = bound(self._delegates, plan.delegate, job=plan.name)
        registration = body.registration(None if to is None else to.binding)
        body_pins.admit_projection(registration, projection)  ##= run.journal.body-projection
        pins = store_driven_input.pins(registration, plan.statement, plan.as_of_ms, identity=identity)
        ##= run.own.body-admission
        with self._engine.attempt(store_driven_input.scope(plan.name), pins, run_id=run_id) as run:
            if UNAVAILABLE in registration.dependencies.values():
                missing = sorted(name for name, it in registration.dependencies.items() if it == UNAVAILABLE)
                raise Failed(Failure(FailureTag.CONFIG, f"body {body.name} cannot read its {', '.join(missing)}"))
            given = self._input(plan, run)
            run.read(InputBounds(as_of=given.as_of, snapshots=given.snapshots, rows=len(given.rows)))
            self._rows(plan, body, run, given, to)
            landed = [success for table in plan.tables if (success := self._land(plan, run, table, len(given.rows)))]
        return Fired(plan.name, run_id, len(given.rows), landed)

    def _input(self, plan: JobPlan, run: Execution) -> RecordedInput:
        """The rows, read once: a resumption goes through what is recorded."""
        as_of_ms = store_driven_input.as_of(plan.as_of_ms, run.opened_ms)

        def read() -> RecordedInput:
            answer = self._reads.query(plan.statement, rows_max=limits.FACE_ROW_CEILING_ROWS, as_of_ms=as_of_ms)
            rows = [dict(zip(answer.columns, map(respond.cell, row), strict=True)) for row in answer.rows]
            told = cast(Sequence[dict[str, Json]], rows)
            return store_driven_input.recorded(as_of_ms, answer.snapshots, told, truncated=answer.truncated)

        return run.step(store_driven_input.INPUT, read)  ##= run.journal.store-input

    def _rows(self, plan: JobPlan, body: Body, run: Execution, given: RecordedInput, to: Bound | None) -> None:
        """Run the body over every row, so many at once. One that waits gives its slot to the next.

        After one that fails none goes in, and those inside come out.
        """
        ahead = count()
        ended: list[BaseException] = []
        parked: list[Suspended] = []
        tables: dict[str, int] = {}
        calls = Calls(plan.name, run, to)

        def work() -> None:
            while not ended and (ordinal := next(ahead)) < len(given.rows):  ##= run.journal.row-concurrency
                try:
                    columns = cast(Mapping[str, Any], given.rows[ordinal])
                    with run.parks():
                        emissions = row_output(
                            run, body, ordinal, partial(Row, ordinal, columns, run, body.projection, calls)
                        )
                    for emission in emissions:
                        tables.setdefault(emission.table, ordinal)
                except Suspended as waits:
                    parked.append(waits)  ##= run.suspend.row-parks
                except BaseException as error:  # noqa: BLE001 (whatever it is, the run ends with it)
                    ended.append(error)

        slots = min(plan.max_in_flight, len(given.rows))
        for task in [self._world.start(f"contextful-row-{slot}", work) for slot in range(slots)]:
            task.join()
        if ended:
            raise _ending(ended)
        if parked:
            raise together(parked)  # once it is over, each that waits no more enters its body anew
        for table, ordinal in tables.items():
            if table not in plan.tables:
                ##= surface.fire.undeclared-output
                raise Permanent(f"job {plan.name} declares no table {table}, and its row {ordinal} emits to it")

    def _land(self, plan: JobPlan, run: Execution, table: str, row_count: int) -> Success | None:
        """One landing, a run of its own, which needs its parent all the while; none where one has landed all of it."""
        run.admit()
        if emitted.ordinal(self._landings.position(plan.tables[table]), run.execution_id) == row_count > 0:
            return None
        source = Emitted(run, table, row_count, parent=run.admit)
        return self._landings.run(
            plan.tables[table],
            lambda: source,
            run_id=f"{run.run_id}.{table}",  ##= surface.fire.output-runs
            admit=run.admit,
            within=run,
        )  ##= run.journal.row-output


def row_output(run: Execution, body: Body, ordinal: int, made: Callable[[], Row]) -> Sequence[Emission]:
    """What the body emits for a row: recorded once it is through, so that a resumption does not enter it again.

    The row is made anew each time that its body is entered: nothing of what it emitted before it failed is left.
    """

    def entered() -> Sequence[Emission]:
        row = made()
        body.code(row)
        return tuple(row.emissions)

    async def awaited() -> Sequence[Emission]:
        row = made()
        await body.code(row)
        return tuple(row.emissions)

    entering = awaited if inspect.iscoroutinefunction(body.code) else entered
    return cast(Sequence[Emission], run.step(store_driven_input.row_label(ordinal), entering, input=ordinal))


def _ending(ended: Sequence[BaseException]) -> BaseException:
    """A stop; or the failure that came first, which stands for those of the other rows too."""
    for error in ended:
        if isinstance(error, Stopped):
            return error
    ending.refuse(ended[0], [entry for each in ended for entry in ending.entries(each)])
    return ended[0]
