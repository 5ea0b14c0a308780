"""Work that arrives together is done together: a group commit, and the one sync that makes it last.

Whoever finds nobody at work leads. It does the work of everyone who waits, tells those for whom that is all, makes last
what has to, and wakes the first who came meanwhile, who leads next:

    thread a    [ work: a    ][ last ]
    thread b      waits . . . . . . . [ work: b and c ][ last ]
    thread c          waits . . . . . . . . . . . told

The main thread may be interrupted anywhere, so it leads for itself alone: nobody else's work is left half done, and
whoever it failed to wake wakes by itself.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
UNWOKEN_S = 0.05  # a wait that nobody ends is looked into then


class _Place(Generic[Item]):
    """One item in the queue, and what became of it."""

    __slots__ = ("done", "error", "item", "taken", "told")

    def __init__(self, item: Item) -> None:
        self.item = item
        self.told = threading.Lock()
        self.told.acquire()
        self.taken = False
        self.done = False
        self.error: BaseException | None = None

    def end(self, error: BaseException | None = None) -> None:
        """The item's work is done, or has failed."""
        self.error, self.done = error, True
        tell(self.told)


class Together(Generic[Item]):
    """Runs `work` over groups of items, one group at a time, and then `last` where one of them `lasts`."""

    def __init__(
        self, work: Callable[[Sequence[Item]], None], *, lasts: Callable[[Item], bool], last: Callable[[], None]
    ) -> None:
        self._work = work
        self._lasts = lasts
        self._last = last
        self._lead = threading.Lock()
        self._waiting: deque[_Place[Item]] = deque()

    def do(self, item: Item) -> None:
        """Return once the item's work is done, and lasts if it is to; raise what its group's work raised."""
        alone = threading.get_ident() == threading.main_thread().ident
        if alone or not (self._lead.locked() or self._waiting):
            self._alone(item)
            return
        place = _Place(item)
        self._waiting.append(place)
        if self._lead.locked():
            place.told.acquire(timeout=UNWOKEN_S)
        while not place.done:  # ends: its leader finishes, or it leads itself
            if place.taken:
                place.told.acquire(timeout=UNWOKEN_S)
            else:
                self._with_others(place)
        if place.error is not None:
            raise place.error

    def _alone(self, item: Item) -> None:
        with self._lead:
            self._work((item,))
            if self._lasts(item):
                self._last()
        self._wake()

    def _with_others(self, place: _Place[Item]) -> None:
        """Lead a group that the place is in."""
        error: BaseException | None = None
        with self._lead:
            if place.taken:
                return
            group = [self._waiting.popleft() for _ in range(len(self._waiting))]
            for each in group:
                each.taken = True
            try:
                self._work([each.item for each in group])
                lasting = [each for each in group if self._lasts(each.item)]
                for each in group:
                    if each not in lasting:
                        each.end()
                if lasting:
                    self._last()
            except BaseException as raised:  # noqa: BLE001 (each of the group raises it in its own thread)
                error = raised
        self._wake()
        for each in group:
            if not each.done:
                each.end(error)

    def _wake(self) -> None:
        """Let the first who waits lead."""
        if self._waiting:
            with contextlib.suppress(IndexError):
                tell(self._waiting[0].told)


def tell(told: threading.Lock) -> None:
    """Whoever waits for the lock goes on. Telling twice is telling once."""
    with contextlib.suppress(RuntimeError):
        told.release()
