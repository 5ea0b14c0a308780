"""The source of the scenarios, and the fires that it sees: what it lists, what a fire meets, what was seen of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from contextful.kernel.change import Change, Survives
from contextful.pipeline import pull
from contextful.pipeline.pull import Ask, Batch, Inventory
from contextful.ports.observer import BatchStaged, Progress, StepRecorded
from contextful.ports.rows import Rows
from contextful.runner.backfill import Busy
from contextful.runner.land import Outcome
from contextful.runner.meter import Meter
from contextful.store import lay_out, ledger
from contextful.testing import Crashes, CrashingDisk, CrashingRows

Record = dict[str, Any]
Act = Callable[[], None]
POLL_S = 0.02


def nothing() -> None:
    """Nothing happens."""


def position(value: object) -> str:
    """A position as the engine keeps it."""
    return lay_out.position(value)


@dataclass
class Page:
    """What the source answers at one position: rows, the position after them, whether there is more."""

    rows: list[Record]
    after: str | None
    more: bool = True
    skipped: int = 0
    types: dict[str, str] = field(default_factory=dict)
    inventory: Inventory | None = None


@dataclass
class Listing:
    """What the source has: its pages, where they begin, and whether its pulls may be recorded."""

    pages: list[Page] = field(default_factory=list)
    begins: set[str | None] = field(default_factory=lambda: {None, position("p0")})
    journaled: bool = True
    addressed: bool = True
    redacted: bool = False  # what it says of itself, which nobody asks
    foreign: object = None  # what it answers in the place of a batch
    complete: bool = False  # its last page says that the pages are all that there is
    connector: str = "ads"
    version: str = "1.4.0"
    build: str = "build 1"
    failing: dict[str, Act] = field(default_factory=dict)
    meter: Meter | None = None

    def number(self, count: int, rows: int = 2) -> None:
        """List pages whose rows are all different, with the positions p1, p2 and so on after them."""
        self.pages = [
            Page([_row(page, page * rows + n + 1) for n in range(rows)], position(f"p{page + 1}"), page + 1 < count)
            for page in range(count)
        ]

    def page_at(self, asked: str | None) -> int:
        """Which page stands at the position: the first at the beginning, none where nobody lists the position."""
        afters = [page.after for page in self.pages]
        if asked in afters:
            return afters.index(asked) + 1
        return 0 if asked in self.begins else len(self.pages)


@dataclass(frozen=True)
class Pulled:
    """A pull as the source saw it: of which table and page, what it was asked, and by which build of the connector."""

    table: str
    page: int
    ask: Ask
    build: str


@dataclass
class Fire:
    """One fire: its process, what it is to meet, and what was seen of it."""

    run_id: str
    pipeline: str
    crashes: Crashes
    at_pull: dict[int, Act] = field(default_factory=dict)
    at_record: dict[str, Act] = field(default_factory=dict)
    before_commit: Callable[[Sequence[Change]], None] = lambda _: None
    before_marker: Act = nothing
    after_ledger: Act = nothing
    after_marker: Act = nothing
    pulls: list[Pulled] = field(default_factory=list)
    story: list[str] = field(default_factory=list)
    replayed: int = 0
    committed: list[bytes] = field(default_factory=list)  # what the journal was given, whatever has become of it
    passed: dict[int, list[str]] = field(default_factory=dict)
    seeds: bool = False  # it lands what the tables begin with
    chunks: bool = False  # it lands the chunks of the pipeline's backfill, and not what is new
    outcomes: Sequence[Outcome | Busy] = ()
    error: BaseException | None = None

    def tell(self, progress: Progress) -> None:
        """Hear what is durable by now, and act where the scenario wants to."""
        match progress:
            case StepRecorded(label, replayed=True):
                self.replayed += 1
            case StepRecorded(label):
                self.at_record.get(label, nothing)()
            case BatchStaged(ordinal):
                self.story.append(f"part {ordinal}")
            case _:
                pass

    def passes(self, ordinal: int, stage: str) -> None:
        """Hear which stage of its way a batch has passed."""
        self.passed.setdefault(ordinal, []).append(stage)


class Gate:
    """Where a run on a thread of its own stands still until the scenario says how it goes on."""

    def __init__(self) -> None:
        self._reached, self._opened = threading.Event(), threading.Event()
        self._act: Act = nothing

    def __call__(self) -> None:
        self._reached.set()
        self._opened.wait()
        self._act()

    def reached(self, thread: threading.Thread) -> None:
        """Wait until the run on that thread stands here."""
        while not self._reached.wait(POLL_S):  # ends: the run comes here, or to its end
            assert thread.is_alive(), "the run has ended elsewhere"

    def open(self, act: Act) -> None:
        """Let the run go on with this."""
        self._act = act
        self._opened.set()


class MarkedRows(CrashingRows):
    """Rows on which a fire meets what it is to meet before a commit."""

    def __init__(self, rows: Rows, fire: Fire) -> None:
        super().__init__(rows, fire.crashes)
        self._fire = fire

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:
        """As the rows beneath."""
        self._fire.before_commit(changes)
        rows = [getattr(change, "row", None) or getattr(change, "set", None) or {} for change in changes]
        self._fire.committed += [value for row in rows for value in row.values() if isinstance(value, bytes)]
        return super().commit(*changes, survives=survives)


class MarkedDisk(CrashingDisk):
    """A disk on which a fire meets what it is to meet around its commit's marker."""

    def __init__(self, fire: Fire) -> None:
        super().__init__(fire.crashes)
        self._fire = fire

    def rename(self, source: Path, target: Path) -> None:
        """As the disk beneath."""
        super().rename(source, target)
        if target.parent.name == ledger.FOLDER:
            self._fire.after_ledger()

    def link(self, source: Path, target: Path) -> None:
        """As the disk beneath."""
        marks = target.name == lay_out.MANIFEST
        if marks:
            self._fire.before_marker()
        super().link(source, target)
        if marks:
            self._fire.after_marker()


class Scripted:
    """A table's source: the pages of the listing, after what this fire is to meet."""

    pulls_max = 1_000
    host = "vendor.example"

    def __init__(self, listing: Listing, fire: Fire, table: str, sent: list[str]) -> None:
        self._listing = listing
        self._fire = fire
        self._table = table
        self._sent = sent
        self._build = listing.build
        self.journaled = listing.journaled
        self.position_addressed = listing.addressed

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        """The page at the position; none beyond the last."""
        fire, pages = self._fire, self._listing.pages
        at = self._listing.page_at(ask.position)
        fire.pulls.append(Pulled(self._table, at + 1, ask, self._build))
        fire.story.append(f"pull {len(fire.pulls)}")
        if self._listing.meter is not None:
            with self._listing.meter.permit():
                self._listing.meter.leaving(self.host)
        self._sent.append(idempotency_key)
        fire.at_pull.get(len(fire.pulls), nothing)()
        self._listing.failing.get(self._table, nothing)()
        if at >= len(pages):
            return pull.batch([], position=ask.position, more=False)
        page = pages[at]
        if self._listing.foreign is not None:
            return cast(Batch, self._listing.foreign)
        return pull.batch(
            page.rows,
            position=page.after,
            more=page.more,
            skipped=page.skipped,
            types=page.types,
            inventory=Inventory.COMPLETE if self._listing.complete and not page.more else page.inventory,
        )

    def close(self) -> None:
        """Nothing is held open."""


def _row(page: int, number: int) -> Record:
    return {"id": number, "page": page + 1, "at": number}
