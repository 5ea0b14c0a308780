"""Steps of run.advance: cursors by their kind, clocks, walks and where they end."""

from __future__ import annotations

import json

from pytest_bdd import given, parsers, then, when

from tests.steps.fires import stands
from tests.steps.script import Page, Record, position
from tests.steps.shop import Shop, clocks
from tests.steps.stage import Stage


@when(parsers.parse("a cursor is declared with kind `{kind}`"))
def cursor_is_declared(stage: Stage, shop: Shop, kind: str) -> None:
    keys = {} if kind == "none" else {"cursor": kind}
    clock = {"incremental": "at"} if kind == "monotonic" else {}
    shop.pipeline = {**shop.pipeline, **keys, **clock}
    try:
        stage.shown = {"kind": shop.spec().cursor}
    except ExceptionGroup as faults:
        stage.error = faults


@given(parsers.parse("a `monotonic` source over the field `{field}`"))
def monotonic_over(shop: Shop, field: str) -> None:
    _monotonic(shop, field)
    shop.listing.pages = [Page([{"id": 1, field: 5}], position("end"), more=False)]


@given(parsers.parse("a `monotonic` source with a row at each of the clocks `{text}`"))
def monotonic_with_rows(shop: Shop, text: str) -> None:
    _monotonic(shop, "at")
    shop.listing.pages = [Page(_rows(text), position("end"), more=False)]


@given(parsers.parse("a `monotonic` walk from floor `{text}`"))
def monotonic_walk(shop: Shop, text: str) -> None:
    _monotonic(shop, "at")
    shop.stand_at(text)


@given(
    parsers.re(r"its pull \d returns the clocks `(?P<text>[^`]+)`, position `(?P<at>\d+)` and (?P<more>no more|more)")
)
def pull_returns(shop: Shop, text: str, at: str, more: str) -> None:
    shop.listing.pages.append(Page(_rows(text), position(int(at)), more=more == "more"))


@given(parsers.parse("its positions are `{text}`"))
def positions_are(shop: Shop, text: str) -> None:
    """Positions that mean something to the connector alone; the last of them is this one."""
    shop.listing.pages[-1].after = position(json.loads(text))


@when(parsers.parse("it commits the clock `{text}`"))
def commits_the_clock(stage: Stage, shop: Shop, text: str) -> None:
    shop.listing.pages[0].rows = [{"id": 1, shop.pipeline["incremental"]: text}]
    shop.fire()
    assert stage.error is None


@when("`incremental` is turned on")
def incremental_is_turned_on(shop: Shop) -> None:
    _monotonic(shop, "at")


@then(parsers.parse("rows with the clocks `{text}` are admitted"))
def rows_are_admitted(stage: Stage, shop: Shop, text: str) -> None:
    """The rows that the last fire has landed, in the order in which it did."""
    assert stage.error is None
    found = shop.select(f"SELECT \"at\" FROM it WHERE _run_id = '{shop.fired.run_id}' ORDER BY _row_seq")
    assert [at for (at,) in found] == clocks(text)


@then(parsers.parse("pull 2 asked for position `{text}`"))
def second_pull_asked(shop: Shop, text: str) -> None:
    assert stands(shop.fired.pulls[1].ask.position, text)


def _monotonic(shop: Shop, field: str) -> None:
    shop.pipeline = {**shop.pipeline, "cursor": "monotonic", "incremental": field}


def _rows(text: str) -> list[Record]:
    return [{"id": str(at), "at": at} for at in clocks(text)]
