"""Performs run.advance: the cached position of a scope, and what an open mends of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contextful.kernel.change import Change
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import advance, record
from contextful.run.own import own
from contextful.runner.own import standing_owner
from contextful.runner.settle import settle
from contextful.store.lay_out import Manifest


class Cursors:
    """Cached positions over their ports."""

    def __init__(self, rows: Rows, world: World) -> None:
        self._rows = rows
        self._world = world

    def cursor(self, scope: own.Scope) -> advance.Cursor:
        """The scope's cached position."""
        return advance.from_row(self._rows.get(advance.CURSOR, (scope.key(),)), scope)

    def cached(self, scope: own.Scope, manifest: Manifest) -> Change:
        """The change that caches a commit."""
        return advance.cached(self.cursor(scope), marker(manifest))

    def reconcile(
        self, scope: own.Scope, newest: Manifest | None, *, also: Callable[[], Sequence[Change]] = lambda: ()
    ) -> None:
        """Mend what a crash left between a marker and its cache, before anything replays; `also` together with that."""

        def decide() -> tuple[None, Sequence[Change]]:
            owner = standing_owner(self._rows, scope)
            lease = None if owner is None else record.lease(self._rows.get(record.RUN, (owner.attempts[-1],)))
            stands = None if newest is None else marker(newest)
            now_ms = self._rows.now_ms(self._world.now_ms())
            mended = advance.reconciled(self.cursor(scope), stands, owner, lease, now_ms=now_ms)
            return None, (*mended, *also()) if mended else ()

        settle(self._rows, decide)


def marker(manifest: Manifest) -> advance.Marker:
    """A commit, as the cache knows it."""
    return advance.Marker(manifest.run_id, manifest.committed_ms, manifest.position)
