"""Steps of snapshots and of the tables that they replace, and of cursors that several writers move."""

from __future__ import annotations

import json

from pytest_bdd import given, parsers, then, when

from contextful.adapters.sources.file_snapshot import FileSnapshot
from contextful.pipeline.pull import Ask, Batch, Inventory
from contextful.pipeline.spec import FileSource
from tests.steps.script import Page, position
from tests.steps.shop import Shop
from tests.steps.stage import LEASE_LAPSED_MS, Stage
from tests.steps.store import committed_beside

D1 = "d1"  # how pages call the digest of what a snapshot source has


class Seen(FileSnapshot):
    """The files of the shop's folder, and the batches with rows that were answered."""

    batches: list[Batch]

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        answer = super().pull(ask, idempotency_key=idempotency_key)
        self.batches += [answer] if answer.row_count else []
        return answer


@given("a replacing table")
def replacing_table(shop: Shop) -> None:
    shop.pipeline["cursor"] = "snapshot-id"
    shop.table["write_mode"] = "replace"
    shop.listing.complete = True


@given(parsers.parse("its snapshot source reports {count:d} rows and `{what}`"))
def source_reports(stage: Stage, shop: Shop, count: int, what: str) -> None:
    assert stage.error is None
    shop.set_up()
    shop.listing.complete = False
    inventory = None if what == "incomplete" else Inventory(what)
    rows = [{"id": f"new-{number}"} for number in range(count)]
    shop.listing.pages = [Page(rows, position("d2"), more=False, inventory=inventory)]
    shop.listing.begins.add(shop.cursor().position)


@given(parsers.parse("a snapshot source whose input is unchanged since position `d1`"))
def unchanged_snapshot(shop: Shop) -> None:
    """It is a file, which a fire has read."""
    (shop.folder / "orders.ndjson").write_text('{"id": 1}\n{"id": 2}\n')
    shop.pipeline["cursor"] = "snapshot-id"
    _read_by(shop, skip_unchanged=True)
    shop.fire()
    shop.set_up()
    shop.spelled[D1] = shop.cursor().position
    _read_by(shop, skip_unchanged=False)


@given(parsers.parse("it declares `skip_unchanged` as `true`"))
def declares_skip_unchanged(shop: Shop) -> None:
    _read_by(shop, skip_unchanged=True)


@then(parsers.parse("{count:d} batches are returned"))
def batches_are_returned(stage: Stage, shop: Shop, count: int) -> None:
    assert stage.error is None
    assert len(Seen.batches) == count
    assert json.loads(str(shop.cursor().position))["rows"] == 2


@given(parsers.parse("a table of kind `{kind}` at position `{text}`"))
def table_of_kind(stage: Stage, shop: Shop, kind: str, text: str) -> None:
    if kind == "monotonic":
        shop.pipeline |= {"cursor": kind, "incremental": "at"}
    shop.stand_at(text)


@when(parsers.parse("writer `{name}` commits position `{text}`"))
def writer_commits(stage: Stage, shop: Shop, name: str, text: str) -> None:
    """It has opened the table, and another has taken the work over from it by the time it commits."""
    if "incremental" not in shop.pipeline:
        shop.listing.pages = [Page([{"id": name}], position(text))]
        shop.listing.begins.add(shop.cursor().position)
        shop.hold(1, name)
        stage.world.skip(LEASE_LAPSED_MS)
        shop.next_fire("holder", at_pull={1: shop.die})
        shop.release(name)
        return
    committed_beside(shop, name, [{"id": name, "at": int(text)}], position({"field": "at", "at": int(text)}))


def _read_by(shop: Shop, *, skip_unchanged: bool) -> None:
    spec = FileSource("{table}.ndjson", "ndjson", whole=True, skip_unchanged=skip_unchanged)
    Seen.batches = []
    shop.source = lambda _, table: Seen(spec, table, shop.folder)
