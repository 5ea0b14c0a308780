"""Steps of the read face: one SELECT, and how much of its answer is let through."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.duckdb import DuckdbReads
from contextful.kernel import digest
from contextful.ports.read_face import Answer
from tests.steps.shop import Shop
from tests.steps.stage import Stage


@given(parsers.parse("table `shop_orders` with {count:d} rows"))
def table_with_rows(shop: Shop, count: int) -> None:
    shop.land([{"a": number} for number in range(count)], "before")
    shop.set_up()


@when(parsers.parse("it is read with a ceiling of {ceiling:d} rows"))
def is_read_with_a_ceiling(stage: Stage, shop: Shop, ceiling: int) -> None:
    _read(stage, shop, "SELECT a FROM shop_orders", ceiling)


@when(parsers.re(r"`(?P<sql>SELECT a FROM shop_orders|DELETE FROM shop_orders|SELECT 1; SELECT 2)` is read"))
def statement_is_read(stage: Stage, shop: Shop, sql: str) -> None:
    """Over a table of one row."""
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


def _read(stage: Stage, shop: Shop, sql: str, ceiling: int) -> None:
    try:
        stage.outcome = DuckdbReads(shop.store(), ()).query(sql, rows_max=ceiling)
    except contextful.ContextfulError as refusal:
        stage.error = refusal


def _answer(stage: Stage) -> Answer:
    assert isinstance(stage.outcome, Answer)
    return stage.outcome


def _files(folder: Path) -> Mapping[str, str]:
    """Every file of the store, by what it holds."""
    return {str(path): digest.of_bytes(path.read_bytes()) for path in folder.rglob("context/**/*") if path.is_file()}
