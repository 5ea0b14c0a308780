"""Long table runs, which commit on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

import contextful
from contextful.errors import (
    RunCheckpointIdTooLong,
    StepFailed,
)
from contextful.kernel.table import Select
from contextful.pipeline import land
from contextful.ports.destination import Lot
from contextful.run import advance
from contextful.run.journal import journal
from contextful.run.record import Counts
from contextful.testing import Crash, Crashes, PagedSource
from contextful_contract.shapes import RunStatus
from tests.runner.places import (
    CLOCKED,
    LEASE_LAPSED_MS,
    P2,
    PLAN,
    Dying,
    Place,
)

SIX = [[{"id": page}] for page in range(6)]


def part_bytes(place: Place) -> int:
    """How many bytes a page of one row stages."""
    stage = place.store().stage(Lot(PLAN.table, "measured", "shop", "here"))
    size = stage.add(land.shape(PLAN.table, SIX[0], stage.schema))
    stage.discard()
    return size


@pytest.fixture
def checkpointed(place: Place) -> Place:
    """A place that commits every two pages of one row."""
    place.checkpoint_bytes = 2 * part_bytes(place)
    return place


@pytest.mark.clause("run.own.checkpoint-commit")
@pytest.mark.clause("run.own.checkpoint-run-id")
def test_a_long_run_commits_at_checkpoints_each_with_its_position(checkpointed: Place) -> None:
    landed = checkpointed.land(PagedSource(SIX), "r-1")

    assert [(manifest.run_id, manifest.position, len(manifest.parts)) for manifest in checkpointed.manifests()] == [
        ("r-1", P2, 2),
        ("r-1.000001", '{"page":4}', 2),
        ("r-1.000002", '{"page":6}', 2),
    ]
    assert (landed.rows, landed.parts, landed.commits) == (6, 6, 3)
    assert checkpointed.run_row("r-1").counts == Counts(6, landed.bytes, batches=6)


@pytest.mark.clause("run.own.checkpoint-resume")
def test_a_run_killed_after_a_checkpoint_goes_on_from_it(checkpointed: Place) -> None:
    crashes = Crashes()
    source = PagedSource(SIX, failures={2: [Crash()]})
    with pytest.raises(Crash):
        checkpointed.land(Dying(source, crashes), "r-1", crashes=crashes)
    recorded = [row["state"] for row in checkpointed.rows.select(Select(journal.ENTRY, {}, limit=10))]
    position, pending = checkpointed.cursor().position, checkpointed.pending()
    checkpointed.now_ms += LEASE_LAPSED_MS

    checkpointed.land(source, "r-2", pid=2)

    assert (position, pending, recorded) == (P2, True, ["pending"])
    assert source.asked == [0, 1, 2, 2, 3, 4, 5]
    assert [manifest.run_id for manifest in checkpointed.manifests()] == ["r-1", "r-2", "r-2.000001"]
    assert checkpointed.run_row("r-1").execution_id == checkpointed.run_row("r-2").execution_id


@pytest.mark.clause("run.own.checkpoint-landed")
def test_a_run_that_fails_after_a_checkpoint_counts_what_landed(checkpointed: Place) -> None:
    with pytest.raises(StepFailed):
        checkpointed.land(PagedSource(SIX, failures={3: [contextful.Permanent("gone")]}), "r-1")

    row = checkpointed.run_row("r-1")
    assert (row.status, row.counts.rows, row.counts.batches) == (RunStatus.FAILED, 2, 2)
    assert checkpointed.select("SELECT count(*) FROM shop_orders") == [(2,)]
    assert checkpointed.files(".arrow") == []


@pytest.mark.clause("run.own.checkpoint-scope")
def test_a_walk_whose_positions_are_not_stable_commits_once(checkpointed: Place) -> None:
    landed = checkpointed.land(PagedSource(SIX, position_addressed=False), "r-1")

    assert (landed.rows, landed.commits) == (6, 1)


@pytest.mark.clause("run.own.checkpoint-id-length")
def test_a_run_whose_checkpoints_cannot_be_named_commits_nothing(checkpointed: Place) -> None:
    with pytest.raises(RunCheckpointIdTooLong):
        checkpointed.land(PagedSource(SIX), "a" * 122)

    assert checkpointed.manifests() == []
    assert not checkpointed.pending()


@pytest.mark.clause("run.own.checkpoint-frontier")
def test_no_instant_has_rows_in_two_commits(checkpointed: Place) -> None:
    clocks = [[1, 1], [1], [2], [2], [3]]
    source = PagedSource([[{"id": 0, "at": at} for at in page] for page in clocks])
    checkpointed.checkpoint_bytes = 1

    checkpointed.land(source, "r-1", plan=CLOCKED)

    assert [manifest.position for manifest in checkpointed.manifests()] == [
        advance.watermark("at", at) for at in (1, 2, 3)
    ]
    assert checkpointed.select('SELECT "at", count(DISTINCT _run_id) FROM shop_orders GROUP BY 1 ORDER BY 1') == [
        (1, 1),
        (2, 1),
        (3, 1),
    ]


@pytest.mark.clause("run.own.checkpoint-resume")
@pytest.mark.clause("run.own.marker-reconciles")
def test_a_checkpointed_run_killed_anywhere_lands_each_row_once(tmp_path: Path) -> None:
    four, checkpoint_bytes = SIX[:4], 2 * part_bytes(Place(tmp_path / "measured"))
    crashes = Crashes()
    counted = Place(tmp_path / "counted", checkpoint_bytes=checkpoint_bytes)
    assert counted.land(PagedSource(four), "r-1", crashes=crashes).commits == 2

    for at in range(crashes.count):
        place = Place(tmp_path / f"killed-{at}", checkpoint_bytes=checkpoint_bytes)
        source = PagedSource(four)
        with pytest.raises(Crash):
            place.land(source, "r-1", crashes=Crashes(at))
        place.now_ms += LEASE_LAPSED_MS
        place.land(source, "r-2", pid=2)

        assert sorted(place.column("id")) == [0, 1, 2, 3], f"killed at operation {at}"
        assert (place.cursor().position, place.pending()) == ('{"page":4}', False)
