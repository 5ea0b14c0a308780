"""What one fire of run.items has come to so far, and what it ends with."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Never, cast

from contextful.kernel import instant
from contextful.kernel.failure import Failure, Permanent, Transient
from contextful.kernel.signal import Suspended
from contextful.pipeline.compile import JobPlan
from contextful.run import items, retry
from contextful.run.items import Item
from contextful.run.own.own import Pins
from contextful.runner.emitted import Emission
from contextful.runner.execution import Execution
from contextful.runner.land import Success
from contextful_contract.shapes import IsolatedItems, ItemOutcome

LOOK_MS, LOOK_MS_MAX = 250, 4_000  # until an entity that is held elsewhere is asked for again: twice as long each time
_WAIT = (ItemOutcome.WAITING, ItemOutcome.PARKED)
Enters = Callable[[Execution, Item, Mapping[str, Any]], Sequence[Emission]]  # the body's recorded output for an item


class Incomplete(Permanent):
    """Every item has ended, and some of them have failed: the next fire reads fresh input."""


@dataclass(frozen=True, slots=True)
class End:
    """What a pass has brought an item, and the instant at which it may be entered again."""

    outcome: ItemOutcome
    terminal: bool
    until_ms: int | None = None
    again: bool = False  # in this fire, once that instant has come
    held_by: str | None = None  # the run that has its entity, until that instant at least
    failure: Failure | None = None


@dataclass(slots=True)
class Fire:
    """One fire of a job over its items, and what it has come to so far."""

    plan: JobPlan
    declared: IsolatedItems
    pins: Pins
    run: Execution
    enters: Enters
    rows: Mapping[str, tuple[Item, Mapping[str, Any]]]
    ends: dict[str, End] = field(default_factory=dict)
    counts: Counter[ItemOutcome] = field(default_factory=Counter)
    entered: dict[str, int] = field(default_factory=dict)
    inside: dict[str, Execution] = field(default_factory=dict)
    landed: list[Success] = field(default_factory=list)
    moved_ms: int = 0  # when an item was last brought anywhere
    look_ms: int = LOOK_MS
    turn: threading.Lock = field(default_factory=threading.Lock)

    def landings(self) -> Sequence[Success]:
        """What each table came to: the landings of all items in it as one."""
        tables = dict.fromkeys(each.table for each in self.landed)
        return [_summed(self.run.run_id, [each for each in self.landed if each.table == table]) for table in tables]

    def by_entity(self, item_ids: Sequence[str]) -> Sequence[Sequence[str]]:
        """The items of each entity, in their order: no two of them are entered at once."""
        found: dict[tuple[str, str], list[str]] = {}
        for item_id in item_ids:
            found.setdefault(items.entity(self.rows[item_id][0]), []).append(item_id)
        return list(found.values())

    def came(self, item_id: str, end: End, now_ms: int) -> bool:
        """The item has come to this, whatever it had come to before; whether that is any news."""
        before = self.ends.get(item_id)
        if before is not None:
            self.counts[before.outcome] -= 1
        self.ends[item_id] = end
        self.counts[end.outcome] += 1
        if end.outcome is not ItemOutcome.DEFERRED:
            self.moved_ms, self.look_ms = now_ms, LOOK_MS
            return True
        return before is None or before.outcome is not ItemOutcome.DEFERRED

    def again(self, now_ms: int) -> Mapping[str, int]:
        """The items whose turn comes again in this fire, and when that is.

        One that is deferred is looked at for as long as a wait may keep its process, from when anything last moved.
        """
        again = {item_id: end.until_ms for item_id, end in self.ends.items() if end.again and end.until_ms is not None}
        if retry.sleeps_in_process(now_ms - self.moved_ms):
            held = [item_id for item_id, end in self.ends.items() if end.outcome is ItemOutcome.DEFERRED]
            again |= dict.fromkeys(held, now_ms + self.look_ms)
            self.look_ms = min(2 * self.look_ms, LOOK_MS_MAX)
        return again


def interrupt(fire: Fire, left: BaseException) -> Never:
    """Close the items that are in a body as the process is asked to end: the next fire goes on with them at once.

    Where a failure or a signal ends the fire, each of them has come out by itself.
    """
    with ExitStack() as inside:
        for attempt in list(fire.inside.values()):
            inside.push(attempt)
        raise left


def conclude(fire: Fire) -> None:
    """Leave as the items have it: well, to wait for one of them, or with a failure."""
    if items.succeeds(fire.counts):
        return
    said = items.sentence(fire.plan.name, fire.counts)
    if all(end.terminal for end in fire.ends.values()):
        ##= run.items.completion
        ended = "each has ended, for the reason in its row of `_items`"
        raise Incomplete(f"{said}; {ended}, and is not entered again while its row and the body stay as they are")
    instants = [end.until_ms for end in fire.ends.values() if end.outcome in _WAIT and end.until_ms is not None]
    if instants:
        raise Suspended(label="items", until_ms=min(instants))
    held = [end for end in fire.ends.values() if end.held_by is not None and end.until_ms is not None]
    if held:
        first = min(held, key=lambda end: cast(int, end.until_ms))
        until = instant.spell(cast(int, first.until_ms))
        said += f"; run {first.held_by} is at the entity of one of them, until {until} unless it renews its lease"
    raise Transient(f"{said}. The next fire goes on with what is left")


def _summed(run_id: str, landed: Sequence[Success]) -> Success:
    """Many landings in one table, as one."""
    total = {name: sum(getattr(each, name) for each in landed) for name in ("rows", "bytes", "parts", "commits")}
    return Success(run_id, landed[0].table, **total)
