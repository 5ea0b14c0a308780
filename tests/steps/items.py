"""Steps of run.items: jobs whose rows complete one by one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.duckdb import DuckdbReads
from contextful.kernel.failure import Failed
from contextful.run import items
from contextful.runner.row import Row
from contextful.testing import Crash
from contextful_contract.shapes import IsolatedItems
from tests.steps.crew import DECLARED, NAME, Crew
from tests.steps.masks import Masks, policy
from tests.steps.shift import Threads
from tests.steps.stage import LEASE_LAPSED_MS, Stage

JOB = "score"
ALWAYS = 99


def _failing(tag: str, *, after: Callable[[Row], None] = lambda _: None) -> Callable[[Row], None]:
    def turn(row: Row) -> None:
        after(row)
        raise Failed(contextful.Failure(contextful.FailureTag(tag), "no luck"))

    return turn


@given("a job `score` without `isolated_items`")
def job_without_items(crew: Crew) -> None:
    crew.job(JOB)
    crew.specs[JOB] = replace(crew.specs[JOB], items=None)


@given(parsers.parse("an isolated job `score` with a budget of {count:d} attempts"))
def job_with_a_budget(crew: Crew, count: int) -> None:
    crew.job(JOB, attempts=count)


@given(parsers.parse("an isolated job `score` with `max_in_flight = {count:d}`"))
def job_with_slots(crew: Crew, count: int) -> None:
    """Items stay inside until as many are there as can be, or a moment has passed."""
    crew.job(JOB)
    crew.specs[JOB] = replace(crew.specs[JOB], max_in_flight=count)
    if count == 1:
        return
    crew.stage.world = Threads(now_ms=crew.stage.world.now_ms())

    def stays(_: Row) -> None:
        if crew.inside >= count:
            crew.full.set()
        crew.full.wait(0.05)

    for item in "abcdefgh":
        crew.turns[JOB, item] = [stays]


@given("an isolated job `score` with a delegated body")
def job_with_a_delegate(crew: Crew) -> None:
    crew.job(JOB)
    crew.specs[JOB] = replace(crew.specs[JOB], delegate=NAME)
    crew.asks = 2


@given("call 1 of item `a` is answered")
def call_is_answered(crew: Crew) -> None:
    """As every call is, but for one."""
    assert crew.delegate.unheard != 1


@given(parsers.parse("the process dies while call {number:d} of item `a` is unanswered"))
def process_dies_while(crew: Crew, number: int) -> None:
    crew.delegate.unheard = number


@given(parsers.parse("isolated jobs `{names}` over the namespace `customers`"))
def jobs_over_one_namespace(crew: Crew, names: str) -> None:
    for name in names.split(", "):
        crew.job(name)


@given(parsers.parse("input rows `{given_rows}`"))
@when(parsers.parse("the input rows become `{given_rows}`"))
def input_rows(crew: Crew, given_rows: str) -> None:
    crew.given = given_rows.split(", ")


@given(parsers.parse("the body fails `{tag}` for `{item}`"))
def body_fails(crew: Crew, tag: str, item: str) -> None:
    crew.turns[JOB, item] = [_failing(tag)] * ALWAYS


@given(parsers.parse("the body fails `{tag}` for `{item}` {count:d} times"))
def body_fails_times(crew: Crew, tag: str, item: str, count: int) -> None:
    crew.turns[JOB, item] = [_failing(tag)] * count


@given(parsers.parse("the body parks `{item}`"))
def body_parks(crew: Crew, item: str) -> None:
    def waits(row: Row) -> None:
        row.wait("approve", hold="0s")

    crew.turns[JOB, item] = [waits] * ALWAYS


@given(parsers.parse("the body pays for call 1 and then fails `{tag}` for `{item}` {count:d} times"))
def body_pays_and_fails(crew: Crew, tag: str, item: str, count: int) -> None:
    crew.turns[JOB, item] = [_failing(tag, after=lambda row: crew.call(JOB, row))] * count


@given(parsers.parse("the vendor throttles `{item}` once for {seconds:d} s"))
def vendor_throttles(crew: Crew, item: str, seconds: int) -> None:
    refused: list[bool] = []

    def ask() -> str:
        if not refused:
            refused.append(True)
            raise contextful.RateLimited("later", retry_after_ms=seconds * 1_000)
        return "now"

    crew.turns[JOB, item] = [lambda row: row.step("call", ask)] * 2


@given("the input table hashes its column `customer`")
def input_is_hashed(crew: Crew, masks: Masks) -> None:
    """A table of the store, which the job reads through the face."""
    masks.land(
        "shop_tickets", [{"id": each, "customer": _clear(each)} for each in crew.given], **policy("customer", "hash")
    )
    crew.reads = DuckdbReads(masks.shop.store(), masks.readings, pepper=masks.shop.pepper)
    crew.specs[JOB] = replace(crew.specs[JOB], statement="select id, customer from shop_tickets")


@given("job `grade` takes the lease of entity `a` from job `score`")
def another_takes_the_lease(crew: Crew) -> None:
    """Which stands still in its body meanwhile, past its own lease."""

    def stalls(_: Row) -> None:
        crew.stage.world.skip(LEASE_LAPSED_MS)
        crew.fire("grade")
        assert crew.landed("grade") == ["a"]

    crew.turns[JOB, "a"] = [stalls]


@when(parsers.parse("job `{job}` fires"))
def job_fires(crew: Crew, job: str) -> None:
    crew.fire(job)
    if isinstance(crew.stage.error, Crash):
        crew.resume(job)


@when(parsers.parse("job `score` fires {count:d} times"))
def job_fires_times(crew: Crew, count: int) -> None:
    for _ in range(count):
        crew.fire(JOB)


@when("item `a` of job `score` resumes")
def item_resumes(crew: Crew) -> None:
    crew.fire(JOB)
    assert isinstance(crew.stage.error, contextful.Stopped)


@when(parsers.parse("item `{item}` is identified twice, its `{what}` being `{first}` and then `{second}`"))
def item_is_identified_twice(stage: Stage, item: str, what: str, first: str, second: str) -> None:
    stage.named["items"] = [_identified(item, what, value) for value in (first, second)]


@then("no row has landed")
def no_row_has_landed(crew: Crew) -> None:
    assert crew.landed(JOB) == []


@then(parsers.parse("`_items` holds {count:d} rows"))
def items_hold(crew: Crew, count: int) -> None:
    assert len(crew.told.rows) == count


@then(parsers.parse("`_items` holds `{outcome}` for item `{item}` of job `{job}`"))
def items_hold_outcome(crew: Crew, outcome: str, item: str, job: str) -> None:
    (row,) = [row for row in crew.told.rows if (row.job, row.logical_key) == (job, item)]
    assert (row.outcome, row.entity_namespace, row.entity_key) == (outcome, "customers", item)
    run = crew.stage.onlooker().run(row.run_id)
    assert run is not None
    assert (run.execution_id, run.ended_ms) == (row.execution_id, row.ended_at)


@then(parsers.parse("the reason of item `{item}` starts with `{text}`"))
def reason_starts(crew: Crew, item: str, text: str) -> None:
    (row,) = [row for row in crew.told.rows if row.logical_key == item]
    assert row.reason is not None
    assert row.reason == f"{text}: no luck"


@then("every row of `_items` has an entity key of 32 chars")
def entity_keys_are_digests(crew: Crew) -> None:
    assert len(crew.told.rows) == len(crew.given)
    assert {len(row.entity_key) for row in crew.told.rows} == {32}


@then("no row of `_items` contains a clear key")
def no_clear_key(crew: Crew) -> None:
    told = "".join(map(str, crew.told.rows))
    assert not any(_clear(each) in told for each in crew.given)


@then(parsers.re(r"the (?P<which>logical|execution) identities (?P<verb>are equal|differ)"))
def identities(stage: Stage, which: str, verb: str) -> None:
    one, other = stage.named["items"]  # type: ignore[misc]
    name = "logical_id" if which == "logical" else "item_id"
    assert (getattr(one, name) == getattr(other, name)) == (verb == "are equal")


@then(parsers.parse("items `{given_rows}` have landed"))
def items_have_landed(crew: Crew, given_rows: str) -> None:
    assert sorted(crew.landed(JOB)) == given_rows.split(", ")


@then(parsers.re(r"(in job `(?P<job>\w+)` )?item `(?P<item>\w+)` has entered its body (?P<count>\d+) times"))
def item_has_entered(crew: Crew, job: str | None, item: str, count: str) -> None:
    assert len([each for each in crew.entered if each[:2] == (job or JOB, item)]) == int(count)


@then(parsers.re(r"(in job `(?P<job>\w+)` )?item `(?P<item>\w+)` reports `(?P<outcome>\w+)`"))
def item_reports(crew: Crew, job: str | None, item: str, outcome: str) -> None:
    assert crew.outcomes[job or JOB, item] == outcome


@then("the fire succeeds")
def fire_succeeds(crew: Crew) -> None:
    assert crew.fired is not None


@then("the fire does not succeed")
def fire_does_not_succeed(crew: Crew) -> None:
    assert crew.fired is None
    assert crew.stage.run().status is not contextful.RunStatus.SUCCESS


@then(parsers.parse("item `{item}` has spent {count:d} attempts"))
def item_has_spent(crew: Crew, item: str, count: int) -> None:
    assert crew.spent(JOB, item) == count


@then(parsers.parse("call {number:d} of item `{item}` is sent {count:d} times"))
def call_is_sent(crew: Crew, number: int, item: str, count: int) -> None:
    assert len([each for each in crew.sent if each[:3] == (JOB, item, number)]) == count


@then(parsers.parse("call {number:d} of item `{item}` has one idempotency key"))
def call_has_one_key(crew: Crew, number: int, item: str) -> None:
    assert len({key for *call, key in crew.sent if call == [JOB, item, number]}) == 1


@then(parsers.re(r"in job `score` item `(?P<item>\w+)` sends (?P<count>\d+) requests"))
def item_sends(crew: Crew, item: str, count: str) -> None:
    assert len([each for each in crew.sent if each[:2] == (JOB, item)]) == int(count)


@then(parsers.re(r"in job `score` item `(?P<item>\w+)` publishes (?P<count>\d+) rows"))
def item_publishes(crew: Crew, item: str, count: str) -> None:
    assert crew.landed(JOB).count(item) == int(count)


@then(parsers.parse("at most {count:d} items are in a body at once"))
def at_most_inside(crew: Crew, count: int) -> None:
    assert crew.inside_max == count, "as many as may be, and no more"


@then(parsers.parse("item `{first}` lands before item `{second}` enters again"))
def lands_before(crew: Crew, first: str, second: str) -> None:
    entries = [at_ms for job, item, at_ms in crew.entered if (job, item) == (JOB, second)]
    assert len(entries) == 2
    assert entries[0] <= crew.landed_at(JOB, first) < entries[1]


@then(parsers.parse("job `score` has fired {count:d} times"))
def job_has_fired(crew: Crew, count: int) -> None:
    assert crew.fires[JOB] == count


def _clear(item: str) -> str:
    return f"customer-of-{item}"


def _identified(item: str, what: str, value: str) -> items.Item:
    named = {"job": JOB, "policy": "p-1", "plan": "plan-a", "namespace": "customers", "row": json.dumps({"id": item})}
    named |= {what: value}
    policy = {"p-1": 3, "p-2": 4}[named["policy"]]
    declared: IsolatedItems = replace(
        DECLARED, entity_key=("id",), entity_namespace=named["namespace"], attempts=policy
    )
    rows = [{"id": "x"}] * (int(named.get("position", "1")) - 1) + [json.loads(named["row"])]
    return [items.item(named["job"], declared, named["plan"], row) for row in rows][-1]
