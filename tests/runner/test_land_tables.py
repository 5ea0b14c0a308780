"""Fires of several tables, and stores that cannot be read."""

from __future__ import annotations

from dataclasses import replace

import pytest

import contextful
from contextful.errors import (
    PipelineTableFailed,
    StoreManifestUnreadable,
)
from contextful.pipeline.spec import TableSpec
from contextful.testing import PagedSource
from contextful_contract.shapes import FailureTag, OnTableError
from tests.runner.places import (
    PAGES,
    SPEC,
    Place,
)

TWO = replace(SPEC, tables=(TableSpec("orders"), TableSpec("items")))


def failing_orders(_: object, table: str) -> PagedSource:
    """A source whose first table is gone."""
    return PagedSource(PAGES, failures={0: [contextful.Permanent("gone")]} if table == "orders" else {})


@pytest.mark.clause("run.land.on-table-error")
@pytest.mark.clause("run.land.table-failed")
@pytest.mark.parametrize(
    ("on_table_error", "landed"), [(OnTableError.ABORT, []), (OnTableError.CONTINUE, ["fire.items"])], ids=str
)
def test_a_failed_table_halts_the_fire_or_lets_the_others_land(
    place: Place, on_table_error: OnTableError, landed: list[str]
) -> None:
    landings, _ = place.process()

    with pytest.raises(PipelineTableFailed) as refusal:
        landings.fire(replace(TWO, on_table_error=on_table_error), failing_orders, run_id="fire")

    assert vars(refusal.value) == {"table": "orders", "tag": FailureTag.PERMANENT, "run_id": "fire.orders"}
    assert [manifest.run_id for manifest in place.manifests("shop_items")] == landed


@pytest.mark.clause("store.lay-out.manifest-unreadable")
def test_a_manifest_cut_in_half_fails_the_run_before_any_pull(place: Place) -> None:
    place.land(PagedSource(PAGES), "r-1")
    path = place.root / "tables/shop_orders/data/runs/r-1/node/_manifest.json"
    whole = path.read_bytes()
    path.write_bytes(whole[:20])
    source = PagedSource(PAGES)

    with pytest.raises(StoreManifestUnreadable):
        place.land(source, "r-2", pid=2)
    path.write_bytes(whole)

    assert source.asked == []
    assert place.run_row("r-2").error_kind is FailureTag.STORAGE
    assert place.land(source, "r-3", pid=3).rows == 0
