"""Steps of connector.source: a server's answers, and walks over its pages."""

from __future__ import annotations

import json
from contextlib import closing

from pytest_bdd import given, parsers, then, when

from contextful.kernel.failure import Failed
from contextful.pipeline.pull import Ask
from tests.steps.script import Fire, Page, Scripted, nothing, position
from tests.steps.server import Server
from tests.steps.shop import Shop
from tests.steps.stage import Stage


@when(parsers.parse("a server answers {status:d}"))
def server_answers(stage: Stage, server: Server, status: int) -> None:
    server.status = status
    try:
        with closing(server.source(stage.world)) as source:
            source.pull(Ask(), idempotency_key="key")
    except Failed as failed:
        stage.error = failed


@when(parsers.parse("a server answers {status:d} with `Retry-After: {seconds:d}`"))
def server_answers_with(stage: Stage, server: Server, status: int, seconds: int) -> None:
    server.headers["Retry-After"] = str(seconds)
    server_answers(stage, server, status)


@when(parsers.parse("page {number:d} is pulled"))
def page_is_pulled(stage: Stage, shop: Shop, number: int) -> None:
    """What the port answers, under the names of the shape."""
    source = Scripted(shop.listing, Fire("r-1", pipeline="shop", crashes=stage.crashes), "orders", stage.sent)
    answer = source.pull(Ask(position(f"p{number - 1}")), idempotency_key="key")
    assert answer.position is not None
    stage.shown = {
        "rows": answer.records(),
        "cursor": json.loads(answer.position),
        "more": answer.more,
        "skipped": answer.skipped,
    }


@given(parsers.parse("a next-URL walk of {count:d} pages into an appending table"))
def next_url_walk(stage: Stage, shop: Shop, server: Server, count: int) -> None:
    server.walk(count)
    _declare(stage, shop, server)


@when("the listing gains a first row")
def listing_gains_a_row(shop: Shop, server: Server) -> None:
    """So that what stood at an address stands at the next one."""
    server.walk(len(server.pages) + 1, first=0)
    shop.listing.pages = [Page([{"id": at}], None) for at in range(len(server.pages))]


@given(parsers.parse("a next-URL walk whose page {count:d} points to page {back:d}"))
def looping_walk(stage: Stage, shop: Shop, server: Server, count: int, back: int) -> None:
    server.walk(count, last=f"/{back}")
    _declare(stage, shop, server)


@then(parsers.parse("{count:d} pages have been pulled"))
def pages_have_been_pulled(stage: Stage, shop: Shop, server: Server, count: int) -> None:
    """Of the script's pages or of the server's: a scenario has one of them."""
    assert len([pull for fire in shop.fires for pull in fire.pulls]) + len(server.asked) == count
    stage.shown = server.answers[-1] if server.answers else None


def _declare(stage: Stage, shop: Shop, server: Server) -> None:
    shop.pipeline["source"] = {"name": "http", "config": server.config()}
    shop.source = lambda *_: server.source(stage.world)
    shop.lists = server
    server.meets = lambda number: shop.fired.at_pull.get(number, nothing)()
