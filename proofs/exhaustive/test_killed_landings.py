"""run.journal.replay-lands, walked: a table's run that dies at every write, sync, link, rename and commit it comes to.

    pull . record . stage . [half a part] . commit: part . schema . manifest . cursor, owner and journal .

Each dot is an instant of death, and so is the middle of every write of a file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from contextful.adapters import requests
from contextful.adapters.files import Disk
from contextful.pipeline import compile
from contextful.pipeline.compile import TablePlan
from contextful.pipeline.spec import TableSpec
from contextful.testing import Crash, Crashes, PagedSource
from contextful.testing.source import Page
from contextful_contract.shapes import RedactionOperation, RedactionRule, RunStatus
from proofs.effort import FULL
from tests.runner.places import CLOCKED, LEASE_LAPSED_MS, PLAN, SPEC, Place, digests

RULE = RedactionRule(table="orders", column="phone", operation=RedactionOperation.DROP)
(PROTECTED,) = compile.tables(replace(SPEC, tables=(TableSpec("orders", primary_key=("id",), redaction=(RULE,)),)))


@dataclass(frozen=True)
class Shape:
    """A run: its plan, the pages of its source, and whom the source asks for them."""

    plan: TablePlan
    pages: tuple[Page, ...]
    host: str | None = None

    def source(self) -> PagedSource:
        """Its source, of which nothing has been asked."""
        return PagedSource(self.pages, host=self.host)


CLOCK = Shape(CLOCKED, ([{"id": 1, "at": 5}], [{"id": 2, "at": 4}, {"id": 3, "at": 9}]))
SHAPES = (
    Shape(PLAN, ([{"id": 1, "n": None}, {"id": 2, "n": None}], [{"id": 3, "n": 0.5}])),
    Shape(PROTECTED, ([{"id": 1, "phone": "555-0100"}], [], [{"id": 2, "phone": "555-0101"}]), host="vendor.example"),
    *((CLOCK,) if FULL else ()),
)


def operations(folder: Path, shape: Shape) -> int:
    """How many instants there are at which a run of this shape may die."""
    crashes = Crashes()
    Place(folder).land(shape.source(), "r-1", plan=shape.plan, crashes=crashes)
    return crashes.count


def whole(folder: Path, shape: Shape, run_id: str, now_ms: int) -> Place:
    """A place where nobody died."""
    place = Place(folder)
    place.now_ms = now_ms
    place.land(shape.source(), run_id, plan=shape.plan)
    return place


@pytest.mark.theorem("exhaustive")
@pytest.mark.clause("run.journal.replay-lands", "run.own.one-commit-per-run", "run.own.marker-reconciles")
@pytest.mark.clause("store.lay-out.run-manifest", "run.advance.commit-with-rows", "authority.redact.before-the-record")
def test_a_run_that_dies_once_lands_what_an_uninterrupted_one_lands(
    tmp_path: Path, record_walk: Callable[..., None]
) -> None:
    """A table's run that dies at any one instant and is resumed leaves, byte for byte, the parts, the manifest and the
    position of a run that nobody killed, the same catalog, and no removed value anywhere.
    """
    cases, expected = 0, [operations(tmp_path / f"count-{at}", shape) for at, shape in enumerate(SHAPES)]
    for at, shape in enumerate(SHAPES):
        began_ms = Place(tmp_path).now_ms
        ends = {
            run_id: whole(tmp_path / f"whole-{at}-{run_id}", shape, run_id, began_ms + waits_ms)
            for run_id, waits_ms in (("r-1", 0), ("r-2", LEASE_LAPSED_MS))
        }
        for dies_at in range(expected[at]):
            place, source = Place(tmp_path / f"killed-{at}-{dies_at}"), shape.source()
            with pytest.raises(Crash):
                place.land(source, "r-1", plan=shape.plan, crashes=Crashes(dies_at))
            place.now_ms += LEASE_LAPSED_MS
            place.land(source, "r-2", plan=shape.plan, pid=2)
            equals(place, ends, f"shape {at} killed at {dies_at}", clocked=shape.plan is CLOCKED)
            cases += 1

    assert cases == sum(expected)
    assert min(expected) > 50, "the walk covers rows and files"
    record_walk(
        domain=f"{len(SHAPES)} runs, recorded as they came and prepared, with {expected} instants of death",
        cases=cases,
        leaves_open="two deaths, and the loss of power: what is synced, the adapters' own tests hold",
    )


def equals(place: Place, ends: dict[str, Place], which: str, *, clocked: bool) -> None:
    """The place stands as the one does where the run that committed here was not killed.

    Where it had committed, the next run is a poll of its own, which lands the rows of a clock's boundary again.
    """
    first, *polls = [manifest for manifest in place.manifests() if manifest.parts]
    end = ends[first.run_id]
    parts = {name: sha256 for name, sha256 in digests(place).items() if name.startswith(f"{first.run_id}/")}
    assert parts == digests(end), which
    assert [first] == end.manifests(), which
    assert not polls or (clocked and first.run_id == "r-1"), which
    assert place.cursor().position == end.cursor().position, which
    assert place.store().schema("shop_orders") == end.store().schema("shop_orders"), which
    assert (place.pending(), place.run_row("r-2").status) == (False, RunStatus.SUCCESS), which
    for path in place.root.rglob("*"):
        assert not path.is_file() or b"555-01" not in path.read_bytes(), which
    assert len(requests.paths(place.root, "shop_orders", Disk())) <= 2, which
