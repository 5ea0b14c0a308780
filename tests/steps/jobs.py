"""Steps of store-driven jobs: what they are declared to do, and what happens to them."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from pytest_bdd import given, parsers, when

import contextful
from contextful.kernel.failure import Failed
from contextful.pipeline import declare, land
from contextful.pipeline.land import Destined
from contextful.pipeline.spec import TableSpec
from contextful.ports.destination import Lot
from contextful.run.journal import store_driven_input
from contextful.run.own.body_pins import Projection
from contextful.runner.row import Row
from contextful.store.schema import Type
from contextful.testing import Crash
from contextful_contract.shapes import ProviderConfiguration
from tests.steps.shift import CREDENTIAL, JOB, WAIT_S, Shift, Threads
from tests.steps.stage import LEASE_LAPSED_MS, instant_ms
from tests.steps.store import typed


@given(parsers.parse("a store-driven job over table `tickets` of {count:d} rows at snapshot `{snapshot}`"))
def job_over_table(shift: Shift, count: int, snapshot: str) -> None:
    shift.reads.rows, shift.reads.snapshot = count, snapshot


@given(parsers.parse("the job declares `as_of` as `{bound:S}Z`"))
def job_declares_as_of(shift: Shift, bound: str) -> None:
    shift.spec = replace(shift.spec, as_of_ms=instant_ms(f"{bound}Z"))


@given("the job declares `as_of` as `none`")
def job_declares_no_as_of(shift: Shift) -> None:
    assert shift.spec.as_of_ms is None


@given(parsers.parse("the row ceiling is {count:d} rows"))
def row_ceiling_is(shift: Shift, count: int) -> None:
    shift.reads.ceiling = count


@given(parsers.parse("its `max_in_flight` is {count:d}"))
def max_in_flight_is(shift: Shift, count: int) -> None:
    """Rows stay inside until as many are there as can be, or a moment has passed."""
    full = threading.Event()

    def enters(_: Row) -> None:
        if shift.inside >= count:
            full.set()
        full.wait(0.05)

    shift.stage.world = Threads(now_ms=shift.stage.world.now_ms())
    shift.spec = replace(shift.spec, max_in_flight=count)
    shift.enters = enters


@given("row 1 fails `Permanent` while row 0 is in the body")
def row_fails_while(shift: Shift) -> None:
    inside, failed = threading.Event(), threading.Event()

    def enters(row: Row) -> None:
        if row.key == 0:
            inside.set()
            assert failed.wait(WAIT_S)
            return
        assert inside.wait(WAIT_S)
        threading.Timer(0.1, failed.set).start()
        raise contextful.Permanent("no luck")

    shift.enters = enters


@given("the job's output tables are `scores` and `notes`")
def output_tables_are(shift: Shift) -> None:
    shift.spec = replace(shift.spec, tables=(TableSpec("scores"), TableSpec("notes")))
    shift.emits = ["scores", "notes"]


@given(parsers.parse("a job `score` with the output tables `{tables}`"))
def job_with_output_tables(shift: Shift, tables: str) -> None:
    shift.emits = tables.split(", ")
    shift.spec = replace(shift.spec, tables=tuple(map(TableSpec, shift.emits)))


@given(parsers.parse("its body emits rows for `{table}`"))
def body_emits_rows_for(shift: Shift, table: str) -> None:
    shift.emits = [table]


@given(parsers.parse("{count:d} input rows that each emit {each:d} rows"))
def input_rows_that_emit(shift: Shift, count: int, each: int) -> None:
    shift.reads.rows, shift.each = count, each


@given("the first landing of its output fails")
def first_landing_fails(shift: Shift) -> None:
    def fail() -> None:
        shift.before_commit = lambda: None
        raise contextful.Transient("the disk was busy")

    shift.before_commit = fail


@given("a caller supplies a projection with one effect label more than the body registered")
def caller_supplies_a_projection(shift: Shift) -> None:
    shift.projection = Projection(("score", "more"))


@given(parsers.parse("body `score` is registered by a binary of digest `{digest}`"))
def body_is_registered_by(shift: Shift, digest: str) -> None:
    shift.implementation = digest


@given(parsers.parse("configuration names the implementation `{digest}` for body `score`"))
def configuration_names(shift: Shift, digest: str) -> None:
    """A manifest has a place for the name of a body, and for no more."""
    with pytest.raises(ExceptionGroup):
        declare.read(
            f'[project]\nname = "p"\n[[job]]\nname = "score"\nbody = "score"\nstatement = "select 1"\n'
            f'max_in_flight = 1\ntables = ["scores"]\nimplementation = "{digest}"\n',
            file="contextful.toml",
        )


@given(parsers.parse("body `score` declares the dependencies `{names}`"))
def body_declares(shift: Shift, names: str) -> None:
    shift.dependencies = {} if names == "none" else {name: f"the {name}" for name in names.split(", ")}


@given("a body has prepared 3 rows for table `scores`")
def body_has_prepared(shift: Shift) -> None:
    shift.reads.rows = 3


@given(parsers.parse("table `scores` holds column `{column}` as `{kind}`"))
def scores_holds_column(shift: Shift, column: str, kind: str) -> None:
    table = Destined("score_scores", types={column: Type(kind)})
    stage = shift.store().stage(Lot(table, "before", "before", "here"))
    stage.add(land.shape(table, [{column: typed(kind)}], stage.schema))
    stage.commit(None, known=None, attempts=("before",), admit=lambda: None)


@given(parsers.parse("a body has prepared rows for table `scores` with column `{column}` as `{kind}`"))
def body_has_prepared_column(shift: Shift, column: str, kind: str) -> None:
    shift.columns = {column: typed(kind)}


@when("they are staged")
def are_staged(shift: Shift) -> None:
    """In a landing of the job's fire, whose own owner has what was prepared."""
    shift.fire()


@when("the job fires")
def job_fires(shift: Shift) -> None:
    shift.fire()


@when(parsers.parse("the job fires at `{at}`"))
def job_fires_at(shift: Shift, at: str) -> None:
    shift.stage.world.skip(instant_ms(at) - shift.stage.world.now_ms())
    shift.fire()


@when(parsers.parse("job `score` fires into tables `{tables}`"))
def job_fires_into(shift: Shift, tables: str) -> None:
    job_with_output_tables(shift, tables)
    shift.fire()


@when("the job fires again")
def job_fires_again(shift: Shift) -> None:
    shift.before = shift.before or _first(shift)
    shift.again()


@when(parsers.parse("job `score` fires as run `{run_id}`"))
def job_fires_as(shift: Shift, run_id: str) -> None:
    shift.stage.world.skip(LEASE_LAPSED_MS)
    shift.fire(run_id)


@when(parsers.parse("`{table}` is declared"))
def table_is_declared(shift: Shift, table: str) -> None:
    shift.spec = replace(shift.spec, tables=(*shift.spec.tables, TableSpec(table)))


@when(parsers.parse("the process dies in row {number:d}"))
def process_dies_in_row(shift: Shift, number: int) -> None:
    """The rows are counted from one, as a person does."""

    def enters(row: Row) -> None:
        if row.key == number - 1:
            shift.stage.crashes.die()

    shift.enters = enters
    shift.fire()
    assert isinstance(shift.stage.error, Crash)


@when(parsers.parse("{count:d} rows land in table `tickets`"))
def rows_land(shift: Shift, count: int) -> None:
    shift.reads.rows += count


@when("table `tickets` is folded")
def table_is_folded(shift: Shift) -> None:
    shift.reads.snapshot = "snapshot-8"


@when("the job's `statement` changes")
def statement_changes(shift: Shift) -> None:
    shift.spec = replace(shift.spec, statement="select id from tickets where id > 0")


@when("the job's `structural identity` changes")
def structural_identity_changes(shift: Shift) -> None:
    shift.identity = "another"


@when(parsers.parse("the dependency `{name}` changes"))
def dependency_changes(shift: Shift, name: str) -> None:
    shift.dependencies[name] = f"another {name}"


@when(parsers.parse("the dependency `{name}` becomes unavailable"))
def dependency_becomes_unavailable(shift: Shift, name: str) -> None:
    def gone() -> str:
        raise FileNotFoundError(name)

    shift.dependencies[name] = gone


@when("its provider's credential is rotated")
def credential_is_rotated(shift: Shift) -> None:
    """The body has it from its environment, and the vendor repeats it in each call's first failure."""
    shift.credential = CREDENTIAL


@when(parsers.parse("body `score` is registered with the endpoint `{endpoint}`"))
def registered_with_the_endpoint(shift: Shift, endpoint: str) -> None:
    shift.provider = ProviderConfiguration(endpoint=endpoint, model="m-1", parameters={})
    try:
        shift.bodies()
    except Failed as refusal:
        shift.stage.error = refusal


@when("its parent attempt is stopped before the commit")
def parent_is_stopped(shift: Shift) -> None:
    stage = shift.stage
    shift.before_commit = lambda: stage.onlooker().stop(stage.run_id) and None
    shift.fire()


@when("its parent attempt is superseded before the commit")
def parent_is_superseded(shift: Shift) -> None:
    stage = shift.stage

    def supersede() -> None:
        shift.before_commit = lambda: None
        stage.world.skip(LEASE_LAPSED_MS)
        registration = shift.bodies().body(JOB, job=JOB).registration()
        pins = store_driven_input.pins(registration, shift.spec.statement, None, identity=None)
        stage.opened["other"] = stage.onlooker().attempt(store_driven_input.scope(JOB), pins, run_id="other")

    shift.before_commit = supersede
    shift.fire()


def _first(shift: Shift) -> object:
    """The record of the first fire, as it stands."""
    return shift.stage.onlooker().run("run-1")
