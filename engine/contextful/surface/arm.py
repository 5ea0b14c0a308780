"""surface.arm: when an entry fires next, by its schedule, or to go on with an attempt that waits.

every 90s | every 15m | every 6h | every 7d          a span from the last fire
*/15 9-17 * * 1-5                                    minute, hour, day of month, month, day of week, in UTC
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from contextful.kernel import instant
from contextful_contract import limits
from contextful_contract.errors import ScheduleUnreadable

EVERY = re.compile(r"every (\S+)")
ITEM = re.compile(r"(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:/(\d{1,2}))?", re.ASCII)
FIELDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
SUNDAY_TOO = 7  # a week's days are counted from Sunday as 0, and Sunday may be 7 as well
DAYS_MAX = 8 * 366 + 1  # the most between two days that a line admits: between two 29ths of February, around 2100
DAY_MS, HOUR_MS, MINUTE_MS = 86_400_000, 3_600_000, 60_000
EVERY_MS_MAX = 3_660 * DAY_MS
EPOCH_DAY = date(1970, 1, 1).toordinal()
LAST_DAY = date.max.toordinal() - EPOCH_DAY
WAKE_AGAIN_MS = limits.OWNER_LEASE_TTL_MS  # a process that was to go on, and opened nothing, may be gone by then


@dataclass(frozen=True, slots=True)
class Every:
    """A span of time after the last fire."""

    span_ms: int


@dataclass(frozen=True, slots=True)
class Cron:
    """The values that each field admits. A field of days is none where it is `*`."""

    minutes: Sequence[int]
    hours: Sequence[int]
    month_days: Sequence[int] | None
    months: Sequence[int]
    week_days: Sequence[int] | None


Schedule = Every | Cron


def read(entry: str, text: str) -> Schedule:
    """The schedule that the text spells."""
    schedule = _read(text)
    if schedule is None or after(schedule, 0) is None:
        raise ScheduleUnreadable(entry=entry, schedule=text)  ##= surface.arm.unreadable-schedule
    return schedule


def after(schedule: Schedule, fired_ms: int) -> int | None:
    """The first instant after the one given that the schedule admits; none where there is no such day."""
    if isinstance(schedule, Every):
        return fired_ms + schedule.span_ms  ##= surface.arm.grammar
    minute_ms = fired_ms - fired_ms % MINUTE_MS + MINUTE_MS
    first_day, in_day_ms = divmod(minute_ms, DAY_MS)
    for day in range(first_day, min(first_day + DAYS_MAX, LAST_DAY) + 1):
        if not _admits(schedule, date.fromordinal(EPOCH_DAY + day)):
            continue
        for time_ms in _times_ms(schedule):
            if day > first_day or time_ms >= in_day_ms:
                return day * DAY_MS + time_ms
    return None


def due_ms(schedule: Schedule, *, started_ms: int | None, fired_ms: int | None, now_ms: int) -> int | None:
    """From when on an entry is due, given its last recorded start and its last dispatch."""
    ##= surface.arm.future-start
    known = [at_ms for at_ms in (started_ms, fired_ms) if at_ms is not None and at_ms <= now_ms]
    return after(schedule, max(known)) if known else now_ms  ##= surface.arm.next-fire, surface.arm.catch-up


def wakes(waiting_until_ms: int | None, *, fired_ms: int | None, now_ms: int) -> bool:
    """Whether an owner that waits is due. One fire an instant; another where that one has claimed nothing."""
    if waiting_until_ms is None or waiting_until_ms > now_ms:
        return False
    return fired_ms is None or fired_ms < waiting_until_ms or now_ms - fired_ms >= WAKE_AGAIN_MS  ##= run.retry.wake


def _read(text: str) -> Schedule | None:
    every = EVERY.fullmatch(text)
    if every is not None:
        span_ms = instant.span_ms(every[1])
        return Every(span_ms) if span_ms and span_ms <= EVERY_MS_MAX else None
    spelled = text.split(" ")
    if len(spelled) != len(FIELDS):
        return None
    fields = [_field(field, low, high) for field, (low, high) in zip(spelled, FIELDS, strict=True)]
    if any(field is None for field in fields):
        return None
    minutes, hours, month_days, months, week_days = (field or () for field in fields)
    return Cron(
        minutes,
        hours,
        None if spelled[2] == "*" else month_days,
        months,
        None if spelled[4] == "*" else sorted({day % SUNDAY_TOO for day in week_days}),
    )


def _field(text: str, low: int, high: int) -> Sequence[int] | None:
    admitted: set[int] = set()
    for item in text.split(","):
        match = ITEM.fullmatch(item)
        if match is None:
            return None
        first, last, step = (None if group is None else int(group) for group in match.groups())
        begins = low if first is None else first
        ends = high if first is None or (last is None and step is not None) else begins if last is None else last
        if step == 0 or not low <= begins <= ends <= high:
            return None
        admitted |= set(range(begins, ends + 1, step or 1))
    return sorted(admitted)


def _admits(cron: Cron, day: date) -> bool:
    if day.month not in cron.months:
        return False
    by = [
        day.day in cron.month_days if cron.month_days is not None else None,
        day.isoweekday() % SUNDAY_TOO in cron.week_days if cron.week_days is not None else None,
    ]
    named = [admits for admits in by if admits is not None]
    return any(named) or not named  ##= surface.arm.day-fields


def _times_ms(cron: Cron) -> Iterator[int]:
    for hour in cron.hours:
        for minute in cron.minutes:
            yield hour * HOUR_MS + minute * MINUTE_MS
