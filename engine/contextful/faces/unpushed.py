"""What a release step is told of a project's runs that no push has carried yet."""

from __future__ import annotations

from pathlib import Path

from contextful.adapters.system import SystemWorld
from contextful.faces import manifest, stores
from contextful.kernel.failure import Failed, Failure, said
from contextful.runner.drain import Marks
from contextful.store import drain
from contextful.store.drain import Mark
from contextful_contract.base import ContextfulError
from contextful_contract.errors import SyncStatusUnread
from contextful_contract.shapes import FailureTag, Json, SyncStatus


def status(folder: Path, *, whole: bool) -> tuple[SyncStatus, int]:
    """The project's unpushed runs, and the exit code of who asks. Nothing is changed by asking."""
    name = manifest.read(folder).name
    try:
        marks = _marks(name)
    except (Failed, ContextfulError) as error:
        unread = SyncStatusUnread(cause=f"{type(error).__name__}: {said(error)}")
        ##= store.drain.status-unread
        told: dict[str, Json] = {"identifier": type(unread).__name__, "cause": unread.cause}
        return SyncStatus(error=told, open=0, lost=0, runs=None), unread.exit_code
    told_ = drain.status(marks, whole=whole)
    return told_, drain.exit_code(told_)


def _marks(name: str) -> list[Mark]:
    profile = stores.chosen()
    if profile is None:
        said = "no storage profile is set, and without one no run is marked: `contextful sync push` says what it sends"
        raise Failed(Failure(FailureTag.CONFIG, said))
    kept = stores.shared(profile, name)
    try:
        return list(Marks(kept.rows, SystemWorld()).all())
    finally:
        kept.rows.close()
