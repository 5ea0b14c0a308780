"""run.record: how much of its history is told, and from which instant on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar, cast

from contextful.kernel import instant
from contextful.kernel.failure import Failed, Failure
from contextful.kernel.table import Row, Select
from contextful.run.record import RUN, Run
from contextful_contract import limits
from contextful_contract.errors import HistoryBoundSpelling
from contextful_contract.shapes import FailureTag, RunStatus

Spelled = TypeVar("Spelled", bound=StrEnum)
TIES_MAX = 1_000  # runs that began in one millisecond

EITHER = "ask for a status or for an error, and not for both: a run with an error has failed"
DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Page:
    """What a question about history is answered: the window that was asked for, and whether it holds more."""

    since_ms: int | None
    ceiling: int
    runs: Sequence[Run]
    truncated: bool


@dataclass(frozen=True, slots=True)
class Filters:
    """Which of a window's runs are asked for: what they came to, until when they began, and after which one."""

    status: RunStatus | None = None
    error: FailureTag | None = None
    before_ms: int | None = None
    after: Run | None = None  # the last run of the page before this one


EVERY = Filters()


def filters(
    status: str | None = None, error: str | None = None, *, before_ms: int | None = None, after: Run | None = None
) -> Filters:
    """The filters of these spellings."""
    if status is not None and error is not None:
        raise Failed(Failure(FailureTag.CONFIG, EITHER))
    wanted = None if status is None else _member(RunStatus, "status", status)
    failed = None if error is None else _member(FailureTag, "error", error)
    return Filters(wanted, failed, before_ms, after)


def pages(pipeline: str | None, since_ms: int | None, asked: Filters, limit: int) -> Sequence[Select]:
    """What finds the runs, newest first: equal starts by run id, highest first, and none twice."""
    named = {"pipeline_id": pipeline, "status": asked.status, "error_kind": asked.error}
    equal: Row = {column: str(value) for column, value in named.items() if value is not None}
    found = Select(RUN, equal, order="started_ms", since=since_ms or 0, descending=True, limit=limit)
    if asked.after is None:
        return (replace(found, before=asked.before_ms),)  ##= run.record.history-window
    at_ms = asked.after.started_ms
    began_with_it = replace(found, since=at_ms, before=at_ms + 1, limit=TIES_MAX)
    return began_with_it, replace(found, before=at_ms)


def turned(rows: Sequence[Row], asked: Filters) -> Sequence[Row]:
    """The rows that come after the page before."""
    after = asked.after
    return [
        row
        for row in rows
        if after is None or (cast(int, row["started_ms"]), cast(str, row["run_id"])) < (after.started_ms, after.run_id)
    ]


def _member(kind: type[Spelled], name: str, spelled: str) -> Spelled:
    try:
        return kind(spelled)
    except ValueError:
        accepted = ", ".join(member.value for member in kind)
        raise Failed(Failure(FailureTag.CONFIG, f"{spelled!r:.80} is no {name}: it is one of {accepted}")) from None


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
