"""run.record: how much of its history is told, and from which instant on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from contextful.kernel import instant
from contextful.kernel.failure import Failed, Failure
from contextful.run.record import Run
from contextful_contract import limits
from contextful_contract.errors import HistoryBoundSpelling
from contextful_contract.shapes import FailureTag, RunStatus

DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Place:
    """A run's place in the order of history: behind it comes what started before, or then under a lower id."""

    started_ms: int
    run_id: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Which runs a question is about: of a pipeline, a status or a kind of error, from an instant on, and behind."""

    pipeline: str | None = None
    since_ms: int | None = None
    status: RunStatus | None = None
    error: FailureTag | None = None
    before: Place | None = None

    def __post_init__(self) -> None:
        if self.status is not None and self.error is not None:
            raise Failed(Failure(FailureTag.CONFIG, "runs are asked for by status or by error, not by both at once"))


@dataclass(frozen=True, slots=True)
class Page:
    """What a question about history is answered: the window that was asked for, and whether it holds more."""

    since_ms: int | None
    ceiling: int
    runs: Sequence[Run]
    truncated: bool


def place(run: Run) -> Place:
    """Where the run stands in the order of history."""
    return Place(run.started_ms, run.run_id)


def since_ms(bound: str) -> int:
    """The instant at which a history window begins, itself inside."""
    read = instant.read(f"{bound}T00:00:00Z" if DAY.fullmatch(bound) else bound)
    if read is None:
        raise HistoryBoundSpelling(bound=bound)  ##= run.record.bound-spelling
    return read


def described(ceiling: int | None) -> int:
    """How many runs a description may list: as many as were asked for, within what one may."""
    asked = limits.DESCRIBE_HISTORY_DEFAULT_ROWS if ceiling is None else ceiling
    return min(asked, limits.DESCRIBE_HISTORY_CEILING_ROWS)  ##= run.record.describe-window


def exported(ceiling: int | None) -> int:
    """How many runs an export may hold, likewise."""
    asked = limits.EXPORT_HISTORY_DEFAULT_ROWS if ceiling is None else ceiling
    return min(asked, limits.EXPORT_HISTORY_CEILING_ROWS)  ##= run.record.export-ceiling


def page(since_ms: int | None, ceiling: int, found: Sequence[Run]) -> Page:
    """The page of a window, out of up to one run more than its ceiling lets through."""
    return Page(since_ms, ceiling, found[:ceiling], truncated=len(found) > ceiling)  ##= run.record.truncation-flag
