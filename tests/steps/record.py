"""Steps of run.record: what a run's row says while it runs and after, and how history is asked for."""

from __future__ import annotations

import tomllib
from datetime import date

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.sqlite import SqliteRows
from contextful.faces import cli
from contextful.faces.manifest import MANIFEST
from contextful.faces.profile import Project
from contextful.faces.shapes import history_page
from contextful.kernel.change import Update
from contextful.kernel.shape import to_json
from contextful.kernel.table import Row, Select
from contextful.run import record
from contextful.run.history import since_ms
from contextful.run.own import own
from contextful.run.shown import run_row
from contextful.testing import CrashingRows
from contextful_contract.shapes import RunStatus
from tests.steps.manifest import SITE
from tests.steps.project import engine_starts
from tests.steps.script import Act
from tests.steps.shop import Shop, fails
from tests.steps.stage import SCOPE, Stage, instant_ms
from tests.steps.world import BeatingWorld

LEASE_S = 30


@when(parsers.parse("run `{run_id}` is shown"))
def run_is_shown(stage: Stage, run_id: str) -> None:
    run = stage.onlooker().run(run_id)
    stage.shown = None if run is None else to_json(run_row(run))


@then("no run row is found")
def no_run_row(stage: Stage) -> None:
    assert stage.shown is None
    assert list(stage.onlooker().history()) == []


@when(parsers.parse("the process of run `{run_id}` dies during pull {number:d}"))
def process_of_run_dies(shop: Shop, run_id: str, number: int) -> None:
    shop.dies(run_id, at_pull={number: shop.die})


@when(parsers.parse("run `{run_id}` opens and closes `success`"))
def opens_and_closes(stage: Stage, shop: Shop, run_id: str) -> None:
    """As the command opens it, over a file that is still empty."""
    _lies_ready(shop, rows="")
    with Project.open(shop.folder, world=stage.world) as project:
        project.run("shop", run_id)
    run_is_shown(stage, run_id)
    assert isinstance(stage.shown, dict)
    assert stage.shown["status"] == RunStatus.SUCCESS
    stage.seen["traces"].append(stage.shown["trace_id"])


@then(parsers.parse("every row of the record has `trace_id` as `{trace_id}`"))
def rows_have_the_trace(stage: Stage, trace_id: str) -> None:
    assert {run.trace_id for run in stage.onlooker().history()} == {trace_id}


@when(parsers.parse("run `{run_id}` fails `{tag}`"))
def run_fails(shop: Shop, run_id: str, tag: str) -> None:
    shop.listing.number(1)
    shop.fire(run_id, at_pull={1: fails(tag)})


@given(parsers.parse("run `{run_id}` opened at `{at}`"))
def run_opened_at(stage: Stage, run_id: str, at: str) -> None:
    """In a process that lives on: its keeper wakes as the clock comes round."""
    stage.world = BeatingWorld(now_ms=instant_ms(at))
    _opens(stage, run_id)


@when(parsers.parse("{seconds:d} s pass"))
def seconds_pass(stage: Stage, seconds: int) -> None:
    stage.world.skip(seconds * 1_000)


@given(parsers.parse("run `{run_id}` is `waiting` with a lease that expired 1 s ago"))
def waiting_with_a_lease(stage: Stage, run_id: str) -> None:
    """Its process waited with it, and is gone."""
    running_with_a_lease(stage, run_id, "expired")
    assert stage.rows.commit(Update(record.RUN, {"run_id": run_id}, {}, {"status": RunStatus.WAITING.value}))


@given(parsers.re(r"run `(?P<run_id>[\w-]+)` is `running` with a lease that (?P<when>expired|expires in) 1 s( ago)?"))
def running_with_a_lease(stage: Stage, run_id: str, when: str) -> None:
    """Its process is gone, or has not renewed for as long."""
    _opens(stage, run_id)
    stage.world.skip((LEASE_S + (1 if when == "expired" else -1)) * 1_000)


@given(parsers.parse("run `{run_id}` is `failed` with a lease that expired 1 s ago"))
def failed_with_a_lease(stage: Stage, shop: Shop, run_id: str) -> None:
    run_fails(shop, run_id, "Permanent")
    stage.world.skip((LEASE_S + 1) * 1_000)


@given(parsers.parse("the manifest has `{line}`"))
def manifest_has(shop: Shop, line: str) -> None:
    """The first site that it names takes the place of the stage's own."""
    if shop.project.get("site_id") == SITE:
        del shop.project["site_id"]
    shop.project |= tomllib.loads(line)


@given("the manifest has no site id")
def manifest_has_no_site(shop: Shop) -> None:
    del shop.project["site_id"]


@when(parsers.re(r"(the site id `(?P<site_id>[^`]+)`|a site id of (?P<length>\d+) chars) is declared"))
def site_id_is_declared(stage: Stage, shop: Shop, site_id: str | None, length: str | None) -> None:
    shop.project["site_id"] = "t" * int(length or 0) if site_id is None else site_id
    engine_starts(stage, shop)


@when(parsers.parse("run `{run_id}` starts with `--site-id {site_id}`"))
def starts_with_site(stage: Stage, shop: Shop, run_id: str, site_id: str) -> None:
    """On the command line."""
    _lies_ready(shop)
    command = ["pipeline", "run", "shop", "--run-id", run_id, "--site-id", site_id, "--project", str(shop.folder)]
    assert cli.run(command) == 0
    run_is_shown(stage, run_id)


@given(parsers.parse("run `{run_id}` failed with the message `{message}`"))
def failed_with_message(shop: Shop, run_id: str, message: str) -> None:
    shop.listing.number(1)
    shop.fire(run_id, at_pull={1: _says(message)})


@given(parsers.parse("run `{run_id}` failed with a message of {size:d} bytes"))
def failed_with_long_message(shop: Shop, run_id: str, size: int) -> None:
    failed_with_message(shop, run_id, "x" * size)


@then(parsers.parse("its `error_message` does not contain `{words}`"))
def message_does_not_contain(stage: Stage, words: str) -> None:
    assert words not in _message(stage)


@then(parsers.parse("its `error_message` has at most {size:d} bytes"))
def message_has_at_most(stage: Stage, size: int) -> None:
    assert len(_message(stage).encode()) <= size


@then(parsers.parse("its `error_message` ends in `{end}`"))
def message_ends_in(stage: Stage, end: str) -> None:
    assert _message(stage).endswith(end)


@given(parsers.parse("run `{run_id}` was admitted with plan `{plan}`"))
def admitted_with_plan(stage: Stage, run_id: str, plan: str) -> None:
    _opens(stage, run_id, plan)


@when(parsers.parse("the owner of run `{run_id}` retires"))
def owner_of_run_retires(stage: Stage, run_id: str) -> None:
    with stage.opened[run_id]:
        pass
    assert stage.onlooker().pending(SCOPE) is None


@given(parsers.parse("the record of run `{run_id}` has no `plan_ref`"))
def record_has_no_plan(stage: Stage, run_id: str) -> None:
    """As one that was written before there was such a field."""
    _opens(stage, run_id)
    assert stage.rows.commit(Update(record.RUN, {"run_id": run_id}, {}, {"plan_ref": None}))


@given(parsers.parse("pipeline `{pipeline}` has a run each day from `{first}` to `{last}`"))
def run_each_day(stage: Stage, shop: Shop, pipeline: str, first: str, last: str) -> None:
    begins, ends = date.fromisoformat(first).toordinal(), date.fromisoformat(last).toordinal()
    for day in map(date.fromordinal, range(begins, ends + 1)):
        stage.world.skip(instant_ms(f"{day}T00:00:00Z") - stage.world.now_ms())
        engine = stage.engine(shop.run_table)
        with engine.attempt(own.TableScope(pipeline, "orders"), own.Pins("plan", {}), run_id=f"on-{day}"):
            pass


@given("its catalog is SQL")
def catalog_is_sql(stage: Stage) -> None:
    assert isinstance(stage.rows, SqliteRows)


@when(parsers.parse("history is asked for since `{since}` with a ceiling of {ceiling:d} rows"))
def history_is_asked_for(stage: Stage, since: str, ceiling: int) -> None:
    rows = Counting(stage)
    engine = contextful.Engine(rows, stage.blobs, stage.world)
    try:
        page = engine.window(pipeline="shop", since_ms=since_ms(since), ceiling=ceiling)
    except contextful.ContextfulError as refusal:
        stage.error = refusal
        return
    stage.shown = to_json(history_page(page))
    stage.seen["rows read"].append(rows.read)


@then(parsers.parse("the catalog has read no more than {count:d} rows"))
def catalog_has_read(stage: Stage, count: int) -> None:
    assert stage.seen["rows read"] == [count]


@then(parsers.parse("it lists the days `{days}`"))
def lists_the_days(stage: Stage, days: str) -> None:
    assert isinstance(stage.shown, dict)
    assert [run["started_at"][8:10] for run in stage.shown["runs"]] == days.split(", ")


class Counting(CrashingRows):
    """The stage's rows, and how many of them a selection has read."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage.rows, stage.crashes)
        self.read = 0

    def select(self, select: Select) -> list[Row]:
        """As the rows beneath."""
        found = list(super().select(select))
        self.read += len(found)
        return found


def _lies_ready(shop: Shop, rows: str = '{"id": 1}\n') -> None:
    """The project is a folder, and its source a file."""
    (shop.folder / "data").mkdir(exist_ok=True)
    (shop.folder / "data" / "orders.ndjson").write_text(rows)
    (shop.folder / MANIFEST).write_text(shop.manifest())


def _opens(stage: Stage, run_id: str, plan: str = "plan") -> None:
    stage.begin(run_id)
    stage.opened[run_id] = stage.engine().execution(SCOPE, plan, run_id=run_id)


def _says(message: str) -> Act:
    def act() -> None:
        raise contextful.Permanent(message)

    return act


def _message(stage: Stage) -> str:
    assert isinstance(stage.shown, dict)
    assert stage.shown["status"] == RunStatus.FAILED
    return str(stage.shown["error_message"])
