"""Steps of run.land: fires of several tables, and pulls that say the types of their columns."""

from __future__ import annotations

from pytest_bdd import given, parsers, then

import contextful
from tests.steps.shop import Shop, fails
from tests.steps.stage import Stage

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


@then(parsers.parse("table `{table}` is never pulled"))
def table_is_never_pulled(shop: Shop, table: str) -> None:
    assert table not in {pull.table for pull in shop.fired.pulls}


@then(parsers.re(r"the run of table `(?P<table>\w+)` closes `(?P<status>success|canceled)`"))
def run_of_table_closes(shop: Shop, table: str, status: str) -> None:
    assert shop.run(table).status == status
    assert len(shop.manifests(table=table)) == (status == "success")


@then(parsers.parse("the fire exits with {code:d}"))
def fire_exits_with(stage: Stage, code: int) -> None:
    assert isinstance(stage.error, contextful.ContextfulError)
    assert stage.error.exit_code == code
