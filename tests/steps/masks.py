"""Steps of masks: what a table's policy lets readers see of a column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from contextful.adapters.duckdb import DuckdbReads
from contextful.authority import mask
from contextful.faces.profile import Project
from contextful.kernel.failure import Failed
from contextful.pipeline import compile
from contextful.ports.read_face import Answer
from contextful.store.declare import Reading
from contextful_contract import limits
from contextful_contract.shapes import Grant, GrantAction
from tests.steps.shop import Shop
from tests.steps.stage import Stage

ADDRESSES = ["ann@example.org", "bob@example.org", None]


class Masks:
    """Tables of the shop, and what was declared of each as it landed."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self.readings: list[Reading] = []

    def land(self, table: str, rows: list[dict[str, Any]], **declared: Any) -> None:
        """Land these rows in a table of the store's, so declared."""
        self.shop.tables, self.shop.table = [table.removeprefix("shop_")], declared
        self.shop.land(rows, f"{table}-1")
        self.shop.set_up()
        self.readings += [plan.reading for plan in compile.tables(self.shop.spec())]

    def read(self, sql: str, *grants: Grant) -> Answer:
        """What the holder of these grants is answered."""
        reads = DuckdbReads(self.shop.store(), self.readings, grants=grants or None, pepper=self.shop.pepper)
        return reads.query(sql, rows_max=100)


def policy(column: str, strategy: str) -> dict[str, Any]:
    """A table's policy about one column."""
    return {"policy": {"columns": {column: {"class": "pii", "strategy": strategy}}}}


@pytest.fixture
def masks(shop: Shop) -> Masks:
    """A shop in which nothing has landed yet."""
    return Masks(shop)


@given(parsers.parse("column `{column}` of table `{table}` with the strategy `{strategy}`"))
def column_with_the_strategy(masks: Masks, column: str, table: str, strategy: str) -> None:
    masks.land(table, [{column: address} for address in ADDRESSES], **policy(column, strategy))


@given("column `email` of table `shop_people` hashed as it was written")
def hashed_as_written(masks: Masks) -> None:
    rules = [{"column": "email", "operation": "hash"}]
    masks.land("shop_people", [{"email": address} for address in ADDRESSES], redaction=rules)


@given("column `email` of table `shop_orders` hashed as it is read")
def hashed_as_read(masks: Masks) -> None:
    masks.land("shop_orders", [{"email": address} for address in ADDRESSES], **policy("email", "hash"))


@given("`CONTEXTFUL_PEPPER` is not set")
def pepper_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(mask.PEPPER, raising=False)


@given(parsers.parse("tables `{tables}`"))
def tables_stand(masks: Masks, tables: str) -> None:
    """Each has a column that the others have not, named by its letter."""
    for letter, table in zip("abc", tables.split(", "), strict=True):
        masks.land(table, [{"id": 1, letter: 1}])


@when("a reader without an exception selects `email`")
def reader_without_an_exception(stage: Stage, masks: Masks) -> None:
    stage.outcome = masks.read("SELECT email FROM shop_people", Grant(actions=(GrantAction.READ,), tables=("shop_*",)))


@when("a reader with an exception selects `email`")
def reader_with_an_exception(stage: Stage, masks: Masks) -> None:
    excepted = Grant(actions=(GrantAction.READ,), tables=("shop_*",), unmasked=("pii",))
    stage.outcome = masks.read("SELECT email FROM shop_people", excepted)


@when("the process starts")
def process_starts(stage: Stage, shop: Shop, tmp_path: Path) -> None:
    (tmp_path / "contextful.toml").write_text(shop.manifest())
    try:
        Project.open(tmp_path).close()
    except Failed as failed:
        stage.error = failed


@when("the two tables are joined on `email`")
def tables_are_joined(stage: Stage, masks: Masks) -> None:
    stage.outcome = masks.read("SELECT count(*) FROM shop_people JOIN shop_orders USING (email)")


@when("`SELECT a FROM shop_orders JOIN shop_items USING (id)` is read")
def join_is_read(stage: Stage, masks: Masks) -> None:
    stage.outcome = masks.read("SELECT a FROM shop_orders JOIN shop_items USING (id)")


@then(parsers.parse("it reads digests of {width:d} chars"))
def reads_digests(stage: Stage, width: int) -> None:
    read = _read(stage)
    assert width == limits.MASK_HASH_WIDTH_CHARS
    assert [None if value is None else len(value) for value in read] == [width, width, None]
    assert len(set(read)) == len(ADDRESSES)


@then("it reads no clear value")
@then("it answers no clear value")
def reads_no_clear_value(stage: Stage) -> None:
    assert any(value is not None for value in _read(stage))
    assert not set(filter(None, ADDRESSES)) & set(_read(stage))


@then("it reads the clear values")
def reads_the_clear_values(stage: Stage) -> None:
    assert _read(stage) == ADDRESSES


@then("it reads nulls")
def reads_nulls(stage: Stage) -> None:
    assert _read(stage) == [None] * len(ADDRESSES)


@then("each pair of equal addresses joins")
def each_pair_joins(stage: Stage) -> None:
    assert _read(stage) == [len(ADDRESSES) - 1]


@then(parsers.parse("the tables `{tables}` have a snapshot id in the answer"))
def tables_have_a_snapshot_id(stage: Stage, tables: str) -> None:
    assert isinstance(stage.outcome, Answer)
    assert sorted(stage.outcome.snapshots) == tables.split(", ")
    assert all(stage.outcome.snapshots.values())


def _read(stage: Stage) -> list[Any]:
    assert isinstance(stage.outcome, Answer), stage.error
    return [value for (value,) in stage.outcome.rows]
