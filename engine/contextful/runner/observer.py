"""Keeps whoever watches a run apart from it: execution goes on alike whether anybody hears of it or not."""

from __future__ import annotations

import logging

from contextful.ports.observer import Nobody, Observer, Progress

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
