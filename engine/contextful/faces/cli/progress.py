"""What a run shows while it goes: one live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.text import Text

from contextful.faces.cli.shown import counted, spelled
from contextful.ports.observer import (
    BatchStaged,
    ItemCame,
    Observer,
    Progress,
    RunLanded,
    StepRecorded,
    StepRefused,
    StepRetrying,
    StepStarted,
)
from contextful_contract.shapes import ItemOutcome

EVERY_PAGES = 10  # how often a plain line is printed


@contextmanager
def watching() -> Iterator[Observer]:
    """An observer that writes to standard error until the run is over."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Watcher(lambda line: print(line, file=sys.stderr, flush=True))
        return
    with Live(console=console, transient=True, refresh_per_second=8) as live:
        yield LiveWatcher(live)


class Watcher:
    """Counts pages, rows, bytes and retries; says what is worth a line of its own."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
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
                if self._pages % EVERY_PAGES == 0:
                    self._say(self.line())
            case ItemCame(key, outcome, failure=failure) if outcome is not ItemOutcome.SUCCESS:
                self._say(f"item {spelled(key)}: {outcome}" + (f", {spelled(failure.message)}" if failure else ""))
            case RunLanded():
                self._say(f"{self.line()}: landed")
            case StepStarted() | StepRefused():
                pass  # the command's own last words say what failed

    def line(self) -> str:
        """How far the run has come."""
        known = f", {self._replayed} of them recorded before" if self._replayed else ""
        retries = f", {self._retries} {'retry' if self._retries == 1 else 'retries'}" if self._retries else ""
        rows, row_bytes = counted(self._rows, "row"), counted(self._bytes, "byte")
        return f"{counted(self._pages, 'page')}{known}, {rows}, {row_bytes} staged{retries}"


class LiveWatcher:
    """The same, in one line that changes in place; what deserves a line of its own stays above it."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._watcher = Watcher(lambda line: live.console.print(Text(line)))

    def tell(self, progress: Progress) -> None:
        """Something has happened."""
        self._watcher.tell(progress)
        doing = f"{progress.label} …" if isinstance(progress, StepStarted) else ""
        self._live.update(Text(f"{self._watcher.line()}  {doing}"))
