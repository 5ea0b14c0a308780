"""What a run shows while it goes: one live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout

from rich.console import Console
from rich.live import Live
from rich.text import Text

from contextful.adapters.system import SystemWorld
from contextful.faces.cli.shown import counted, spelled
from contextful.ports.observer import (
    BatchStaged,
    ItemCame,
    Observer,
    Progress,
    RowCame,
    RunLanded,
    Spent,
    StepRecorded,
    StepRefused,
    StepRetrying,
    StepStarted,
)
from contextful_contract.shapes import ItemOutcome

EVERY_PAGES = 10  # how often a plain line is printed
EVERY_MS = 5_000  # and of a job's rows
RECENT_MS = 60_000  # over which their pace is taken
ENDED = ("through", "success", "failure")
UNTOLD = (ItemOutcome.SUCCESS, ItemOutcome.DEFERRED)  # not entered, or nothing to look into: the counts have them


@contextmanager
def watching() -> Iterator[Observer]:
    """An observer that writes to standard error until the run is over, and what user code prints goes there too."""
    console, clock_ms = Console(stderr=True), SystemWorld().now_ms
    if not console.is_terminal:
        with redirect_stdout(sys.stderr):  # standard output is the command's answer, which a program may read
            yield Watcher(lambda line: print(line, file=sys.stderr, flush=True), clock_ms, every_ms=EVERY_MS)
        return
    with Live(console=console, transient=True, refresh_per_second=8) as live:
        yield LiveWatcher(live, clock_ms)


class Watcher:
    """Counts pages, rows, bytes and retries; says what is worth a line of its own."""

    def __init__(
        self, say: Callable[[str], object], clock_ms: Callable[[], int], *, every_ms: int | None = None
    ) -> None:
        """`every_ms` it says how far a job's rows have come, and once they are through."""
        self._say = say
        self._clock_ms = clock_ms
        self._every_ms = every_ms
        self._job = Job()
        self._said_ms = clock_ms()
        self._pages = self._replayed = self._rows = self._bytes = self._retries = 0

    def tell(self, progress: Progress) -> None:
        """Something has happened."""
        match progress:
            case StepRetrying(label, attempt, message, delay_ms):
                self._retries += 1
                self._say(
                    f"{label}: attempt {attempt} failed, the next in {delay_ms / 1_000:.1f} s: {spelled(message)}"
                )
            case StepRecorded(replayed=replayed):
                self._pages += 1
                self._replayed += replayed
            case BatchStaged(rows=rows, bytes=part_bytes):
                self._rows += rows
                self._bytes += part_bytes
                if not self._job.begun and self._pages % EVERY_PAGES == 0:
                    self._say(self.line())
            case RowCame(through, parked, of):
                self._came({"through": through, "parked": parked}, of)
            case ItemCame(key, outcome, counts, of, failure):
                if outcome not in UNTOLD:
                    self._say(f"item {spelled(key)}: {outcome}" + (f", {spelled(failure.message)}" if failure else ""))
                self._came(counts, of)
            case Spent(totals):
                self._job.spent = totals
            case RunLanded():
                if not self._job.begun:
                    self._say(f"{self.line()}: landed")
            case StepStarted() | StepRefused():
                pass  # the command's own last words say what failed

    def line(self) -> str:
        """How far the run has come."""
        retries = f", {self._retries} {'retry' if self._retries == 1 else 'retries'}" if self._retries else ""
        if self._job.begun:
            return f"{self._job.line()}{retries}"
        known = f", {self._replayed} of them recorded before" if self._replayed else ""
        rows, row_bytes = counted(self._rows, "row"), counted(self._bytes, "byte")
        return f"{counted(self._pages, 'page')}{known}, {rows}, {row_bytes} staged{retries}"

    def _came(self, counts: Mapping[str, int], of: int) -> None:
        now_ms = self._clock_ms()
        self._job.came(counts, of, now_ms)
        if self._every_ms is not None and (now_ms - self._said_ms >= self._every_ms or self._job.left() == 0):
            self._said_ms = now_ms
            self._say(self.line())


class Job:
    """How far the rows of a job have come, what they have cost, and how long the others will take at that pace."""

    def __init__(self) -> None:
        self.begun = False
        self.of = 0
        self.spent: Mapping[str, float] = {}
        self._counts: Mapping[str, int] = {}
        self._pace: deque[tuple[int, int]] = deque()  # instants, and how many rows were left at each

    def came(self, counts: Mapping[str, int], of: int, now_ms: int) -> None:
        """So many rows have come to each outcome."""
        self.begun, self.of, self._counts = True, of, counts
        self._pace.append((now_ms, self.left()))
        while now_ms - self._pace[0][0] > RECENT_MS:
            self._pace.popleft()

    def left(self) -> int:
        """How many rows have not ended."""
        return self.of - sum(self._counts.get(outcome, 0) for outcome in ENDED)

    def line(self) -> str:
        """All of that, as people read it."""
        told = [f"{count:,} {outcome}" for outcome, count in self._counts.items() if count]
        told += [f"{amount:,.2f} {unit}".strip() + " spent" for unit, amount in self.spent.items()]
        (first_ms, first_left), (last_ms, left) = self._pace[0], self._pace[-1]
        if left and first_left > left:
            told.append(f"about {_span((last_ms - first_ms) * left // (first_left - left))} left")
        return ": ".join([f"{self.of - left:,} of {counted(self.of, 'row')}", *filter(None, [", ".join(told)])])


class LiveWatcher:
    """The same, in one line that changes in place; what deserves a line of its own stays above it."""

    def __init__(self, live: Live, clock_ms: Callable[[], int]) -> None:
        self._live = live
        self._watcher = Watcher(lambda line: live.console.print(Text(line)), clock_ms)

    def tell(self, progress: Progress) -> None:
        """Something has happened."""
        self._watcher.tell(progress)
        doing = f"{progress.label} …" if isinstance(progress, StepStarted) else ""
        self._live.update(Text(f"{self._watcher.line()}  {doing}"))


def _span(ms: int) -> str:
    minutes, seconds = divmod(ms // 1_000, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min" if minutes else f"{seconds} s"
