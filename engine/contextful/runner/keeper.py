"""Performs run.cancel for the runs of this process: one thread an engine renews their leases and feeds their tokens.

beat ---- 500 ms ---- beat ---- 500 ms ---- … ---- an attempt's 20th beat
 | stops               | stops                      | stops, and the attempt's lease

It counts beats and reads no clock, so that it keeps its cadence where a clock jumps or stands still.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from contextful.kernel.change import Change
from contextful.ports.rows import Rows
from contextful.ports.world import Event, World
from contextful.run import cancel, record
from contextful.runner.token import Token
from contextful_contract import limits

LOG = logging.getLogger(__name__)
BEAT_MS = limits.CANCEL_POLL_INTERVAL_MS
RENEWAL_BEATS = limits.OWNER_LEASE_RENEWAL_MS // BEAT_MS


class Beside(Protocol):
    """A lease beside an attempt's own, which the attempt holds for as long as it is open."""

    @property
    def renewal_ms(self) -> int:
        """How often it is renewed."""

    def renewed(self, now_ms: int) -> Change:
        """What renews it."""


@dataclass(slots=True)
class Kept:
    """An open attempt: the holder of its lease, the token that ends it, and for how many beats it has been kept."""

    run_id: str
    holder: str
    token: Token
    beside: Beside | None = None
    beats: int = 0

    def due(self) -> Sequence[Callable[[int], Change]]:
        """What this beat renews, given the instant."""
        due: list[Callable[[int], Change]] = []
        if self.beats % RENEWAL_BEATS == 0:
            due.append(partial(record.renewed, self.run_id, self.holder))
        if self.beside is not None and self.beats % (self.beside.renewal_ms // BEAT_MS) == 0:
            due.append(self.beside.renewed)
        return due


class Keeper:
    """Started by the first execution that opens, gone with the last that closes."""

    def __init__(self, rows: Rows, world: World) -> None:
        self._rows = rows
        self._world = world
        self._lock = threading.Lock()
        self._kept: dict[str, Kept] = {}
        self._idle: Event | None = None

    def register(self, kept: Kept) -> None:
        """Renew this attempt's lease and feed its token until it is deregistered."""
        with self._lock:
            self._kept[kept.run_id] = kept
            starts, self._idle = self._idle is None, self._idle or self._world.event()
            idle = self._idle
        if starts:
            self._world.start("contextful-keeper", lambda: self._keep(idle))  ##= run.cancel.engine-keeper

    def deregister(self, run_id: str) -> None:
        """The attempt has closed, or was dropped."""
        with self._lock:
            self._kept.pop(run_id, None)
            idle = None if self._kept else self._idle
            if idle is not None:
                self._idle = None
        if idle is not None:
            idle.set()

    def close(self) -> None:
        """Keep nothing any more: the leases lapse, and whoever is still at work goes no further."""
        for kept in self._registered():
            self.deregister(kept.run_id)
            kept.token.stop(f"the engine of run {kept.run_id} has closed")

    def feed(self) -> None:
        """Pass on what stops the catalog has by now, to every attempt, from one read."""
        registered = {kept.run_id: kept for kept in self._registered()}
        try:
            for row in self._rows.select(cancel.marks()):
                run = record.from_row(row)
                if run.stop is not None and run.run_id in registered:
                    registered[run.run_id].token.stop(cancel.sentence(run.stop), scope=cancel.grain(run.stop))
        except Exception:
            LOG.warning("stops were not read; trying again", exc_info=True)  ##= run.cancel.storage-blip

    def _keep(self, idle: Event) -> None:
        while not self._world.wait(idle, BEAT_MS):  # ends: with the last registration
            self.feed()
            for kept in self._registered():
                kept.beats += 1
                self._renew(kept)

    def _registered(self) -> list[Kept]:
        with self._lock:
            return [self._kept[run_id] for run_id in sorted(self._kept)]

    def _renew(self, kept: Kept) -> None:
        """Extend the leases that are due, or learn that one is no longer ours."""
        try:
            if not (due := kept.due()):
                return
            now_ms = self._rows.now_ms(self._world.now_ms())
            renewed = self._rows.commit(*(renew(now_ms) for renew in due))
        except Exception:
            ##= run.cancel.keeper-panic
            LOG.warning("the lease of run %s was not renewed; trying again", kept.run_id, exc_info=True)
            return
        if not renewed:
            kept.token.stop(f"the lease of run {kept.run_id} was taken")
