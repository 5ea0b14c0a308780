"""Steps of a pipeline's fires: what its source lists, where a fire ends, what it has pulled, staged and landed."""

from __future__ import annotations

import json

from pytest_bdd import given, parsers, then, when

from contextful.errors import StoreUnknownTable
from contextful.store import bound_time
from contextful_contract.shapes import RunStatus
from tests.steps.script import position
from tests.steps.shop import Shop, clock, fails
from tests.steps.stage import Stage, instant_ms


@given(parsers.parse("a source of {count:d} pages"))
def source_of_pages(shop: Shop, count: int) -> None:
    shop.listing.number(count)


@given(parsers.parse("a source of {count:d} pages of {rows:d} rows"))
def source_of_pages_and_rows(shop: Shop, count: int, rows: int) -> None:
    shop.listing.number(count, rows)


@given(parsers.parse("page {number:d} holds no rows"))
def page_without_rows(shop: Shop, number: int) -> None:
    shop.listing.pages[number - 1].rows = []


@given(parsers.parse("page {number:d} reports `skipped` {count:d}"))
def page_reports_skipped(shop: Shop, number: int, count: int) -> None:
    shop.listing.pages[number - 1].skipped = count


@given("the source declares that its pulls are not journaled")
def source_opts_out(shop: Shop) -> None:
    shop.listing.journaled = False


@given(parsers.parse("the table stands at position `{text}`"))
@given(parsers.parse("table `orders` stands at position `{text}`"))
def stands_at(shop: Shop, text: str) -> None:
    shop.stand_at(text)


@when("the fire runs")
def fire_runs(stage: Stage, shop: Shop) -> None:
    shop.fire()
    _see_execution(stage)


@when(parsers.parse("the fire runs as run `{run_id}`"))
def fire_runs_as(shop: Shop, run_id: str) -> None:
    shop.fire(run_id)


@when(parsers.parse("the fire runs at `{at}`"))
def fire_runs_at(stage: Stage, shop: Shop, at: str) -> None:
    stage.world.skip(instant_ms(at) - stage.world.now_ms())
    shop.fire()


@when("the next fire runs")
def next_fire_runs(stage: Stage, shop: Shop) -> None:
    shop.next_fire()
    _see_execution(stage)


@when(parsers.parse("the process dies during pull {number:d}"))
def dies_during_pull(shop: Shop, number: int) -> None:
    shop.dies(at_pull={number: shop.die})


@when(parsers.parse("the process dies between the record of pull {number:d} and its landing"))
def dies_after_the_record(shop: Shop, number: int) -> None:
    shop.dies(at_record={f"pull-{number - 1}": shop.die})


@when(parsers.parse("the process dies between the settled ledger and the record of pull {number:d}"))
def dies_after_the_ledger(shop: Shop, number: int) -> None:
    assert number == 1
    shop.dies(after_ledger=shop.die)


@then(parsers.parse("the request ledger holds {count:d} requests"))
def ledger_holds(shop: Shop, count: int) -> None:
    """A row a request, each of which went out under a key of its own and came back."""
    found = shop.ask(f"SELECT run_id, host, outcome, idempotency_key FROM {shop.stored()}__requests")
    assert {row[:3] for row in found} == {(shop.fired.run_id, "vendor.example", "ok")}
    assert sorted(row[3] for row in found) == sorted(shop.stage.sent[:count])
    assert len(found) == count


@when("the process dies before the commit")
def dies_before_the_commit(shop: Shop) -> None:
    shop.dies(before_marker=shop.die)


@when(parsers.parse("the process dies after the commit marker of `{text}` and before the retirement"))
def dies_after_the_marker(shop: Shop, text: str) -> None:
    """The source lists as many pages as lead to that position."""
    shop.listing.number(int(text.removeprefix("p")))
    shop.dies(after_marker=shop.die)
    assert shop.manifests()[-1].position == position(text)


@when(parsers.parse("pull {number:d} fails `{tag}`"))
def pull_fails(shop: Shop, number: int, tag: str) -> None:
    shop.fire(at_pull={number: fails(tag)})


@when(parsers.parse("page {number:d} changes at the source"))
def page_changes(stage: Stage, shop: Shop, number: int) -> None:
    page = shop.listing.pages[number - 1]
    stage.named["first"] = page.rows
    page.rows = [{**row, "id": row["id"] + 1_000} for row in page.rows]


@then(parsers.parse("the fire commits {count:d} times"))
def fire_commits(shop: Shop, count: int) -> None:
    assert len(shop.manifests(shop.fired.run_id)) == count


@then(parsers.parse("each commit names {count:d} parts"))
def each_commit_names(shop: Shop, count: int) -> None:
    assert {len(manifest.parts) for manifest in shop.manifests(shop.fired.run_id)} == {count}


@then(parsers.parse("page {number:d} has been pulled {count:d} times"))
def page_has_been_pulled(shop: Shop, number: int, count: int) -> None:
    assert [pull.page for fire in shop.fires for pull in fire.pulls].count(number) == count


@then(parsers.parse("{count:d} pulls have replayed"))
def pulls_have_replayed(shop: Shop, count: int) -> None:
    assert shop.fired.replayed == count


@then(parsers.parse("the next fire pulled from `{text}`"))
@then(parsers.parse("pull 1 asked for position `{text}`"))
def pulled_from(shop: Shop, text: str) -> None:
    assert stands(shop.fired.pulls[0].ask.position, text)


@then(parsers.parse("each row lands {count:d} times"))
@then(parsers.parse("each listed row lands {count:d} times"))
def each_row_lands(shop: Shop, count: int) -> None:
    """What stood there before has no id."""
    landed = dict(shop.select("SELECT id, count(*) FROM it WHERE id IS NOT NULL GROUP BY id"))
    assert landed == {row["id"]: count for page in shop.listing.pages for row in page.rows}


@then(parsers.parse("the table reads {count:d} rows"))
def table_reads(shop: Shop, count: int) -> None:
    assert rows_read(shop) == count


@then(parsers.parse("the table reads {count:d} rows as of `{bound}`"))
def table_reads_as_of(shop: Shop, count: int, bound: str) -> None:
    as_of_ms = bound_time.bound_ms(bound)
    assert as_of_ms is not None
    assert rows_read(shop, as_of_ms=as_of_ms) == count


@then(parsers.parse("the rows of page {number:d} are those of its first pull"))
def rows_of_the_first_pull(stage: Stage, shop: Shop, number: int) -> None:
    assert stage.named["first"] != shop.listing.pages[number - 1].rows
    landed = shop.select(f'SELECT id, page, "at" FROM it WHERE page = {number} ORDER BY id')
    assert [dict(zip(("id", "page", "at"), row, strict=True)) for row in landed] == stage.named["first"]


@then(parsers.parse("every row of page {number:d} has `{column}` as `{value}`"))
def rows_of_page_have(shop: Shop, number: int, column: str, value: str) -> None:
    found = shop.select(f"SELECT DISTINCT {column} FROM it WHERE page = {number}")
    assert [str(each) for (each,) in found] == [value]


@then(parsers.parse("every row of run `{run_id}` has `{column}` as `{value}`"))
def rows_of_run_have(shop: Shop, run_id: str, column: str, value: str) -> None:
    found = shop.select(f"SELECT DISTINCT {column} FROM it WHERE _run_id = '{run_id}'")
    assert [str(each) for (each,) in found] == [value]


@then("the parts are byte for byte those of an uninterrupted run")
def parts_are_the_same(shop: Shop) -> None:
    parts = shop.part_digests()
    assert len(parts) == len(shop.listing.pages)
    assert parts == shop.uninterrupted().part_digests()


@then(parsers.parse("the table stands at position `{text}`"))
@then(parsers.parse("table `orders` stands at position `{text}`"))
def table_stands_at(shop: Shop, text: str) -> None:
    assert stands(shop.cursor().position, shop.spelled.get(text) or text), shop.cursor()


@then(parsers.parse("the catalog cursor has the position `{text}`"))
def cursor_has(shop: Shop, text: str) -> None:
    assert stands(shop.cursor().position, text), shop.cursor()


@then(parsers.parse("the run manifest has the position `{text}`"))
def manifest_has(shop: Shop, text: str) -> None:
    assert stands(shop.manifests(shop.fired.run_id)[0].position, text)


@then(parsers.parse("the commit of `{text}` has been made {count:d} times"))
def commit_has_been_made(shop: Shop, text: str, count: int) -> None:
    assert len([made for made in shop.manifests() if made.parts and stands(made.position, text)]) == count


@then(parsers.parse("the run fails `{tag}`"))
def run_fails(stage: Stage, tag: str) -> None:
    assert (stage.run().status, stage.run().error_kind) == (RunStatus.FAILED, tag)


@then(parsers.re(r"the run counts (?P<count>\d+) (?P<what>rows|skipped)"), converters={"count": int})
def run_counts(stage: Stage, count: int, what: str) -> None:
    assert getattr(stage.run().counts, what) == count


@then("its owner is released")
def owner_is_released(stage: Stage) -> None:
    assert stage.owner() is None


@then("its owner is held")
def owner_is_held(stage: Stage) -> None:
    owner = stage.owner()
    assert owner is not None
    assert owner.attempts[-1] == stage.run_id


def stands(found: str | None, text: str) -> bool:
    """Whether a stored position is the one that a page spells: of a watermark, its value alone will do."""
    if found is None:
        return text == "none"
    held = json.loads(found)
    value = clock(text)
    return held == value or (isinstance(held, dict) and not isinstance(value, dict) and held.get("at") == value)


def rows_read(shop: Shop, **bounds: int | None) -> int:
    """How many rows the table reads; none where nothing was ever landed in it."""
    try:
        ((count,),) = shop.select("SELECT count(*) FROM it", **bounds)
    except StoreUnknownTable:
        return 0
    return int(count)


def _see_execution(stage: Stage) -> None:
    run = stage.onlooker().run(stage.run_id)
    if run is not None:
        stage.seen["execution ids"].append(run.execution_id)
