"""The one token that stops a run: everything that waits looks at it before it works (run.cancel.one-token)."""

from __future__ import annotations

from contextful.kernel.signal import Stopped
from contextful.ports.world import World


class Token:
    """Stopped once, with a reason, from any thread."""

    def __init__(self, world: World) -> None:
        self.stopped = world.event()
        self._reason = ""

    def stop(self, reason: str) -> None:
        """Whoever waits on the token goes on, and whoever checks it leaves."""
        self._reason = self._reason or reason
        self.stopped.set()

    def check(self) -> None:
        """Leave the body if the token was stopped."""
        if self.stopped.is_set():
            raise Stopped(self._reason)
