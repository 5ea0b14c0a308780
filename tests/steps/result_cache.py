"""Steps of the result cache: a statement that is read twice, and how often it has run."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from pytest_bdd import given, parsers, then, when

from contextful.adapters.answers import Answers, RememberedReads
from contextful.adapters.duckdb import DuckdbReads
from contextful.pipeline import compile
from contextful.store.cache import Caller
from tests.steps.shop import Shop
from tests.steps.stage import instant_ms

SQL = "SELECT a FROM shop_orders"
BYTES_MAX = 1 << 20


@dataclass
class Kept:
    """A face that keeps answers, who asks it, and how often it has been asked."""

    shop: Shop
    answers: Answers = field(default_factory=lambda: Answers(BYTES_MAX))
    caller: Caller = field(default_factory=Caller)
    asked: int = 0

    def read(self, **bounds: int) -> None:
        """Read the statement, once."""
        readings = [plan.reading for plan in compile.tables(self.shop.spec())]
        reads = RememberedReads(DuckdbReads(self.shop.store(), readings), self.answers, self.caller)
        assert reads.query(SQL, rows_max=10, **bounds).rows[0] == (1,)
        self.asked += 1


@pytest.fixture
def kept(shop: Shop) -> Kept:
    """A face that has answered nothing yet."""
    return Kept(shop)


@given(parsers.re("table `shop_orders` (?P<how>with|without) `result_cache`"))
def table_with_result_cache(shop: Shop, how: str) -> None:
    shop.table["result_cache"] = how == "with"
    shop.land([{"a": 1}], "s-1")


@when("one statement over it is read 2 times")
def is_read_twice(kept: Kept) -> None:
    kept.read()
    kept.read()


@when(parsers.parse("one statement over it is read 2 times, its `{what}` being `{first}` and then `{then}`"))
def is_read_with_another(kept: Kept, what: str, first: str, then: str) -> None:
    for number, each in enumerate([first, then]):
        match what:
            case "available_as_of":
                kept.read(available_as_of_ms=instant_ms(each))
                continue
            case "token":
                kept.caller = replace(kept.caller, token_id=each)
            case "revocation epoch":
                kept.caller = replace(kept.caller, revocation_epoch=int(each))
            case _:
                assert what == "snapshot", what
                if number:
                    kept.shop.land([{"a": 2}], each)
        kept.read()


@then(parsers.parse("it has run {count:d} times"))
def has_run(kept: Kept, count: int) -> None:
    assert kept.asked - kept.answers.hits == count
