"""Steps of run.land: fires of several tables, and pulls that say the types of their columns."""

from __future__ import annotations

import json
import tomllib
from typing import cast

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.kernel.failure import Failed
from contextful.pipeline import reshape
from contextful_contract.shapes import RunStatus
from tests.steps.script import Record
from tests.steps.shop import Shop, clock, fails
from tests.steps.stage import Stage
from tests.steps.store import typed

AT = "2026-03-01T00:00:00Z"


@given(parsers.parse("a fire of pipeline `shop` over tables `{tables}`"))
def fire_over_tables(shop: Shop, tables: str) -> None:
    shop.tables = tables.split(", ")
    shop.listing.number(1)


@given(parsers.parse("table `{table}` fails `{tag}`"))
def table_fails(shop: Shop, table: str, tag: str) -> None:
    shop.listing.failing[table] = fails(tag)


@given(parsers.re(r"it declares `(?P<key>on_table_error|destination)` as `(?P<value>[^`]+)`"))
def pipeline_declares(shop: Shop, key: str, value: str) -> None:
    shop.pipeline = {**shop.pipeline, key: value}


@given(parsers.parse("page {number:d} declares column `{column}` as `{kind}`"))
def page_declares(shop: Shop, number: int, column: str, kind: str) -> None:
    """Its rows hold instants there; later pages have no such column."""
    page = shop.listing.pages[number - 1]
    page.types = {column: kind}
    page.rows = [{**row, column: AT} for row in page.rows]
    for later in shop.listing.pages[number:]:
        later.rows = [{name: value for name, value in row.items() if name != column} for row in later.rows]


@given(parsers.parse("page {number:d} has column `{column}` as `{kind}`"))
def page_has_column(shop: Shop, number: int, column: str, kind: str) -> None:
    page = shop.listing.pages[number - 1]
    page.rows = [{**row, column: typed(kind)} for row in page.rows]


@when("the source is repaired")
def source_is_repaired(shop: Shop) -> None:
    """Its rows have no column any more that the table cannot take."""
    for page in shop.listing.pages:
        page.rows = [{name: value for name, value in row.items() if name != "ts"} for row in page.rows]


@then(parsers.parse("batch {ordinal:d} has passed `{stages}` in this order"))
def batch_has_passed(shop: Shop, ordinal: int, stages: str) -> None:
    assert shop.fired.passed[ordinal] == stages.split(", ")


@given(parsers.parse("the transform drops the row of clock `{text}`"))
def transform_drops(shop: Shop, text: str) -> None:
    shop.pipeline["transforms"] = [{"where": "at", "is_not": [clock(text)]}]


@given(parsers.re(r"a row `(?P<row>\{[^`]*\})`"))
def a_row(stage: Stage, row: str) -> None:
    stage.named["row"] = json.loads(row)


@when(parsers.parse("it is normalized {levels:d} levels deep"))
def is_normalized(stage: Stage, levels: int) -> None:
    try:
        stage.outcome = reshape.normalized([cast(Record, stage.named["row"])], levels)
    except Failed as refusal:
        stage.error = refusal


@when(parsers.parse("it passes the transforms `{chain}`"))
def passes_the_transforms(stage: Stage, shop: Shop, chain: str) -> None:
    shop.pipeline["transforms"] = tomllib.loads(f"it = {chain}")["it"]
    stage.outcome = reshape.transformed([cast(Record, stage.named["row"])], shop.spec().transforms)


@then(parsers.parse("it is `{row}`"))
def row_is(stage: Stage, row: str) -> None:
    assert stage.outcome == [json.loads(row)]


@then("it is gone")
def row_is_gone(stage: Stage) -> None:
    assert stage.outcome == []


@then(parsers.parse("table `{table}` is never pulled"))
def table_is_never_pulled(shop: Shop, table: str) -> None:
    assert table not in {pull.table for pull in shop.fired.pulls}


@then(parsers.parse("the run of table `{table}` closes `success`"))
def run_of_table_closes(stage: Stage, shop: Shop, table: str) -> None:
    run = stage.onlooker().run(f"{shop.fired.run_id}.{table}")
    assert run is not None
    assert run.status is RunStatus.SUCCESS
    assert len(shop.manifests(table=table)) == 1


@then(parsers.parse("the fire exits with {code:d}"))
def fire_exits_with(stage: Stage, code: int) -> None:
    assert isinstance(stage.error, contextful.ContextfulError)
    assert stage.error.exit_code == code
