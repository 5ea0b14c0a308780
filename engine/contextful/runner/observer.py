"""Keeps whoever watches a run apart from it: execution goes on alike whether anybody hears of it or not."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from contextful.ports.observer import Nobody, Observer, Onlooker, Progress
from contextful.run.record import Run

LOG = logging.getLogger(__name__)


class Fenced:
    """An observer whose errors are logged, and reach nobody else."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def tell(self, progress: Progress) -> None:
        """Something has happened, whether or not it can be told."""
        try:
            self._observer.tell(progress)
        except (Exception, SystemExit):  # a console exits where its pipe is gone
            LOG.warning("an observer could not be told of %s", type(progress).__name__, exc_info=True)


def fenced(observer: Observer | None) -> Observer:
    """The observer behind a fence; nobody needs none."""
    return Nobody() if observer is None else observer if isinstance(observer, Fenced | Nobody) else Fenced(observer)


class Several:
    """Everybody who watches one run."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = observers

    def tell(self, progress: Progress) -> None:
        """Something has happened: each is told, in their order."""
        for observer in self._observers:
            observer.tell(progress)


def watched(observer: Observer, onlookers: Sequence[Onlooker], run: Run) -> Observer:
    """Whoever watches this run: the observer that the engine was given, and one of each onlooker."""
    return Several([observer, *(_asked(onlooker, run) for onlooker in onlookers)]) if onlookers else observer


def _asked(onlooker: Onlooker, run: Run) -> Observer:
    """The onlooker's observer of the run; nobody, where it has none to give."""
    try:
        return Fenced(onlooker.watching(run))
    except Exception:
        LOG.warning("an onlooker does not watch run %s", run.run_id, exc_info=True)
        return Nobody()
