"""Steps of store.bound-time: rows that say from when on they could be known, and reads under two bounds."""

from __future__ import annotations

from pytest_bdd import given, parsers, then, when

from contextful.store import bound_time
from tests.steps.fires import rows_read
from tests.steps.shop import Shop
from tests.steps.stage import Stage, instant_ms


@given(parsers.parse("a table with rows available at `{instants}`"))
def rows_available_at(shop: Shop, instants: str) -> None:
    shop.table["available_time"] = "known"
    shop.land([{"id": at, "known": each} for at, each in enumerate(instants.split(", "))], "r-1")
    shop.set_up()


@given(parsers.parse("a table with a row available at `{available}` and committed at `{at}`"))
def row_available_and_committed(stage: Stage, shop: Shop, available: str, at: str) -> None:
    stage.world.skip(instant_ms(at) - stage.world.now_ms())
    rows_available_at(shop, available)


@when(parsers.parse("the table is read under the bounds `as_of` `{as_of}` and `available_as_of` `{available}`"))
def read_under_the_bounds(stage: Stage, shop: Shop, as_of: str, available: str) -> None:
    """Under each of them alone it may well read more."""
    either = [{"as_of_ms": _ms(as_of)}, {"available_as_of_ms": _ms(available)}]
    stage.outcome = rows_read(shop, **either[0], **either[1])
    assert [rows_read(shop, **bound) for bound in either] == [0, 1]


@then(parsers.parse("the read returns {count:d} rows"))
def read_returns(stage: Stage, count: int) -> None:
    assert stage.outcome == count


@then(parsers.parse("the table reads {count:d} rows available as of `{bound}`"))
def table_reads_available(shop: Shop, count: int, bound: str) -> None:
    assert rows_read(shop, available_as_of_ms=_ms(bound)) == count


def _ms(text: str) -> int | None:
    return bound_time.bound_ms(text)
