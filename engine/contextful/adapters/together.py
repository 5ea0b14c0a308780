"""Work that arrives together is done together: a group commit, a group sync.

Whoever finds nobody at work leads. It does the work of everyone who waits, tells them, and hands the lead to the
first who came meanwhile:

    thread a    [ leads: a ]
    thread b      waits . . . [ leads: b and c ]
    thread c        waits . . . . . . . . . . . told
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")


class _Place(Generic[Item]):
    """One item in the queue, and what became of it."""

    __slots__ = ("done", "error", "item", "told")

    def __init__(self, item: Item) -> None:
        self.item = item
        self.told = threading.Lock()
        self.told.acquire()
        self.done = False
        self.error: BaseException | None = None


class Together(Generic[Item]):
    """Runs `work` over groups of items, one group at a time, each begun after its items arrived."""

    def __init__(self, work: Callable[[Sequence[Item]], None]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._waiting: list[_Place[Item]] = []
        self._led = False

    def do(self, item: Item) -> None:
        """Return once the item's group is done; raise what its work raised."""
        place = _Place(item)
        with self._lock:
            self._waiting.append(place)
            follows, self._led = self._led, True
        if follows:
            place.told.acquire()
        if not place.done:
            self._lead()
        if place.error is not None:
            raise place.error

    def _lead(self) -> None:
        with self._lock:
            group, self._waiting = self._waiting, []
        error: BaseException | None = InterruptedError("the thread that led this group was interrupted")
        try:
            self._work([place.item for place in group])
            error = None
        except Exception as raised:  # noqa: BLE001 (each of the group raises it in its own thread)
            error = raised
        finally:
            with self._lock:
                self._led = bool(self._waiting)
                successor = self._waiting[0] if self._waiting else None
            for place in group:
                place.done, place.error = True, error
                place.told.release()
            if successor is not None:
                successor.told.release()
