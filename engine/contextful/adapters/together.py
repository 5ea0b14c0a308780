"""Work that arrives together is done together: a group commit, a group sync.

Whoever finds nobody at work leads. It does the work of everyone who waits, tells them, and wakes the first who came
meanwhile, who leads next:

    thread a    [ leads: a ]
    thread b      waits . . . [ leads: b and c ]
    thread c        waits . . . . . . . . . . . told

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
UNWOKEN_S = 0.05  # a wait that nobody ends is over then


class _Place(Generic[Item]):
    """One item in the queue, and what became of it."""

    __slots__ = ("done", "error", "item", "told")

    def __init__(self, item: Item) -> None:
        self.item = item
        self.told = threading.Lock()
        self.told.acquire()
        self.done = False
        self.error: BaseException | None = None

    def tell(self) -> None:
        """Whoever waits goes on. Telling twice is telling once."""
        with contextlib.suppress(RuntimeError):
            self.told.release()


class Together(Generic[Item]):
    """Runs `work` over groups of items, one group at a time, each begun after its items arrived."""

    def __init__(self, work: Callable[[Sequence[Item]], None]) -> None:
        self._work = work
        self._lead = threading.Lock()
        self._waiting: deque[_Place[Item]] = deque()

    def do(self, item: Item) -> None:
        """Return once the item's group is done; raise what its work raised."""
        if threading.get_ident() == threading.main_thread().ident or not (self._lead.locked() or self._waiting):
            with self._lead:
                self._work((item,))
            if self._waiting:
                self._wake()
            return
        place = _Place(item)
        self._waiting.append(place)
        if self._lead.locked():
            place.told.acquire(timeout=UNWOKEN_S)
        if not place.done:
            with self._lead:
                if not place.done:
                    self._group()
            if self._waiting:
                self._wake()
        if place.error is not None:
            raise place.error

    def _group(self) -> None:
        group = [self._waiting.popleft() for _ in range(len(self._waiting))]
        error: BaseException | None = None
        try:
            self._work([place.item for place in group])
        except BaseException as raised:  # noqa: BLE001 (each of the group raises it in its own thread)
            error = raised
        for place in group:
            place.error, place.done = error, True
            place.tell()

    def _wake(self) -> None:
        with contextlib.suppress(IndexError):
            self._waiting[0].tell()
