"""Steps of run.record about what a table had no type for: how it arrived, what landed, and where that is told."""

from __future__ import annotations

import json

from pytest_bdd import given, parsers, then, when

from contextful.kernel.shape import to_json
from contextful.store import lay_out
from tests.steps.script import Page, position
from tests.steps.shop import Shop, fails
from tests.steps.stage import Stage

RUN = "r-1"


@given(parsers.parse("the nested column `{path}` of table `orders` arrives as a map and lands as text"))
def nested_column_arrives(shop: Shop, path: str) -> None:
    """The run stands with that staged."""
    column, _, field = path.partition(".")
    row = {"id": 1, column: {field: {"a": "1", "b": "2"}}}
    shop.listing.pages = [
        Page([row], position("first"), types={path: "map of utf8"}),
        Page([{"id": 2}], position("last"), more=False),
    ]
    shop.hold(1, RUN)


@when(parsers.parse("run `{run_id}` fails after its stage"))
def fails_after_its_stage(shop: Shop, run_id: str) -> None:
    shop.release(run_id, fails("Permanent"))


@then(parsers.parse("its history has {count:d} downgrade events"))
def history_has(stage: Stage, shop: Shop, count: int) -> None:
    found = [to_json(event) for event in shop.store().schema_diff(shop.stored(), RUN)]
    assert len(found) == count
    stage.named["downgrades"] = found


@then("its manifest has the same downgrade events")
def manifest_has_the_same(stage: Stage, shop: Shop) -> None:
    held = json.loads((shop.run_folder(RUN) / lay_out.MANIFEST).read_bytes())
    assert held["schema_diff"] == stage.named["downgrades"]
