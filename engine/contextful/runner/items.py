"""Performs run.items: each row of a job is entered, lands and is done by itself.

pass: every item that has not ended, so many at once --> those whose instant is near, those whose entity
      may be free by now --> … --> what it all came to
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, cast

from contextful.kernel.change import Change
from contextful.kernel.failure import Failure, Transient, classify
from contextful.kernel.signal import Suspended
from contextful.kernel.table import Row
from contextful.pipeline.compile import JobPlan
from contextful.ports.item_table import ItemTable
from contextful.ports.observer import ItemCame, RowCame
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import items, record, retry
from contextful.run.items import Item
from contextful.run.own.own import Pins
from contextful.runner import emitted
from contextful.runner.emitted import Emission, Emitted, Undeclared
from contextful.runner.engine import Engine
from contextful.runner.execution import Execution
from contextful.runner.item_fire import End, Enters, Fire, conclude, interrupt
from contextful.runner.land import Landings, Success
from contextful.runner.own import Taken, standing_owner
from contextful.runner.slots import through
from contextful_contract.errors import StepFailed
from contextful_contract.shapes import FailureTag, ItemOutcome, ItemTerminal, RecordedInput, RunStatus

LOG = logging.getLogger(__name__)
Value = TypeVar("Value")
TOLD_TOGETHER = 200  # rows of `_items` in one append


class Deferred(Exception):
    """Run `by` is at the item or its entity, up to the instant, unless it renews its lease."""

    def __init__(self, by: str, until_ms: int) -> None:
        super().__init__(by, until_ms)
        self.by = by
        self.until_ms = until_ms


class Items:
    """Isolated items over their ports."""

    def __init__(
        self, engine: Engine, rows: Rows, world: World, landings: Landings, table: Callable[[], ItemTable]
    ) -> None:
        self._engine = engine
        self._rows = rows
        self._world = world
        self._landings = landings
        self._table = table

    def fire(self, plan: JobPlan, pins: Pins, run: Execution, given: RecordedInput, enters: Enters) -> Fire:
        """Bring every item of the input as far as it comes today.

        Leaves with a wait where items wait, and fails where some have failed: as Incomplete once all have ended.
        """
        assert plan.items is not None, "only a job that asks for items has any"
        rows = {}
        for row in given.rows:
            columns = cast(Mapping[str, Any], row)
            each = items.item(plan.name, plan.items, pins.plan_ref, columns)
            rows[each.item_id] = each, columns  # two rows that say the same are one item
        fire = Fire(plan, plan.items, pins, run, enters, rows, moved_ms=self._world.now_ms())
        self._tell(plan.name, doubted=True)
        run.tell(RowCame(0, 0, len(rows)))
        try:
            with self._engine.gathering():  # two runs an item, and more
                ahead = list(rows)
                while ahead:  # ends: a schedule has so many attempts, and a look at what is held its bound
                    turns = [partial(self._items, fire, each) for each in fire.by_entity(ahead)]
                    through(self._world, "contextful-item", turns, plan.max_in_flight)  ##= run.items.entity-admission
                    ahead = self._again(fire)
        except BaseException as left:  # noqa: BLE001 (it goes on as it came)
            interrupt(fire, left)
        finally:
            self._tell(plan.name, doubted=False)
        conclude(fire)
        return fire

    def _again(self, fire: Fire) -> list[str]:
        """The items whose turn comes again in this fire, once the first of their instants has come."""
        again = fire.again(self._world.now_ms())
        if not again:
            return []
        fire.run.rest(min(again.values()))
        now_ms = self._world.now_ms()
        return [item_id for item_id, at_ms in again.items() if at_ms <= now_ms]

    def _items(self, fire: Fire, item_ids: Sequence[str]) -> None:
        """The items of one entity, each in its turn; where it is held elsewhere, for all of them."""
        held: End | None = None
        for item_id in item_ids:
            end = self._item(fire, item_id, held)
            held = end if end.outcome is ItemOutcome.DEFERRED else None

    def _item(self, fire: Fire, item_id: str, held: End | None) -> End:
        """One item's turn, and what it comes to."""
        item, columns = fire.rows[item_id]
        fire.run.admit()
        row = self._rows.get(items.ITEM, items.entry(item))
        ended = items.terminal(row)
        end = _ended(ended, items.why(row)) if ended is not None else held or self._entered(fire, item, columns, row)
        with fire.turn:
            if fire.came(item_id, end, self._world.now_ms()):
                counts = items.counts(fire.counts)
                fire.run.tell(ItemCame(item.logical_key, end.outcome, counts, len(fire.rows), end.failure))
        return end

    def _entered(self, fire: Fire, item: Item, columns: Mapping[str, Any], row: Row | None) -> End:
        """What an attempt at the item comes to."""
        number = fire.entered.get(item.item_id, 0) + 1
        run_id = ".".join([fire.run.run_id, item.short, *([] if number == 1 else [str(number)])])
        try:
            if row is not None:
                self._free(fire.plan, item)
            attempt = self._engine.attempt(
                item.scope,
                replace(fire.pins, identities={**fire.pins.identities, "item": item.logical_id}),
                run_id=run_id,
                within=fire.run,
                takes=partial(self._takes, item),
                sleeps=False,
            )
        except Deferred as held:
            return End(ItemOutcome.DEFERRED, terminal=False, until_ms=held.until_ms, held_by=held.by)
        except Transient:  # somebody has opened it since
            return End(ItemOutcome.DEFERRED, terminal=False)
        fire.entered[item.item_id] = number
        fire.inside[item.item_id] = attempt
        try:
            with attempt, fire.run.stops(attempt):
                return self._attempted(fire, item, columns, attempt, items.attempts(row))
        except Suspended as waits:
            if waits.awaits:
                return End(ItemOutcome.PARKED, terminal=False, until_ms=waits.until_ms)
            ##= run.items.waiting-item
            near = retry.sleeps_in_process(waits.until_ms - self._world.now_ms())
            return End(ItemOutcome.WAITING, terminal=False, until_ms=waits.until_ms, again=near)
        finally:
            del fire.inside[item.item_id]

    def _attempted(self, fire: Fire, item: Item, columns: Mapping[str, Any], run: Execution, spent: int) -> End:
        """Enter the body, land what it emits, leave the receipt. A wait and a stop leave this as they come."""
        try:
            emissions = fire.enters(run, item, columns)
            landed = self._land(fire.plan, item, run, emissions)
        except Exception as error:  # noqa: BLE001 (whatever user code raises is classified)
            return self._failed(fire, item, run, error, spent=spent + 1)
        receipt = self._receipt(item, ItemTerminal.SUCCEEDED, None, run, spent + 1)
        positions = [self._landings.forgotten(_plan(fire.plan, table, item)) for table in fire.plan.tables]
        counts = record.Counts(*(sum(getattr(each, name) for each in landed) for name in ("rows", "bytes", "parts")))
        run.close(record.Closing(RunStatus.SUCCESS, counts=counts), also=[receipt, *positions])
        with fire.turn:
            fire.landed += landed
        return _ended(ItemTerminal.SUCCEEDED)

    def _failed(self, fire: Fire, item: Item, run: Execution, error: Exception, *, spent: int) -> End:
        """The attempt has failed: it counts, and the item ends with it or waits for the next fire.

        What the engine's own storage has failed with is none of the item's: the fire ends with it.
        """
        failure = classify(error)
        if isinstance(error, StepFailed) and error.label == items.label():
            failure = replace(failure, message=error.message)  # what the body said; that it is a step is our own affair
        if failure.tag is FailureTag.STORAGE:
            run.leave(error, holds=True)
            raise error
        if isinstance(error, Undeclared):  # its body is through, and its rows wait for their table
            run.leave(error, holds=True)
            return End(ItemOutcome.FAILURE, terminal=False, failure=failure)
        ended = items.failed(spent, fire.declared, failure)
        if ended is None:
            run.leave(error, holds=True, also=[items.counted(item, spent)])  ##= run.items.replay
            return End(ItemOutcome.FAILURE, terminal=False, failure=failure)
        receipt = self._receipt(item, ended, failure, run, spent)
        run.leave(error, replay_stable=True, also=[receipt])
        return _ended(ended, failure)

    def _receipt(
        self, item: Item, outcome: ItemTerminal, failure: Failure | None, run: Execution, spent: int
    ) -> Change:
        return items.receipt(
            item,
            outcome,
            failure,
            spent=spent,
            run_id=run.run_id,
            execution_id=run.execution_id,
            now_ms=self._world.now_ms(),
        )

    def _land(self, plan: JobPlan, item: Item, run: Execution, emissions: Sequence[Emission]) -> Sequence[Success]:
        """Land what the item's body has emitted: a landing a table, under the item's own position in it."""
        for emission in emissions:
            if emission.table not in plan.tables:
                ##= surface.fire.undeclared-output
                who = f"item {item.logical_key} emits to it"
                raise Undeclared(f"job {plan.name} declares no table {emission.table}, and {who}")
        landed, first = [], len(run.attempts) == 1
        for table in plan.tables:
            rows = [emission for emission in emissions if emission.table == table]
            to = _plan(plan, table, item)
            if not rows or (not first and emitted.ordinal(self._landings.position(to), run.execution_id) == 1):
                continue
            source = Emitted(run.execution_id, table, 1, _always(rows), parent=run.admit)
            named = f"{run.run_id}.{table}"
            ##= run.items.fence
            landed.append(
                self._landings.run(to.prepared, _always(source), run_id=named, admit=run.admit, within=run, first=first)
            )
        return landed

    def _free(self, plan: JobPlan, item: Item) -> None:
        """See that nobody else is at the item. A fire of ours that died lets go of it as its leases lapse."""
        now_ms = self._rows.now_ms(self._world.now_ms())
        for scope in (item.scope, *(_plan(plan, table, item).scope for table in plan.tables)):
            owner = standing_owner(self._rows, scope)
            if owner is None:
                continue
            lease = record.lease(self._rows.get(record.RUN, (owner.attempts[-1],)))
            if lease is not None and now_ms < record.honoured(lease, now_ms).expires_ms:
                raise Deferred(owner.attempts[-1], record.honoured(lease, now_ms).expires_ms)

    def _takes(self, item: Item, run_id: str, now_ms: int) -> Taken:
        """The item's entity, in the commit that opens its attempt."""
        row = self._rows.get(items.ITEM, items.entry(item))
        entity = self._rows.get(items.ENTITY, items.entity(item))
        holder = None if entity is None else self._rows.get(record.RUN, (entity["run_id"],))
        own_attempt = holder is not None and holder["host_scope"] == item.scope.scope  # judged with its owner
        lease = None if own_attempt else record.lease(holder)
        lease = None if lease is None else record.honoured(lease, now_ms)
        verdict = items.admit(item, row, entity, lease, run_id=run_id, now_ms=now_ms)
        if isinstance(verdict, items.Held):
            assert holder is not None, "a lease is on a row"
            raise Deferred(str(holder["run_id"]), verdict.until_ms)
        return Taken(verdict.changes, (verdict.fence,))

    def _tell(self, job: str, *, doubted: bool) -> None:
        """Append to `_items` what it lacks of the job's receipts. Where the store takes nothing, the next fire tries.

        What a fire that died has left is `doubted`: some of it may have been appended, and not noted.
        """
        while rows := self._rows.select(items.untold(job, TOLD_TOGETHER)):
            shown = [items.shown(row) for row in rows]
            try:
                table = self._table()
                there = table.holding([each.execution_id for each in shown]) if doubted else frozenset()
                if lacking := [each for each in shown if each.execution_id not in there]:
                    table.append(lacking)
            except Exception:
                LOG.warning("the store's table of items was not appended to; the next fire tries again", exc_info=True)
                return
            self._rows.commit(*map(items.told, rows))


def _plan(plan: JobPlan, table: str, item: Item) -> Any:
    """The landing of an item in a table, beside those of its siblings."""
    return replace(plan.tables[table], item=item.item_id)


def _always(value: Value) -> Callable[..., Value]:
    """What answers with the value, whatever it is asked."""
    return lambda *_: value


def _ended(terminal: ItemTerminal, failure: Failure | None = None) -> End:
    succeeded = terminal is ItemTerminal.SUCCEEDED
    return End(ItemOutcome.SUCCESS if succeeded else ItemOutcome.FAILURE, terminal=True, failure=failure)
