"""A row of a job's input in the hands of its body, and what the body makes of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from itertools import count
from typing import Any, cast

from contextful.kernel import instant
from contextful.kernel.failure import Permanent
from contextful.pipeline import pull
from contextful.pipeline.prepare import Writer
from contextful.run import delegate
from contextful.run.own.body_pins import Projection
from contextful.run.retry import DEFAULT, Schedule
from contextful.run.sweep import Origin
from contextful.runner.bodies import Body
from contextful.runner.delegate import Calls
from contextful.runner.emitted import Emission
from contextful.runner.execution import Execution
from contextful.runner.till import Till
from contextful_contract.shapes import Json


class Row(Mapping[str, Any]):
    """One input row in its body: its columns, and the steps that the body takes for it."""

    def __init__(
        self,
        key: int | str,
        columns: Mapping[str, Any],
        run: Execution,
        projection: Projection,
        calls: Calls,
        till: Till,
        labelled: Callable[[str], str],
        at: Origin | None = None,
    ) -> None:
        self.key = key  # the row's ordinal in the recorded input, or the logical key of an item
        self.origin = None if at is None else instant.spell(at.at_ms)  # of a sweep: when it is asked
        self._stamps = {} if at is None else at.stamps
        self._labelled = labelled
        self._columns = columns
        self._run = run
        self._projection = projection
        self._calls = calls
        self._till = till
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
        if (types := self._projection.types.get(label)) is not None:
            effect = _typed(label, effect, types)
        return self._run.step(self._labelled(label), effect, *args, retry=retry)

    def call(self, given: Json, *, retry: Schedule = DEFAULT) -> Any:
        """What the job's delegate answers: one journaled step, sent under one key however often it is sent."""
        self._calls.admit()
        ordinal = next(self._ordinals)  ##= delegate.call.call
        label = self._labelled(delegate.label(ordinal))
        ##= delegate.call.replayed
        return self._run.step(label, self._calls.ask, str(self.key), ordinal, given, retry=retry)

    def wait(self, label: str, *, ttl: str = "24h", hold: str | None = None) -> Any:
        """What a party outside answers for this row, as `Execution.wait` has it."""
        return self._run.wait(self._labelled(label), ttl=ttl, hold=hold)

    def spend(self, amount: float | Decimal, unit: str = "") -> None:
        """Have whoever watches the fire see what the row costs: `row.spend(0.02, "USD")`, within an effect.

        A step that is on record is not entered again, and so costs nothing again. Raises ValueError.
        """
        self._till.spend(amount, unit)

    def emit(self, table: str, record: Mapping[str, Any]) -> None:
        """Have a row land in an output table: once all rows are through, or as soon as its item is.

        Raises Permanent where a value is infinite or NaN: here, before anything is recorded of the row.
        """
        for column, value in record.items():
            if not pull.finite(value):
                raise Permanent(f"column {column!r:.80} of table {table} is {value!r:.80}, {pull.NO_NUMBER}")
        self.emissions.append(Emission(table, {**record, **self._stamps.get(table, {})}))


def output(
    run: Execution,
    body: Body,
    label: str,
    made: Callable[[], Row],
    *,
    key: int | str,
    protected: Mapping[str, Writer],
    retry: Schedule = DEFAULT,
) -> Sequence[Emission]:
    """What the body emits for a row: recorded once it is through, so that a resumption does not enter it again.

    The row is made anew each time that its body is entered: nothing of what it emitted before it failed is left. What
    a protected table's rules remove is gone before the record.
    """

    def prepared(row: Row) -> Sequence[Emission]:
        return tuple(
            Emission(each.table, protected[each.table].removed(each.record)) if each.table in protected else each
            for each in row.emissions
        )

    def entered() -> Sequence[Emission]:
        row = made()
        with _staying():
            body.code(row)
        return prepared(row)

    async def awaited() -> Sequence[Emission]:
        row = made()
        with _staying():
            await body.code(row)
        return prepared(row)

    entering = awaited if inspect.iscoroutinefunction(body.code) else entered
    return cast(Sequence[Emission], run.step(label, entering, input=key, retry=retry))


@contextmanager
def _staying() -> Iterator[None]:
    """A body that calls `sys.exit` fails: it is one of many in its process, which is not its own to end."""
    try:
        yield
    except SystemExit as left:
        raise Permanent(f"the body asks its process to end: {left!r}") from left


def _typed(label: str, effect: Callable[..., Any], types: Mapping[str, str]) -> Callable[..., Any]:
    """The effect, which returns a record of these columns, or a list of such: anything else is refused unrecorded."""

    def seen(returned: Any) -> Any:
        records = returned if isinstance(returned, list) else [returned]
        for each in records:
            if not isinstance(each, dict):
                raise Permanent(f"effect {label} is registered with types, and returned what is no record")
            for column in each:
                if column not in types:
                    raise Permanent(f"effect {label} returned column {column}, which is none of its registered types")
        return returned

    def performed(*args: object) -> Any:
        return seen(effect(*args))

    async def awaited(*args: object) -> Any:
        return seen(await effect(*args))

    return awaited if inspect.iscoroutinefunction(effect) else performed
