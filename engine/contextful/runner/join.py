"""Performs run.journal.fan-out-join: each branch on a thread of its own, all of them awaited before one is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from functools import partial

from contextful.kernel.failure import Failure, classify
from contextful.kernel.signal import Suspended, together
from contextful.ports.world import World

BRANCHES_MAX = 64
WITHIN: ContextVar[tuple[str, ...]] = ContextVar("contextful_branches", default=())  # each join and its branch


@dataclass(frozen=True, slots=True)
class Returned:
    """A branch came to its end."""

    value: object


@dataclass(frozen=True, slots=True)
class Raised:
    """A branch left with an error, or with a signal."""

    error: BaseException


Ends = Mapping[str, Returned | Raised]


def ends(world: World, label: str, branches: Mapping[str, Callable[[], object]]) -> Ends:
    """How each branch ended, in the order of the branches. Raises the signal that one of them left with."""
    if len(branches) > BRANCHES_MAX:
        raise ValueError(f"{len(branches)} branches at once, and {BRANCHES_MAX} is the most: gather them in turns")
    ended: dict[str, Returned | Raised] = {}
    tasks = [
        world.start(f"contextful-branch-{name}", partial(copy_context().run, _perform, ended, (label, name), branch))
        for name, branch in branches.items()
    ]
    for task in tasks:
        task.join()
    signals = [end.error for end in ended.values() if isinstance(end, Raised) and not isinstance(end.error, Exception)]
    for signal in signals:
        if not isinstance(signal, Suspended):
            raise signal  # a branch that waits lets one go first that stops
    if waits := [signal for signal in signals if isinstance(signal, Suspended)]:
        raise together(waits)
    return {name: ended[name] for name in branches}


def failures(ended: Ends) -> dict[str, Failure]:
    """The failures among them, in the order of the branches."""
    return {
        label: classify(end.error)
        for label, end in ended.items()
        if isinstance(end, Raised) and isinstance(end.error, Exception)
    }


def value(end: Returned | Raised) -> object:
    """What the branch returned. One that failed although a record says otherwise raises its error."""
    if isinstance(end, Raised):
        raise end.error
    return end.value


def _perform(ended: dict[str, Returned | Raised], place: tuple[str, str], branch: Callable[[], object]) -> None:
    _, name = place
    WITHIN.set((*WITHIN.get(), *place))
    try:
        ended[name] = Returned(branch())
    except BaseException as error:  # noqa: BLE001 (the join raises it, once the other branches have ended)
        ended[name] = Raised(error)
