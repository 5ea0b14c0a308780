"""Table runs that are killed anywhere, resumed, and equal to a run that nobody killed."""

from __future__ import annotations

import pytest

import contextful
from contextful.errors import (
    StepFailed,
)
from contextful.kernel.signal import Stopped
from contextful.pipeline import land
from contextful.pipeline.pull import Ask, Batch
from contextful.ports.destination import Lot
from contextful.run import advance
from contextful.run.record import Counts
from contextful.testing import Crash, Crashes, PagedSource, SkippingWorld
from contextful.testing.source import Page
from contextful_contract.shapes import FailureTag, RunStatus
from tests.runner.places import (
    LEASE_LAPSED_MS,
    P2,
    PAGES,
    PLAN,
    Dying,
    Place,
)


@pytest.mark.clause("run.journal.replay-lands")
@pytest.mark.clause("run.retry.no-double-spend")
def test_a_resumed_run_asks_for_no_recorded_page_again(place: Place) -> None:
    source = PagedSource(PAGES, failures={1: [Crash()]})
    crashes = Crashes()
    with pytest.raises(Crash):
        place.land(Dying(source, crashes), "r-1", crashes=crashes)

    place.now_ms += LEASE_LAPSED_MS
    place.land(source, "r-2", pid=2)

    assert source.asked == [0, 1, 1]
    assert source.keys[1] == source.keys[2]


@pytest.mark.clause("run.own.one-commit-per-run")
@pytest.mark.clause("run.own.stage-discard")
def test_a_run_that_fails_commits_nothing_and_removes_what_it_staged(place: Place) -> None:
    source = PagedSource(PAGES, failures={1: [contextful.Permanent("gone")]})

    with pytest.raises(StepFailed):
        place.land(source, "r-1")

    row = place.run_row("r-1")
    assert (row.status, row.error_kind, row.counts) == (RunStatus.FAILED, FailureTag.PERMANENT, Counts())
    assert place.manifests() == []
    assert place.files(".arrow") == []
    assert place.cursor().position is None


@pytest.mark.clause("run.own.live-owner")
def test_a_second_process_is_turned_away_while_the_first_one_lives(place: Place) -> None:
    first, _ = place.process()
    turned_away: list[BaseException] = []

    class Meddling(PagedSource):
        def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
            if not turned_away:
                with pytest.raises(contextful.Transient) as refusal:
                    place.land(PagedSource(PAGES), "r-2", pid=2)
                turned_away.append(refusal.value)
            return super().pull(ask, idempotency_key=idempotency_key)

    first.run(PLAN, lambda: Meddling(PAGES), run_id="r-1")

    assert "r-1" in str(turned_away[0])
    assert place.run_row("r-2").status is RunStatus.FAILED
    assert [manifest.run_id for manifest in place.manifests()] == ["r-1"]


@pytest.mark.clause("run.journal.current-owner")
def test_an_attempt_that_was_superseded_publishes_nothing(place: Place) -> None:
    zombie, _ = place.process()

    class Slow(PagedSource):
        def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
            answer = super().pull(ask, idempotency_key=idempotency_key)
            if not answer.more:
                place.now_ms += LEASE_LAPSED_MS
                place.land(PagedSource(PAGES), "r-2", pid=2)
            return answer

    with pytest.raises(Stopped):
        zombie.run(PLAN, lambda: Slow(PAGES), run_id="r-1")

    assert [manifest.run_id for manifest in place.manifests()] == ["r-2"]
    assert place.select("SELECT count(*) FROM shop_orders") == [(3,)]


def test_a_commit_that_another_attempt_of_the_execution_made_is_taken_for_ones_own(place: Place) -> None:
    """The zombie published between the takeover and our commit: its rows are ours, and land once."""
    crashes = Crashes()
    with pytest.raises(Crash):
        place.land(Dying(PagedSource(PAGES, failures={1: [Crash()]}), crashes), "r-1", crashes=crashes)
    place.now_ms += LEASE_LAPSED_MS

    class Overtaken(PagedSource):
        def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
            answer = super().pull(ask, idempotency_key=idempotency_key)
            stage = place.store().stage(Lot(PLAN.table, "r-1", "shop", "here"))
            for page in PAGES:
                stage.add(land.shape(PLAN.table, page, stage.schema))
            stage.commit(P2, known=None, attempts=("r-1",), admit=lambda: None)
            return answer

    place.land(Overtaken(PAGES), "r-2", pid=2)

    assert [manifest.run_id for manifest in place.manifests()] == ["r-1"]
    assert (place.cursor().marker, place.pending()) == (advance.Marker("r-1", SkippingWorld().now_ms(), P2), False)


@pytest.mark.clause("run.own.checkpoint-scope")
@pytest.mark.parametrize(
    ("first", "asked"),
    [(PAGES[0], [0, 1, 0, 1]), ([{"id": 0, "n": None}, *PAGES[0]], [0, 1, 0, 0, 1])],
    ids=["as it was", "changed"],
)
def test_a_walk_without_stable_positions_goes_on_where_its_source_begins_as_it_did(
    place: Place, first: Page, asked: list[int]
) -> None:
    source = PagedSource(PAGES, failures={1: [Crash()]}, position_addressed=False)
    crashes = Crashes()
    with pytest.raises(Crash):
        place.land(Dying(source, crashes), "r-1", crashes=crashes)
    place.now_ms += LEASE_LAPSED_MS
    source.pages[0] = first

    place.land(source, "r-2", pid=2)

    assert source.asked == asked
    assert place.select("SELECT count(*) FROM shop_orders") == [(len(first) + 1,)]
