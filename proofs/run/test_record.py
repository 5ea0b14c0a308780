"""run.record, decided: how long a lease reaches, and which status may follow which on a run's row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import pytest

from contextful.adapters.memory import MemoryRows
from contextful.kernel.change import Change
from contextful.kernel.failure import Failure
from contextful.run import cancel, record
from contextful.run.record import Closing, Lease, Process, Run
from contextful_contract.shapes import FailureTag, RunStatus, StopMark
from proofs.effort import FULL
from proofs.theorem import theorem

RUNNING, WAITING = RunStatus.RUNNING, RunStatus.WAITING
TTL_MS = 30_000
OURS = Process(1, "boot-1", "holder-1")


def run_with(lease: Lease | None, status: RunStatus = RUNNING) -> Run:
    """Run-1 with this lease."""
    return Run("run-1", "exec-1", "plan-a", "site", status, started_ms=0, lease=lease)


@theorem(
    "run.record.owner-lease",
    of=record.renewed,
    mutants=[
        ('{"holder": holder, "status": RunStatus.RUNNING.value},\n', '{"status": RunStatus.RUNNING.value},\n'),
        ('        {"lease_expires_ms": now_ms + limits', '        {"lease_expires_ms": limits'),
    ],
)
def test_a_renewal_reaches_30_s_from_its_instant_and_is_its_holders_alone(
    opened_ms: int, now_ms: int, ours: bool
) -> int | None:
    """A renewal has the lease end 30 s after it. One by anybody else than the attempt's holder moves nothing.

    post: __return__ == (now_ms if ours else opened_ms) + TTL_MS
    """
    rows = MemoryRows()
    rows.commit(record.opened(run_with(None), OURS, opened_ms))
    renewed = rows.commit(record.renewed("run-1", "holder-1" if ours else "holder-2", now_ms))
    lease = record.lease(rows.get(record.RUN, ("run-1",)))
    return lease.expires_ms if lease is not None and renewed == ours else None


@theorem(
    "run.record.orphan-reap",
    "run.record.taken-over",
    of=record.orphaned,
    mutants=[
        ("run.lease.expires_ms <= now_ms", "run.lease.expires_ms < now_ms"),
        ("not run.status.terminal and run.lease", "run.lease"),
        ("run.lease is not None and run", "run.lease is None or run"),
    ],
)
def test_a_run_is_orphaned_exactly_from_the_end_of_its_lease_on(
    ended: bool, expires_ms: int | None, now_ms: int
) -> bool:
    """A run that has not ended is an orphan exactly from the instant on at which its lease ends; without a lease it is
    none.

    post: __return__ == (not ended and expires_ms is not None and expires_ms <= now_ms)
    """
    lease = None if expires_ms is None else Lease("holder-1", expires_ms)
    return record.orphaned(run_with(lease, RunStatus.FAILED if ended else RUNNING), now_ms)


@theorem(
    "run.record.orphan-reap",
    of=record.reaped,
    mutants=[
        (
            '"lease_expires_ms": run.lease.expires_ms}\n    return Update(RUN',
            "}\n    return Update(RUN",
        ),
    ],
    leaves_open="that who reaps asked first whether it is an orphan",
)
def test_a_run_that_renews_its_lease_after_all_is_not_reaped(expires_ms: int, now_ms: int, renewed_ms: int) -> bool:
    """An orphan is closed by one of those who found it; and by none where its process has renewed its lease meanwhile.

    pre: expires_ms <= now_ms and expires_ms != renewed_ms + TTL_MS
    post: __return__
    """
    reaped = []
    for renews in (False, True):
        rows = MemoryRows()
        rows.commit(record.opened(run_with(None), OURS, expires_ms - TTL_MS))
        found = run_with(Lease("holder-1", expires_ms))
        if renews:
            rows.commit(record.renewed("run-1", "holder-1", renewed_ms))
        reaped += [rows.commit(record.reaped(found, now_ms)), rows.commit(record.reaped(found, now_ms))]
    return reaped == [True, False, False, False]


@theorem(
    "run.record.owner-lease",
    of=record.honoured,
    mutants=[
        ("min(lease.expires_ms, now_ms + limits.OWNER_LEASE_TTL_MS)", "lease.expires_ms"),
        ("min(lease.expires_ms, now_ms + limits.OWNER_LEASE_TTL_MS)", "now_ms + limits.OWNER_LEASE_TTL_MS"),
    ],
)
def test_no_lease_is_honoured_for_longer_than_30_s(expires_ms: int, now_ms: int) -> int:
    """Whatever clock wrote it, a lease is honoured up to its end, and never for more than 30 s from now.

    post: __return__ <= expires_ms and __return__ <= now_ms + TTL_MS
    post: __return__ == expires_ms or __return__ == now_ms + TTL_MS
    """
    return record.honoured(Lease("holder-1", expires_ms), now_ms).expires_ms


FAILURE = Failure(FailureTag.PERMANENT, "no luck")
CLOSINGS = tuple(Closing(status) for status in RunStatus if status.terminal or status is WAITING)
MARK = StopMark(requested_at=5, scope="run", reason=None)
NOW_MS = TTL_MS + 1  # the lease that the open gave has lapsed


@dataclass(frozen=True, slots=True)
class Act:
    """Something that happens to the row: a change that is decided on the row as it is, or as it was at the start."""

    name: str
    stale: bool

    def changes(self, seen: Run) -> Iterator[Change]:
        """What it writes, having seen that."""
        if self.name == "renew":
            yield record.renewed("run-1", "holder-1", NOW_MS)
        elif self.name == "mark" and seen.status.accepts_stop and seen.ended_ms is None:
            yield record.marked(seen, MARK, cancel.ending(seen, MARK), NOW_MS)
        elif self.name == "reap" and record.orphaned(seen, 2 * NOW_MS):
            yield record.reaped(seen, NOW_MS)
        elif self.name == "follow" and (seen.lease is None or record.orphaned(seen, 2 * NOW_MS)):
            yield from record.followed(seen, "run-2", NOW_MS)
        elif self.name.startswith("close "):
            status = self.name.removeprefix("close ")
            yield from (record.closed("run-1", "holder-1", each, NOW_MS) for each in CLOSINGS if each.status == status)


NAMES = ("renew", "mark", "reap", "follow", *(f"close {closing.status}" for closing in CLOSINGS))
ACTS = tuple(Act(name, stale) for name, stale in product(NAMES, (False, True)))
MAY_FOLLOW = {  # what has ended stays; what waits was at work
    RUNNING: {RUNNING, WAITING, *(status for status in RunStatus if status.terminal)},
    WAITING: {WAITING, RunStatus.CANCELED},
}
LENGTH = 4 if FULL else 3


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.record.status-set", "run.cancel.not-in-flight")
def test_what_has_ended_stays_as_it_ended_and_what_waits_is_canceled_at_most(
    record_walk: Callable[..., None],
) -> None:
    """Whatever comes to a run's row in whatever order, on the word of the row as it is or as it was when it opened: it
    leaves work for a wait or an end, a wait for a cancellation at most, and an end for nothing. It ends at one instant,
    and holds a lease exactly while it is at work.
    """
    walks = list(product(ACTS, repeat=LENGTH))
    for walk in walks:
        rows = MemoryRows()
        rows.commit(record.opened(run_with(None), OURS, 0))
        at_open = held = standing(rows)
        for act in walk:
            rows.commit(*act.changes(at_open if act.stale else held))
            after = standing(rows)
            assert after.status in MAY_FOLLOW.get(held.status, {held.status}), (walk, held.status, after.status)
            assert held.ended_ms is None or (after.ended_ms, after.status) == (held.ended_ms, held.status), walk
            assert (after.lease is not None) == (after.status is RUNNING), walk
            assert not after.status.terminal or after.ended_ms is not None, walk
            held = after

    assert len(walks) == (2 * (4 + 5)) ** LENGTH
    record_walk(
        domain=f"{LENGTH} of {len(ACTS)} acts: a renewal, a mark, a reaping, a takeover, each closing; fresh or stale",
        cases=len(walks),
        leaves_open="the row of a refused open or of a retirement, which is written closed",
    )


def standing(rows: MemoryRows) -> Run:
    """The run as its row has it."""
    row = rows.get(record.RUN, ("run-1",))
    assert row is not None
    return record.from_row(row)
