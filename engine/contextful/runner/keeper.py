"""The keeper: one thread an engine renews the leases of every open execution (run.cancel.engine-keeper)."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass

from contextful.ports.rows import Rows
from contextful.ports.world import Event, World
from contextful.run import record
from contextful.runner.token import Token
from contextful_contract import limits

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """An open attempt: the holder of its lease, and the token that tells it when the lease is lost."""

    holder: str
    token: Token


class Keeper:
    """Started by the first execution that opens, gone with the last that closes."""

    def __init__(self, rows: Rows, world: World) -> None:
        self._rows = rows
        self._world = world
        self._lock = threading.Lock()
        self._kept: dict[str, Kept] = {}
        self._idle: Event | None = None

    def register(self, run_id: str, kept: Kept) -> None:
        """Renew this attempt's lease until it is deregistered."""
        with self._lock:
            self._kept[run_id] = kept
            starts, self._idle = self._idle is None, self._idle or self._world.event()
            idle = self._idle
        if starts:
            self._world.start("contextful-keeper", lambda: self._keep(idle))

    def deregister(self, run_id: str) -> None:
        """The attempt has closed, or was dropped."""
        with self._lock:
            self._kept.pop(run_id, None)
            idle = None if self._kept else self._idle
            if idle is not None:
                self._idle = None
        if idle is not None:
            idle.set()

    def _keep(self, idle: Event) -> None:
        while not self._world.wait(idle, limits.OWNER_LEASE_RENEWAL_MS):  # ends: with the last registration
            with self._lock:
                kept = sorted(self._kept.items())
            for run_id, attempt in kept:
                self._renew(run_id, attempt)

    def _renew(self, run_id: str, kept: Kept) -> None:
        """Extend the lease, or learn that it is no longer ours."""
        try:
            now_ms = self._rows.now_ms(self._world.now_ms())
            renewed = self._rows.commit(record.renewed(run_id, kept.holder, now_ms))
        except Exception:
            LOG.warning("the lease of run %s was not renewed; trying again", run_id, exc_info=True)
            return
        if not renewed:
            kept.token.stop(f"the lease of run {run_id} was taken")
