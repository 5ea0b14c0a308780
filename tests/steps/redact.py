"""Steps of what is kept from the record: secrets that a guard finds, values that a table's rules remove."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.authority import mask, redact
from contextful.kernel import codec
from contextful.kernel.failure import Failed
from contextful.pipeline import compile, pull
from contextful.pipeline.prepare import Prepared
from contextful.pipeline.pull import Batch
from contextful.pipeline.spec import JobSpec
from contextful.run.journal import journal
from contextful.runner.bodies import Bodies
from contextful.runner.job import admit_effects
from contextful_contract.shapes import JobKind, RedactionOperation, RedactionRule
from tests.steps.script import Page, position
from tests.steps.shop import Shop
from tests.steps.stage import Stage

BY_EMAIL = [{"column": "email", "operation": "hash"}]
PADDING = "x" * 2_000


@given(parsers.parse("page {number:d} holds the secret `{secret}`"))
def page_holds_the_secret(shop: Shop, number: int, secret: str) -> None:
    page = shop.listing.pages[number - 1]
    page.rows = [{**row, "key": secret} for row in page.rows]


@given(parsers.parse("the rules `{rules}`"))
def the_rules(stage: Stage, shop: Shop, rules: str) -> None:
    shop.tables = ["people"]
    stage.scope = shop.scope()
    shop.table["redaction"] = tomllib.loads(f"it = {rules}")["it"]


@given("its table removes column `email` by prepared recording")
def removes_by_prepared_recording(shop: Shop) -> None:
    shop.table["redaction"] = BY_EMAIL
    for page in shop.listing.pages:
        page.rows = [{**row, "email": f"{row['id']}@example.org"} for row in page.rows]


@given("its table removes column `email` without prepared recording")
def removes_without(shop: Shop) -> None:
    shop.table["remove"] = ["email"]


@given("the source asserts `redacted = true`")
def source_asserts(shop: Shop) -> None:
    shop.listing.redacted = True


@given(parsers.parse("a table with {count:d} rules"))
def table_with_rules(stage: Stage, count: int) -> None:
    stage.named["rules"] = [RedactionRule(table="people", column="phone", operation=RedactionOperation.DROP)] * count


@given(parsers.parse("a rule whose pattern is `{pattern}`"))
def rule_with_pattern(stage: Stage, pattern: str) -> None:
    stage.named["rules"] = [
        RedactionRule(table="people", column="phone", operation=RedactionOperation.DROP, match=pattern)
    ]


@given(parsers.parse("the pepper `{pepper}`"))
def the_pepper(shop: Shop, pepper: str) -> None:
    shop.pepper = pepper.encode()


@when(parsers.parse("`{value}` is masked by `hash`"))
def is_masked(stage: Stage, shop: Shop, value: str) -> None:
    assert shop.pepper is not None
    stage.outcome = mask.digest(value, shop.pepper)


@then(parsers.parse("the result is `{text}`"))
def result_is(stage: Stage, text: str) -> None:
    assert stage.outcome == text


@when("the pepper changes")
def pepper_changes(shop: Shop) -> None:
    shop.pepper = b"another"


@when("it is validated")
def is_validated(stage: Stage) -> None:
    rules: Any = stage.named["rules"]
    try:
        redact.admit("people", rules)
        stage.outcome = rules
    except contextful.ContextfulError as refusal:
        stage.error = refusal


@when("a job whose body declares no effect types is validated for `people`")
def job_is_validated(stage: Stage, shop: Shop) -> None:
    (table,) = shop.spec().tables
    spec = JobSpec("score", JobKind.STORE_DRIVEN, body="score", statement="SELECT 1", tables=(table,))
    bodies = Bodies()
    bodies.register("score", effects=["ask"], implementation="d1")(print)
    try:
        admit_effects(compile.job(spec), bodies.body("score", job="score"))
    except Failed as failed:
        stage.error = failed


@when(parsers.parse("a row with `phone` `{value}` lands in `people`"))
def row_lands(stage: Stage, shop: Shop, value: str) -> None:
    shop.listing.pages = [Page([{"id": 1, "phone": value}], position("p1"), more=False)]
    shop.fire("r-1")
    assert stage.error is None


@when(parsers.parse("a journaled pull brings a row with `phone` `{value}`"))
def pull_brings(shop: Shop, value: str) -> None:
    _recorded(shop, [{"id": 1, "phone": value}], position("p1"))


@when(parsers.parse("a journaled pull brings {size:d} bytes of rows with `phone` `{value}`"))
def pull_brings_bytes(stage: Stage, shop: Shop, size: int, value: str) -> None:
    """What they hold has no pattern, so that no squeezing makes it short: the record goes to a blob."""
    count = size // len(PADDING)
    rows = [{"id": at, "phone": value, "note": f"{at * 7919:x}" * 400} for at in range(count)]
    _recorded(shop, rows, position("p1"))


@when("a source hands over a prepared payload")
def hands_over(shop: Shop) -> None:
    shop.listing.foreign = Prepared(pull.batch([{"id": 1}], position=None, more=False), "mine", ())
    _recorded(shop, [{"id": 1}], position("p1"))


@when(parsers.parse("a pull reports the position `{text}`"))
def reports_the_position(shop: Shop, text: str) -> None:
    _recorded(shop, [{"id": 1, "phone": "555-0199"}], position(text))


@when(parsers.parse("a run opens with `{column}` as its clock column"))
def run_opens_with_clock(stage: Stage, shop: Shop, column: str) -> None:
    shop.pipeline |= {"cursor": "monotonic", "incremental": column}
    shop.listing.pages = [Page([{"id": 1, column: 5}], position("p1"), more=False)]
    shop.fire()


@then("the run is refused before its first pull")
def refused_before(stage: Stage, shop: Shop) -> None:
    assert isinstance(stage.error, ExceptionGroup)
    assert shop.fired.pulls == []


@then("the pull is refused")
def pull_is_refused(stage: Stage) -> None:
    assert stage.run().error_kind == "SchemaIncompatible"


@then("the pull is recorded")
def pull_is_recorded(stage: Stage, shop: Shop) -> None:
    assert stage.run().error_kind is None
    assert _journal(stage, shop)


@then(parsers.parse("its `phone` reads `{value}`"))
def phone_reads(shop: Shop, value: str) -> None:
    assert shop.select("SELECT phone FROM it") == [(None if value == "null" else value,)]


@then(parsers.parse("no journal byte holds `{value}`"))
@then(parsers.parse("no landed byte holds `{value}`"))
@then(parsers.parse("no journal row and no blob contains `{value}`"))
def nothing_holds(stage: Stage, shop: Shop, value: str) -> None:
    """Not a file of the folder, not a page of the database, not a recorded batch once it is unpacked."""
    for path in shop.folder.rglob("*"):
        if path.is_file():
            assert value.encode() not in path.read_bytes(), path
    for batch in _journal(stage, shop):
        assert value.encode() not in pull.unpacked(batch)
    landed = shop.select("SELECT * FROM it") if shop.manifests(table=shop.tables[0]) else []
    assert value not in json.dumps(landed, default=str)


@then(parsers.parse("page {number:d} has been prepared {count:d} times"))
def has_been_prepared(shop: Shop, number: int, count: int) -> None:
    stages = [stage for fire in shop.fires for stage in fire.passed.get(number - 1, [])]
    assert stages.count("redact") == count


@then("it stops and names `CONTEXTFUL_PEPPER`")
def stops_and_names(stage: Stage) -> None:
    assert isinstance(stage.error, Failed)
    assert mask.PEPPER in str(stage.error)


def _recorded(shop: Shop, rows: list[dict[str, Any]], at: str) -> None:
    """Pull them, and die before what is recorded is let go."""
    shop.listing.pages = [Page(rows, at, more=False)]
    shop.fire(before_marker=shop.die)


def _journal(stage: Stage, shop: Shop) -> list[Batch]:
    """The batches that stand in any journal, or once did."""
    found = [held for held in map(_batch, shop.fired.committed) if held is not None]
    for row in stage.entries("recorded"):
        state = journal.from_row(row)
        assert isinstance(state, journal.Recorded)
        content = state.value.content if isinstance(state.value, journal.Inline) else _blob(stage, state.value)
        held = _batch(content)
        assert held is not None
        found.append(held)
    return found


def _batch(content: bytes) -> Batch | None:
    held = codec.decode(content)
    held = held.batch if isinstance(held, Prepared) else held
    return held if isinstance(held, Batch) else None


def _blob(stage: Stage, stored: journal.Stored) -> bytes:
    assert isinstance(stored, journal.Blob)
    return journal.found(stored, stage.blobs.get(stored.sha256))
