"""Steps of store.push, store.pull and store.merge."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest
from pytest_bdd import given, parsers, then, when

from contextful.adapters.corpus import GUARD
from contextful.faces import cli
from contextful.faces.manifest import MANIFEST
from contextful.runner.push import standing
from contextful.store import lay_out, push
from contextful.testing import Crash
from tests.steps.carry import Carriage, lands_to, reads
from tests.steps.manifest import SHOP
from tests.steps.script import position
from tests.steps.shop import Shop
from tests.steps.stage import Stage

IDLE = "idle"


@given("a project that pushes after each run")
def pushes_after_each_run(carriage: Carriage) -> None:
    carriage.sets(push_after_run=True)


@given("a project that pulls before each run")
def pulls_before_each_run(carriage: Carriage) -> None:
    carriage.sets(pull_before_run=True)


@given(parsers.parse("`pull_tables` lists `{table}`"))
def pull_tables_lists(carriage: Carriage, shop: Shop, table: str) -> None:
    carriage.sets(pull_tables=[shop.stored(table)])


@given("the bucket does not answer")
def bucket_does_not_answer(carriage: Carriage) -> None:
    shutil.rmtree(carriage.folder)


@given(parsers.parse("the bucket has {count:d} rows of table `{table}` that this node has not"))
def bucket_has_rows(carriage: Carriage, count: int, table: str) -> None:
    carriage.has(count, table=table)


@pytest.fixture
def held() -> Iterator[ExitStack]:
    """What other processes hold."""
    with ExitStack() as stack:
        yield stack


@given(parsers.parse("process `{pid}` holds the push guard"))
def holds_the_guard(carriage: Carriage, held: ExitStack, pid: str) -> None:
    root = carriage.shop.store().root
    root.mkdir(parents=True, exist_ok=True)
    handle = held.enter_context((root / GUARD).open("w"))
    fcntl.flock(handle, fcntl.LOCK_EX)
    handle.write(f"{pid}\n")
    handle.flush()


@given(parsers.parse("node `{node}` has pushed run `{run_id}` of {count:d} rows"))
def has_pushed(carriage: Carriage, node: str, run_id: str, count: int) -> None:
    carriage.node(node).land([{"id": number} for number in range(count)], run_id)
    carriage.carrying(node).push()


@given(parsers.parse("node `{node}` has run `{run_id}` with a column more"))
def has_a_column_more(carriage: Carriage, node: str, run_id: str) -> None:
    carriage.node(node).land([{"id": 100, "more": "b"}], run_id)


@given(parsers.parse("run `{run_id}` of pipeline `shop` has committed position `{text}`"))
def has_committed(carriage: Carriage, run_id: str, text: str) -> None:
    lands_to(carriage.shop, run_id, text)


@given(parsers.parse("node `{one}` has run `{run_id}` and node `{other}` has run `{another}`"))
def both_have_runs(carriage: Carriage, one: str, run_id: str, other: str, another: str) -> None:
    lands_to(carriage.node(one), run_id, "p1")
    lands_to(carriage.node(other), another, "p1")


@given(parsers.parse("another node replaces the bucket's manifest before each of the next {count:d} commits"))
def replaces_before_commits(carriage: Carriage, count: int) -> None:
    carriage.bucket.before_write = [carriage.touch] * count


@given(parsers.parse("the bucket changes during each of the next {count:d} pulls"))
def changes_during_pulls(carriage: Carriage, count: int) -> None:
    """After a pull has read the manifest, and before it looks again."""
    carriage.bucket.after_read = [carriage.touch, lambda: None] * count


@given(parsers.parse("node `n-1` pushed a cursor at `{text}` whose run was collected"))
def pushed_a_cursor(carriage: Carriage, shop: Shop, text: str) -> None:
    """It is another than the scenario's, and nothing but what it says of its runs is there any more."""
    carriage.nodes = {"n-2": shop}
    lands_to(carriage.node("n-1"), "r-1", text)
    carriage.carrying("n-1").push()
    found = standing(carriage.bucket)
    entries = {key: entry for key, entry in found.manifest.entries.items() if f"/{push.NODES}/" in key}
    carriage.bucket.put(push.MANIFEST, push.to_json(replace(found.manifest, entries=entries)), over=found.version)
    shop.listing.number(2)
    shop.listing.begins.add(position(text))


@given("an object in the bucket was altered")
def object_was_altered(carriage: Carriage) -> None:
    carriage.has(3, table="orders")
    keys = [key for key in carriage.bucket.keys("") if key.endswith("part-00000.parquet")]
    found = carriage.bucket.get(keys[0])
    assert found is not None
    carriage.bucket.put(keys[0], b"x" + found.content[1:], over=found.version)
    carriage.stage.named["altered"] = keys[0].removeprefix(f"{SHOP}/")


@when("the node pushes")
def node_pushes(stage: Stage, carriage: Carriage, shop: Shop) -> None:
    """From a folder in which more stands than has been committed."""
    root = shop.store().root
    folder = root / lay_out.run_folder(shop.stored(), "r-in-flight", shop.node_id)
    (folder / f"0000{lay_out.STAGING}").mkdir(parents=True)
    for path in (root / "machine.sqlite", root / "config.toml", folder / "part-00000.parquet"):
        path.write_bytes(b"left behind")
    (folder / f"0000{lay_out.STAGING}" / "00000.arrow").write_bytes(b"left behind")
    carriage.attempt(carriage.carrying().push)


@when("the process dies before the bucket's manifest")
def dies_before_the_manifest(carriage: Carriage) -> None:
    def die() -> None:
        raise Crash

    carriage.bucket.before_write = [die]
    with pytest.raises(Crash):
        carriage.carrying().push()


@when("both push at once")
def both_push(carriage: Carriage) -> None:
    """The one has read the manifest by the time that the other replaces it."""
    carriage.bucket.before_write = [lambda: carriage.carrying("n-2").push()]
    carriage.carrying("n-1").push()


@when(parsers.parse("node `{node}` pulls"))
def other_node_pulls(carriage: Carriage, node: str) -> None:
    carriage.carrying(node).pull()


@when("the node pulls")
def node_pulls(carriage: Carriage) -> None:
    carriage.attempt(carriage.carrying().pull)


@when("`contextful run start` runs")
def run_start_runs(stage: Stage, shop: Shop) -> None:
    """Of a pipeline of its own, whose source has a row."""
    (shop.folder / "data").mkdir(parents=True, exist_ok=True)
    (shop.folder / "data" / "orders.ndjson").write_text('{"id": 1}\n')
    (shop.folder / MANIFEST).write_text(shop.manifest(SHOP, IDLE))
    stage.outcome = cli.run(["run", "start", IDLE, "--project", str(shop.folder)])


@then(parsers.parse("the bucket has the manifest of run `{run_id}`"))
def bucket_has_the_manifest(carriage: Carriage, run_id: str) -> None:
    assert run_id in carriage.run_manifests()


@then(parsers.parse("the table reads {count:d} rows on node `{node}`"))
def table_reads_on(carriage: Carriage, count: int, node: str) -> None:
    assert reads(carriage.node(node), "orders") == count


@then(parsers.re(r"table `(?P<table>orders|items)` reads (?P<count>\d+) rows"), converters={"count": int})
def table_reads(shop: Shop, table: str, count: int) -> None:
    assert reads(shop, table) == count


@then(parsers.parse("the bucket's run state names run `{run_id}` and position `{text}` for pipeline `shop`"))
def run_state_names(carriage: Carriage, run_id: str, text: str) -> None:
    state = carriage.state()
    assert state.started[SHOP][0] == run_id
    assert [(cursor.pipeline_id, cursor.run_id, cursor.position) for cursor in state.cursors] == [
        (SHOP, run_id, position(text))
    ]


@then("the bucket holds no machine database, no `config.toml`, no lock and no staged part")
def holds_none_of_these(carriage: Carriage) -> None:
    assert carriage.stage.error is None
    objects = carriage.bucket.keys("")
    assert [key.split("@")[0] for key in objects] == [
        "manifest.json",
        f"shop/nodes/{carriage.shop.node_id}/run-state.json",
    ]


@then("the object is not in the store")
def object_is_not_in_the_store(carriage: Carriage) -> None:
    assert not (carriage.shop.store().root / str(carriage.stage.named["altered"])).exists()
    assert reads(carriage.shop, "orders") == 0


@then(parsers.parse("the bucket holds the record of run `{run_id}`"))
def holds_the_record(carriage: Carriage, run_id: str) -> None:
    """Whoever pulls it reads of it."""
    carriage.carrying("n-2").pull()
    held = [row for batch in carriage.node("n-2").run_table().batches() for row in batch if row["run_id"] == run_id]
    assert [row["phase"] for row in held] == ["plan", "commit"]
