"""What a credential shows of history: every run that it covers, however many of others stand before them."""

from __future__ import annotations

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.authority.credential import Credential
from contextful.errors import GrantRunTraceDenied
from contextful.faces.allowed import PAGE, PAGES_MAX, Allowed
from contextful.kernel.change import Insert
from contextful.run.record import RUN
from contextful.testing import SkippingWorld
from contextful_contract.shapes import Grant, GrantAction

OTHERS = 12  # more than a page


@pytest.fixture
def engine() -> contextful.Engine:
    """An engine with two runs of `shop`, and later ones of `books`."""
    rows, world = MemoryRows(), SkippingWorld()
    made = contextful.Engine(rows, RowBlobs(rows), world)
    for number, scope in enumerate(["shop", "shop", *["books"] * OTHERS]):
        world.skip(1_000)
        with made.execution(scope, "plan", run_id=f"{scope}-{number}"):
            pass
    return made


def allowed(engine: contextful.Engine, pipeline: str) -> Allowed:
    return Allowed(
        engine, None, Credential("c", "a", 0, 1, (Grant(actions=(GrantAction.READ,), pipelines=(pipeline,)),))
    )


@pytest.mark.clause("authority.grant.history-filter")
def test_runs_that_are_covered_are_listed_behind_any_number_that_are_not(engine: contextful.Engine) -> None:
    page = allowed(engine, "shop").runs(limit=1)
    behind = allowed(engine, "shop").runs(limit=1, before=page.runs[-1].run_id)

    assert [run.run_id for run in (*page.runs, *behind.runs)] == ["shop-1", "shop-0"]
    assert (page.truncated, behind.truncated) == (True, False)


@pytest.mark.clause("authority.grant.history-filter")
def test_a_listing_refuses_only_where_there_are_runs_and_none_is_covered(engine: contextful.Engine) -> None:
    with pytest.raises(GrantRunTraceDenied):
        allowed(engine, "music").runs(limit=1)

    assert list(allowed(engine, "shop").runs(limit=1, since_ms=1 << 50).runs) == []


def test_whole_runs_are_found_behind_any_number_of_parts() -> None:
    rows, world = MemoryRows(), SkippingWorld()
    engine = contextful.Engine(rows, RowBlobs(rows), world)
    with engine.execution("shop", "plan", run_id="fire"):
        pass
    row = rows.get(RUN, ("fire",))
    assert row is not None
    started_ms = world.now_ms() + 1
    parts = [
        {**row, "run_id": f"fire.{number}", "started_ms": started_ms + number} for number in range(PAGE * PAGES_MAX + 1)
    ]
    rows.commit(*(Insert(RUN, part) for part in parts))

    page = Allowed(engine, None, None).runs(whole=True)

    assert ([run.run_id for run in page.runs], page.truncated) == (["fire"], False)
