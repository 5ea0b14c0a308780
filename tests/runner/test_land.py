"""Table runs: pulled, staged, committed once, and what a failure leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest

import contextful
from contextful.errors import (
    StepFailed,
    StoreReservedColumnName,
    StoreSchemaIncompatible,
)
from contextful.kernel.table import Select
from contextful.pipeline.pull import Ask, Batch
from contextful.run import advance
from contextful.run.journal import journal
from contextful.run.record import Counts
from contextful.runner.land import Success, Waiting
from contextful.store.lay_out import Manifest
from contextful.testing import Crash, Crashes, PagedSource
from contextful.testing.clock import START_MS
from contextful_contract.shapes import FailureTag, RunStatus
from tests.runner.places import (
    P2,
    PAGES,
    PLAN,
    SPEC,
    Dying,
    Place,
    Told,
)


@pytest.mark.clause("run.own.backpressure")
def test_each_batch_is_a_part_before_the_next_pull(place: Place) -> None:
    source = PagedSource(PAGES)
    told = Told(source)

    place.process(observer=told)[0].run(PLAN, lambda: source, run_id="r-1")

    assert told.story == [
        "staged 0 of 2 rows after pulls [0]",
        "staged 1 of 1 rows after pulls [0, 1]",
        "landed 3 rows in 2 parts",
    ]


@pytest.mark.clause("run.own.one-commit-per-run")
@pytest.mark.clause("store.lay-out.run-manifest")
def test_a_run_commits_its_parts_and_its_position_in_one_manifest(place: Place) -> None:
    landed = place.land(PagedSource(PAGES), "r-1")

    manifest = Manifest(
        run_id="r-1",
        table="shop_orders",
        node_id="node",
        parts=("part-00000.parquet", "part-00001.parquet"),
        committed_ms=START_MS,
        commit_seq=1,
        pipeline_id="shop",
        position=P2,
    )
    assert place.manifests() == [manifest]
    assert landed == Success("r-1", "shop_orders", rows=3, bytes=landed.bytes, parts=2, commits=1)
    assert place.files(".arrow") == []


@pytest.mark.clause("run.advance.commit-with-rows")
@pytest.mark.clause("run.own.retirement")
def test_success_caches_the_position_and_retires_the_owner(place: Place) -> None:
    landed = place.land(PagedSource(PAGES), "r-1")

    assert place.cursor() == advance.Cursor("table/shop/orders", 1, advance.Marker("r-1", START_MS, P2))
    assert not place.pending()
    row = place.run_row("r-1")
    assert (row.status, row.counts) == (RunStatus.SUCCESS, Counts(3, landed.bytes, batches=2))


@pytest.mark.clause("run.own.retirement")
def test_the_next_fire_is_another_execution_from_the_committed_position(place: Place) -> None:
    source = PagedSource(PAGES)
    place.land(source, "r-1")
    source.pages.append([{"id": 4, "n": 1.5}])

    place.land(source, "r-2", pid=2)

    assert source.asked == [0, 1, 2]
    assert place.run_row("r-1").execution_id != place.run_row("r-2").execution_id
    assert place.select("SELECT id, _commit_seq FROM shop_orders ORDER BY id") == [(1, 1), (2, 1), (3, 1), (4, 2)]


@pytest.mark.clause("store.reserve.injected")
@pytest.mark.clause("run.record.writing-site")
@pytest.mark.clause("run.own.stage-instant")
def test_every_row_says_where_it_comes_from(place: Place) -> None:
    place.land(PagedSource(PAGES), "r-1")

    columns = "id, n, _run_id, _batch_seq, _row_seq, _site_id, _commit_seq, epoch_ms(_ingested_at::TIMESTAMPTZ)"
    assert place.select(f"SELECT {columns} FROM shop_orders ORDER BY _row_seq") == [
        (1, None, "r-1", 0, 0, "here", 1, START_MS),
        (2, None, "r-1", 0, 1, "here", 1, START_MS),
        (3, 0.5, "r-1", 1, 2, "here", 1, START_MS),
    ]


@pytest.mark.clause("run.own.pin-release")
@pytest.mark.parametrize(("page", "held"), [(0, False), (1, True)], ids=["before any batch", "after a batch"])
def test_a_failure_holds_the_owner_once_a_batch_is_recorded(place: Place, page: int, held: bool) -> None:
    source = PagedSource(PAGES, failures={page: [contextful.Permanent("gone")]})

    with pytest.raises(StepFailed):
        place.land(source, "r-1")

    assert place.pending() is held


@pytest.mark.clause("run.own.one-commit-per-run")
def test_the_run_after_a_failure_goes_on_from_the_recorded_page(place: Place) -> None:
    source = PagedSource(PAGES, failures={1: [contextful.Permanent("gone")]})
    with pytest.raises(StepFailed):
        place.land(source, "r-1")

    landed = place.land(source, "r-2", pid=2)

    assert source.asked == [0, 1, 1]
    assert landed.rows == 3
    assert place.cursor().position == P2


@pytest.mark.clause("run.own.stage-discard")
def test_a_crash_leaves_its_staged_parts(place: Place) -> None:
    crashes = Crashes()
    source = PagedSource(PAGES, failures={1: [Crash()]})

    with pytest.raises(Crash):
        place.land(Dying(source, crashes), "r-1", crashes=crashes)

    assert place.files(".arrow") == ["00000.arrow"]
    assert place.manifests() == []


@pytest.mark.clause("run.own.source-stage-schema")
def test_a_batch_that_does_not_fit_retires_the_owner_and_a_repaired_source_is_asked_again(place: Place) -> None:
    source = PagedSource([[{"id": 1}], [{"id": "two"}]])
    with pytest.raises(StoreSchemaIncompatible) as refusal:
        place.land(source, "r-1")
    source.pages[1] = [{"id": 2}]

    landed = place.land(source, "r-2", pid=2)

    assert vars(refusal.value) == {"table": "shop_orders", "column": "id", "stored": "int64", "arriving": "utf8"}
    assert place.run_row("r-1").error_kind is FailureTag.SCHEMA_INCOMPATIBLE
    assert source.asked == [0, 1, 0, 1]
    assert landed.rows == 2


@pytest.mark.clause("store.reconcile.promotion-exact")
def test_integers_beside_floats_that_do_not_hold_them_retire_the_owner(place: Place) -> None:
    with pytest.raises(StoreSchemaIncompatible):
        place.land(PagedSource([[{"id": (1 << 53) + 1}], [{"id": 0.5}]]), "r-1")

    assert place.run_row("r-1").error_kind is FailureTag.SCHEMA_INCOMPATIBLE
    assert (place.manifests(), place.pending(), place.files(".arrow"), place.files(".parquet")) == ([], False, [], [])


@pytest.mark.clause("store.reserve.column-namespaces")
def test_a_producer_cannot_fill_the_engines_columns(place: Place) -> None:
    with pytest.raises(StoreReservedColumnName) as refusal:
        place.land(PagedSource([[{"id": 1, "_run_id": "mine"}]]), "r-1")

    assert refusal.value.column == "_run_id"
    assert place.manifests() == []


@pytest.mark.clause("run.journal.opt-out")
def test_an_empty_pull_is_not_recorded(place: Place) -> None:
    source = PagedSource([[], [{"id": 1}]], failures={1: [contextful.Permanent("gone")]})

    with pytest.raises(StepFailed):
        place.land(source, "r-1")

    assert place.rows.select(Select(journal.ENTRY, {}, limit=10)) == []
    assert not place.pending()


@pytest.mark.clause("run.journal.opt-out")
def test_a_source_that_opts_out_has_no_pull_recorded(place: Place) -> None:
    source = PagedSource(PAGES, failures={1: [contextful.Permanent("gone")]}, journaled=False)
    with pytest.raises(StepFailed):
        place.land(source, "r-1")

    place.land(source, "r-2", pid=2)

    assert source.asked == [0, 1, 0, 1]


@pytest.mark.clause("run.record.skipped-count")
def test_what_the_source_skipped_is_counted_in_replayed_pulls_too(place: Place) -> None:
    source = PagedSource(PAGES, failures={1: [contextful.Permanent("gone")]}, skipped={0: 4})
    with pytest.raises(StepFailed):
        place.land(source, "r-1")

    place.land(source, "r-2", pid=2)

    assert place.run_row("r-2").counts.skipped == 4


@pytest.mark.clause("run.own.stage-commit-seq")
def test_the_run_that_commits_first_has_the_lower_sequence(place: Place) -> None:
    other = replace(PLAN, pipeline_id="other")

    class Overtaken(PagedSource):
        def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
            answer = super().pull(ask, idempotency_key=idempotency_key)
            if not answer.more:
                place.land(PagedSource([[{"id": 9}]]), "r-c", plan=other, pid=2)
            return answer

    place.land(Overtaken(PAGES), "r-s")

    assert place.select("SELECT DISTINCT _run_id, _commit_seq FROM shop_orders ORDER BY 2") == [("r-c", 1), ("r-s", 2)]


@pytest.mark.clause("connector.source.page-cap")
def test_a_walk_that_reaches_its_cap_commits_as_one_that_has_more(place: Place) -> None:
    source = PagedSource([[{"id": 1}], [{"id": 2}], [{"id": 3}]], pulls_max=2)

    landed = place.land(source, "r-1")

    assert landed.rows == 2
    assert place.cursor().position == P2


@pytest.mark.clause("run.retry.waiting-state")
def test_a_pull_whose_wait_is_long_leaves_the_run_waiting(place: Place) -> None:
    source = PagedSource(PAGES, failures={1: [contextful.RateLimited("busy", retry_after_ms=900_000)]})
    landings, _ = place.process()

    outcomes = landings.fire(SPEC, lambda *_: source, run_id="r-1")

    assert outcomes == [Waiting("r-1", START_MS + 900_000)]
    assert place.run_row("r-1").status is RunStatus.WAITING
    assert place.pending()
    assert place.files(".arrow") == []
