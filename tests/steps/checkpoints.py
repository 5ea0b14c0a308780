"""Steps of run.own about checkpoints and the bound on what is staged, at a scale of 1 to 1024: a MiB is a KiB here."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bdd import given, parsers, then, when

from contextful.adapters import arrow
from contextful.kernel.change import Change
from contextful.kernel.failure import StorageFailed
from contextful.pipeline import land
from contextful.pipeline.land import Destined
from contextful.run import advance
from contextful.store.schema import EMPTY
from tests.steps.fires import stands
from tests.steps.script import Page, Record, position
from tests.steps.shop import Shop, clock

SCALE = 1 << 10


@given(parsers.parse("each page stages {size:d} MiB"))
def each_page_stages(shop: Shop, size: int) -> None:
    """The bounds shrink as the pages do, to the byte."""
    shop.scale = SCALE
    if shop.lists is not None:
        shop.lists.load["load"] = "x" * ((size << 20) // SCALE)
        shop.lists.walk(len(shop.lists.pages))
    for page in shop.listing.pages:
        _loaded(page, (size << 20) // SCALE)


@given("its pages have no stable positions")
def no_stable_positions(shop: Shop) -> None:
    shop.listing.addressed = False


@given(parsers.parse("its pages have the clocks `{text}`"))
def pages_have_clocks(shop: Shop, text: str) -> None:
    shop.pipeline = {**shop.pipeline, "cursor": "monotonic", "incremental": "at"}
    for page, listed in zip(shop.listing.pages, text.split(", "), strict=True):
        page.rows = [{"id": f"{page.after}-{at}", "at": clock(each)} for at, each in enumerate(listed.split())]


@when(parsers.parse("the fire runs under a run id of {length:d} chars"))
def fire_runs_under(shop: Shop, length: int) -> None:
    shop.fire("r" * length)


@when(parsers.parse("the cursor update of the checkpoint at `{text}` fails"))
def cursor_update_fails(shop: Shop, text: str) -> None:
    def refuse(changes: Sequence[Change]) -> None:
        if any(_moves_to(change, position(text)) for change in changes):
            raise StorageFailed("the disk is full")

    shop.fire(before_commit=refuse)


@then(parsers.parse("the fire has staged {count:d} parts"))
def fire_has_staged(shop: Shop, count: int) -> None:
    assert len([entry for entry in shop.fired.story if entry.startswith("part")]) == count


@then(parsers.parse("the commits have the positions `{texts}`"))
def commits_have_positions(shop: Shop, texts: str) -> None:
    assert all(
        stands(manifest.position, text) for manifest, text in zip(shop.manifests(), texts.split(", "), strict=True)
    )


@then(parsers.parse("the commits have the run ids `{ids}`"))
def commits_have_run_ids(shop: Shop, ids: str) -> None:
    assert [manifest.run_id for manifest in shop.manifests()] == ids.split(", ")


@then("no instant has rows in two commits")
def no_instant_in_two_commits(shop: Shop) -> None:
    found = shop.select('SELECT "at", count(DISTINCT _commit_seq) FROM it GROUP BY "at" ORDER BY 1')
    assert found == [(1, 1), (2, 1), (3, 1)]


def _loaded(page: Page, part_bytes: int) -> None:
    """Give the first row a load with which the page's part has this size."""
    load = part_bytes
    for _ in range(3):
        page.rows[0] = {**page.rows[0], "load": "x" * load}
        staged = len(arrow.staged(land.shape(Destined("orders"), page.rows, EMPTY)))
        load -= staged - part_bytes
    assert staged == part_bytes


def _moves_to(change: Change, at: str) -> bool:
    moved: Record = getattr(change, "set", None) or getattr(change, "row", None) or {}
    return change.table is advance.CURSOR and moved.get("position") == at
