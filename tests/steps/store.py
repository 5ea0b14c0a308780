"""Steps of the store: runs that land rows, and what their files, the schema and a read say of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.files import Disk
from contextful.adapters.parquet import ParquetStore
from contextful.adapters.system import SystemWorld
from contextful.kernel import instant
from contextful.kernel.failure import Failed
from contextful.pipeline import compile, land
from contextful.ports.destination import Landed, Lot
from contextful.runner.advance import Cursors
from contextful.store import lay_out
from tests.steps import _shapes
from tests.steps.fires import rows_read
from tests.steps.manifest import SHOP, SITE
from tests.steps.script import Record, position
from tests.steps.shop import Shop
from tests.steps.stage import Stage, instant_ms

TYPED: dict[str, object] = {"int64": 1, "float64": 1.5, "utf8": "b", "timestamp": "2026-03-01T00:00:00Z"}
KIND = r"(?P<kind>int64|float64|utf8|timestamp)"


def typed(kind: str) -> object:
    """A value of that type."""
    return TYPED[kind]


@given("a keyed table")
def keyed_table(shop: Shop) -> None:
    shop.table["primary_key"] = ["id"]


@given("a keyless table")
@given("an appending table")
def appending_table(shop: Shop) -> None:
    assert not shop.table, "that is what a table is which declares nothing"


@given(parsers.parse("a table keyed by column `{column}`"))
def table_keyed_by(shop: Shop, column: str) -> None:
    shop.table["primary_key"] = [column]


@given(parsers.re(r"it declares `(?P<key>order_by|allowed_lateness)` as `(?P<value>[^`]+)`"))
def table_declares(shop: Shop, key: str, value: str) -> None:
    shop.table[key] = value.replace(" ", "")


@given(parsers.parse("a table whose highest `_commit_seq` is {highest:d}"))
def highest_commit_seq(shop: Shop, highest: int) -> None:
    for number in range(highest):
        shop.land(_rows("before", 1), f"before-{number + 1}")
        shop.set_up()
    assert [manifest.commit_seq for manifest in shop.manifests()] == list(range(1, highest + 1))


@given(parsers.re(rf"table `orders` holds column `(?P<column>\w+)` as `{KIND}`"))
def holds_column(shop: Shop, column: str, kind: str) -> None:
    lands_column(shop, "before", column, kind)
    shop.set_up()
    shop.listing.begins.add(shop.cursor().position)  # from where the source goes on


@when(parsers.re(rf"run `(?P<run_id>[\w-]+)` lands column `(?P<column>\w+)` as `{KIND}`"))
def lands_column(shop: Shop, run_id: str, column: str, kind: str) -> None:
    columns = {"columns": {column: kind}} if kind == "timestamp" else {}
    shop.land([{column: typed(kind)}], run_id, **columns)


@when(parsers.parse("run `{run_id}` lands {count:d} rows"))
def lands_rows(stage: Stage, shop: Shop, run_id: str, count: int) -> None:
    shop.land(_rows(run_id, count), run_id)
    stage.seen["manifests"] += shop.manifests(run_id)


@given(parsers.parse("run `{run_id}` landed {count:d} rows at `{at}`"))
@when(parsers.parse("run `{run_id}` lands {count:d} rows at `{at}`"))
def lands_rows_at(stage: Stage, shop: Shop, run_id: str, count: int, at: str) -> None:
    stage.world.skip(instant_ms(at) - stage.world.now_ms())
    shop.land(_rows(run_id, count), run_id)


@when(parsers.parse("run `{run_id}` lands key `{key}` as `{row}`"))
def lands_key_as(stage: Stage, shop: Shop, run_id: str, key: str, row: str) -> None:
    stage.world.skip(1_000)
    shop.land([{"id": key, **json.loads(row)}], run_id)


@when(parsers.parse("run `{run_id}` lands key `{key}` at `{at}`"))
def lands_key_at(stage: Stage, shop: Shop, run_id: str, key: str, at: str) -> None:
    stage.world.skip(instant_ms(at) - stage.world.now_ms())
    shop.land([{"id": key}], run_id)


@when(parsers.parse("run `{run_id}` lands the same {count:d} rows"))
def lands_the_same(stage: Stage, shop: Shop, run_id: str, count: int) -> None:
    stage.seen["manifests"].append(_committed(shop, run_id, _rows(run_id, count)).manifest)


@when(parsers.parse("run `{run_id}` lands {count:d} other rows"))
def lands_others(stage: Stage, shop: Shop, run_id: str, count: int) -> None:
    with pytest.raises(contextful.ContextfulError) as refusal:
        _committed(shop, run_id, _rows("other", count))
    stage.error = refusal.value


@when(parsers.parse("a row with the column `{column}` is landed"))
def lands_a_column(shop: Shop, column: str) -> None:
    shop.land([{"id": 1, column: "en"}], "r-1")


@when(parsers.parse("a row with the columns `{columns}` is landed"))
def lands_columns(shop: Shop, columns: str) -> None:
    shop.land([dict.fromkeys(columns.split(", "), 1)], "r-1")


@when(parsers.parse("run `{run_id}` lands the value `{value}` in column `{column}`"))
def lands_value(shop: Shop, run_id: str, value: str, column: str) -> None:
    shop.land([{column: json.loads(value)}], run_id)


@then(parsers.parse("column `{column}` reads `{values}` in JSON"))
def column_reads(shop: Shop, column: str, values: str) -> None:
    found = shop.select(f"SELECT {column} FROM it ORDER BY _commit_seq")
    assert [json.loads(text) for (text,) in found] == json.loads(f"[{values}]")


@when(parsers.parse("{writers:d} writers commit run `{run_id}` at once"))
def writers_commit(stage: Stage, shop: Shop, writers: int, run_id: str) -> None:
    """The same rows, as two processes bring them that take the run for theirs."""
    created: list[str] = []

    class Noting(Disk):
        def link(self, source: Any, target: Any) -> None:
            super().link(source, target)
            created.append(target.name)

    _at_once(writers, lambda _: _committed(shop, run_id, _rows(run_id, 3), Noting()))
    stage.outcome = created


@then(parsers.parse("{count:d} of them creates the manifest"))
def creates_the_manifest(stage: Stage, shop: Shop, count: int) -> None:
    assert stage.outcome == [lay_out.MANIFEST] * count
    assert rows_read(shop) == 3


@when(parsers.parse("{count:d} runs commit at once while a reader reads"))
def runs_commit_at_once(stage: Stage, shop: Shop, count: int) -> None:
    done = threading.Event()

    def reads() -> None:
        while not done.is_set():  # ends: with the last commit
            stage.seen["reads"].append(sorted({manifest.commit_seq for manifest in shop.manifests()}))

    reader = threading.Thread(target=reads)
    reader.start()
    _at_once(count, lambda number: _committed(shop, f"r-{number}", _rows(f"r-{number}", 1), by=f"shop-{number}"))
    done.set()
    reader.join()
    stage.seen["reads"].append([seq for (seq,) in shop.select("SELECT _commit_seq FROM it ORDER BY 1")])


@then(parsers.parse("each read sees a prefix of the sequence from {first:d} to {last:d}"))
def reads_a_prefix(stage: Stage, first: int, last: int) -> None:
    reads = stage.seen["reads"]
    whole = list(range(first, last + 1))
    assert all(read == whole[: len(read)] for read in reads if isinstance(read, list))
    assert reads[-1] == whole


@given(parsers.parse("the manifest of run `{run_id}` is cut in half"))
def manifest_is_cut(shop: Shop, run_id: str) -> None:
    shop.land(_rows(run_id, 3), run_id)
    shop.set_up()
    path = shop.run_folder(run_id) / lay_out.MANIFEST
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


@when("the table is read")
def table_is_read(stage: Stage, shop: Shop) -> None:
    _ask(stage, lambda: shop.select("SELECT count(*) FROM it"))


@when(parsers.parse("table `{table}` is read"))
def other_table_is_read(stage: Stage, shop: Shop, table: str) -> None:
    _ask(stage, lambda: shop.select(f"SELECT * FROM {table}"))


@then(parsers.parse("the directory of run `{run_id}` has a `_manifest.json`"))
def has_a_manifest(stage: Stage, shop: Shop, run_id: str) -> None:
    stage.shown = json.loads((shop.run_folder(run_id) / lay_out.MANIFEST).read_bytes())


@then(parsers.re(r"it decodes as a `(?P<shape>RunManifest|RunRow|Pull)`"))
def decodes_as(stage: Stage, shape: str) -> None:
    _shapes.assert_of(shape, stage.shown)


@then(parsers.parse("the parts are called `{names}`"))
def parts_are_called(shop: Shop, names: str) -> None:
    (manifest,) = shop.manifests()
    assert list(manifest.parts) == names.split(", ")
    assert shop.parts(manifest.run_id) == len(manifest.parts)


@when(parsers.parse("a run starts under an id of {length:d} chars"))
def run_starts_under(stage: Stage, shop: Shop, length: int) -> None:
    shop.fire("r" * length)
    stage.outcome = shop.fired.outcomes


@when(parsers.parse("a run starts under the id `{run_id}`"))
def run_starts_under_id(shop: Shop, run_id: str) -> None:
    shop.fire(run_id)
    assert not shop.store().root.exists()


@then(parsers.parse("each commit of run `{run_id}` names {count:d} parts"))
def each_commit_of_run_names(shop: Shop, run_id: str, count: int) -> None:
    assert [len(manifest.parts) for manifest in shop.manifests(run_id)] == [count]


@then(parsers.parse("`_row_seq` counts the rows from {first:d} to {last:d}"))
def row_seq_counts(shop: Shop, first: int, last: int) -> None:
    found = shop.select("SELECT _row_seq FROM it ORDER BY _batch_seq, id")
    assert [seq for (seq,) in found] == list(range(first, last + 1))


@then(parsers.re(rf"the schema has column `(?P<column>\w+)` as `{KIND}`"))
def schema_has(shop: Shop, column: str, kind: str) -> None:
    assert shop.store().schema(shop.stored()).types[column].value == kind


@then(parsers.parse("the row of run `{run_id}` has null in column `{column}`"))
def row_has_null(shop: Shop, run_id: str, column: str) -> None:
    assert shop.select(f"SELECT {column} FROM it WHERE _run_id = '{run_id}'") == [(None,)]


@then(parsers.parse("the keyed read returns for key `{key}` the row of run `{run_id}`"))
def keyed_read_returns(stage: Stage, shop: Shop, key: str, run_id: str) -> None:
    ((by, at_ms),) = shop.select(f"SELECT _run_id, epoch_ms(_ingested_at::TIMESTAMPTZ) FROM it WHERE id = '{key}'")
    assert by == run_id
    stage.shown = {"_ingested_at": instant.spell(at_ms)}


def _rows(name: str, count: int) -> list[Record]:
    return [{"id": f"{name}-{number}"} for number in range(count)]


def committed_beside(shop: Shop, run_id: str, rows: list[Record], at: str) -> None:
    """Land as a process with a catalog of its own does, which opened when the shop's did; the shop looks again."""
    known = shop.cursor().marker
    shop.known = shop.known or (None if known is None else known.run_id)
    _committed(shop, run_id, rows, at=at)
    newest = shop.store().newest(shop.stored(), SHOP)
    Cursors(shop.stage.rows, shop.stage.world).reconcile(shop.scope(), newest)


def _committed(
    shop: Shop, run_id: str, rows: list[Record], disk: Disk | None = None, *, at: str | None = None, by: str = SHOP
) -> Landed:
    """Land at the store itself, as whoever takes the run id for its own: an engine refuses one that was used."""
    (plan,) = compile.tables(shop.spec())
    world = SystemWorld(now_ms=shop.stage.world.now_ms())
    store = ParquetStore(shop.store().root, world, node_id=shop.node_id, disk=disk)
    stage = store.stage(Lot(plan.table, run_id, by, SITE, plan.cursor))
    stage.add(land.shape(plan.table, rows, stage.schema))
    at = at or position(run_id)
    newest = store.newest(shop.stored(), by)
    known = shop.known or (None if newest is None else newest.run_id)
    return stage.commit(at, known=known, attempts=(run_id,), admit=lambda: None)


def _at_once(count: int, act: Callable[[int], object]) -> None:
    start = threading.Barrier(count)
    failed: list[BaseException] = []

    def one(number: int) -> None:
        start.wait()
        try:
            act(number)
        except BaseException as error:  # noqa: BLE001 (a thread's error is the scenario's)
            failed.append(error)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def _ask(stage: Stage, question: Callable[[], object]) -> None:
    try:
        stage.outcome = question()
    except (contextful.ContextfulError, Failed) as refusal:
        stage.error = refusal
