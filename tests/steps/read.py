"""Steps of the read face: one SELECT, and how much of its answer is let through."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.duckdb import DuckdbReads
from contextful.faces.shapes import read_answer
from contextful.kernel import digest
from contextful.kernel.shape import to_json
from contextful.pipeline import compile
from contextful.ports.read_face import Answer
from contextful.store import respond
from contextful_contract.shapes import Grant, GrantAction
from tests.steps.shop import Shop
from tests.steps.stage import Stage, instant_ms


@given(parsers.parse("table `shop_orders` with {count:d} rows"))
def table_with_rows(shop: Shop, count: int) -> None:
    shop.land([{"a": number} for number in range(count)], "before")
    shop.set_up()


@when(parsers.parse("it is read with a ceiling of {ceiling:d} rows"))
def is_read_with_a_ceiling(stage: Stage, shop: Shop, ceiling: int) -> None:
    _read(stage, shop, "SELECT a FROM shop_orders", ceiling)


@given(parsers.parse("the grant has `max_rows` {most:d}"))
def grant_has_max_rows(stage: Stage, most: int) -> None:
    stage.named["grants"] = (Grant(actions=(GrantAction.READ,), tables=("shop_*",), max_rows=most),)


@when("`SELECT a FROM books_orders` is read")
def table_of_others_is_read(stage: Stage, shop: Shop) -> None:
    """It stands beside the shop's, and holds the same."""
    table_with_rows(shop, 1)
    tables = shop.store().root / "tables"
    shutil.copytree(tables / "shop_orders", tables / "books_orders")
    for manifest in (tables / "books_orders").rglob("_manifest.json"):
        manifest.write_text(manifest.read_text().replace("shop_orders", "books_orders"))
    assert DuckdbReads(shop.store(), ()).query("SELECT a FROM books_orders", rows_max=1).rows == [(0,)]
    _read(stage, shop, "SELECT a FROM books_orders", 10)


@when(parsers.parse("it is read as of `{at}`"))
def is_read_as_of(stage: Stage, shop: Shop, at: str) -> None:
    _read(stage, shop, "SELECT a FROM shop_orders", 10, as_of_ms=instant_ms(at))


@when(parsers.parse("the value `{value}` is answered"))
def value_is_answered(stage: Stage, value: str) -> None:
    stage.outcome = respond.cell(float(value) if value == "-inf" else int(value))


@when(parsers.re(r"`(?P<sql>SELECT a FROM shop_orders|DELETE FROM shop_orders|SELECT 1; SELECT 2)` is read"))
def statement_is_read(stage: Stage, shop: Shop, sql: str) -> None:
    """Over a table of one row, where nothing else has landed."""
    if not shop.manifests():
        table_with_rows(shop, 1)
    stage.named["files"] = _files(shop.folder)
    _read(stage, shop, sql, 10)


@when("a statement is read that takes longer than it has")
def long_statement_is_read(stage: Stage, shop: Shop) -> None:
    """It has a moment: a scenario does not wait for a minute."""
    stage.named["files"] = _files(shop.folder)
    try:
        DuckdbReads(shop.store(), (), time_ms_max=50).query("SELECT count(*) FROM range(1000000000000)", rows_max=1)
    except contextful.ContextfulError as refusal:
        stage.error = refusal


@then("it is answered")
def is_answered(stage: Stage) -> None:
    assert _answer(stage).rows == [(0,)]


@then("the store is unchanged")
def store_is_unchanged(stage: Stage, shop: Shop) -> None:
    assert _files(shop.folder) == stage.named["files"]


@then(parsers.parse("the answer has {count:d} rows"))
def answer_has_rows(stage: Stage, count: int) -> None:
    assert len(_answer(stage).rows) == count


@then("the answer is whole")
def answer_is_whole(stage: Stage) -> None:
    assert not _answer(stage).truncated


@then("the answer is truncated")
def answer_is_truncated(stage: Stage) -> None:
    assert _answer(stage).truncated


@then(parsers.parse("the answer has the keys `{keys}`"))
def answer_has_the_keys(stage: Stage, keys: str) -> None:
    assert list(to_json(read_answer(_answer(stage)))) == keys.split(", ")


@then(parsers.parse("the answer's bounds have `{name}` `{value}`"))
def answer_bounds_have(stage: Stage, name: str, value: str) -> None:
    as_of_ms = stage.named["as of"]
    assert isinstance(as_of_ms, int)
    assert to_json(read_answer(_answer(stage), as_of_ms=as_of_ms))["bounds"] == {name: value}


@then(parsers.parse("it is the JSON `{document}`"))
def is_the_json(stage: Stage, document: str) -> None:
    assert json.dumps(stage.outcome) == document


@then("the answer is the same as for `SELECT a FROM no_such_table`")
def answer_is_the_same(stage: Stage, shop: Shop) -> None:
    was, stage.error = stage.error, None
    _read(stage, shop, "SELECT a FROM no_such_table", 10)
    assert type(was) is type(stage.error)
    assert str(was).replace("books_orders", "no_such_table") == str(stage.error)


def _read(stage: Stage, shop: Shop, sql: str, ceiling: int, as_of_ms: int | None = None) -> None:
    grants = cast(Sequence[Grant] | None, stage.named.get("grants"))
    stage.named["as of"] = as_of_ms
    readings = [plan.reading for plan in compile.tables(shop.spec())]
    try:
        reads = DuckdbReads(shop.store(), readings, grants=grants, pepper=shop.pepper)
        stage.outcome = reads.query(sql, rows_max=ceiling, as_of_ms=as_of_ms)
    except contextful.ContextfulError as refusal:
        stage.error = refusal


def _answer(stage: Stage) -> Answer:
    assert isinstance(stage.outcome, Answer)
    return stage.outcome


def _files(folder: Path) -> Mapping[str, str]:
    """Every file of the store, by what it holds."""
    return {str(path): digest.of_bytes(path.read_bytes()) for path in folder.rglob("context/**/*") if path.is_file()}
