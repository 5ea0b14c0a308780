"""A board of who waits for which entry in this process, so that a recorded value wakes them at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from contextful.ports.world import Event, World
from contextful_contract.shapes import EntryKey


class Board:
    """Events by entry key. What other processes record is found by looking again."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._lock = threading.Lock()
        self._waiting: dict[EntryKey, list[Event]] = {}

    @contextmanager
    def watching(self, entry: EntryKey) -> Iterator[Event]:
        """An event that `ring` sets. Watch first and read the entry after, or the ring may be missed."""
        event = self._world.event()
        with self._lock:
            self._waiting.setdefault(entry, []).append(event)
        try:
            yield event
        finally:
            with self._lock:
                self._waiting[entry].remove(event)
                if not self._waiting[entry]:
                    del self._waiting[entry]

    def ring(self, entry: EntryKey) -> None:
        """The entry has changed."""
        if not self._waiting:
            return  # whoever comes now reads the entry after it has changed
        with self._lock:
            events = list(self._waiting.get(entry, ()))
        for event in events:
            event.set()
