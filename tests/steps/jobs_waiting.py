"""Steps of rows that wait for somebody's answer, and of what a job's credential lets it read."""

from __future__ import annotations

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.duckdb import DuckdbReads
from contextful.run.journal import store_driven_input
from contextful.runner.row import Row
from contextful_contract.errors import AwakeableTimedOut
from contextful_contract.shapes import RunStatus
from tests.steps.served import Served
from tests.steps.shift import JOB, Shift
from tests.steps.shop import Shop
from tests.steps.stage import LEASE_LAPSED_MS, Stage

DAY_MS = 24 * 3_600_000


@given("row 0 waits for an awakeable")
def row_waits(shift: Shift) -> None:
    def enters(row: Row) -> None:
        if row.key == 0:
            try:
                shift.stage.named["answer"] = row.wait("approve", hold="0s")
            except AwakeableTimedOut:
                shift.stage.seen["outcomes"].append("timed_out")
                raise contextful.Transient("nobody has answered in time") from None

    shift.enters = enters


@given(parsers.parse("a job `score` that reads table `{table}`"))
def job_that_reads(shift: Shift, shop: Shop, table: str) -> None:
    shop.listing.number(1)
    shop.fire("landed")
    assert shop.stored() == table


@when(parsers.parse("the awakeable of row 0 is resolved with `{answer}`"))
def awakeable_is_resolved(shift: Shift, answer: str) -> None:
    """And the run is woken, which the scheduler sees to."""
    stage = shift.stage
    owner = stage.owner(store_driven_input.scope(JOB))
    assert owner is not None
    (waits,) = stage.onlooker().awaited(owner.execution_id)
    stage.onlooker().resolve(waits.token, answer)
    woken = stage.owner(store_driven_input.scope(JOB))
    assert woken is not None
    assert woken.waiting_until_ms is not None
    assert woken.waiting_until_ms <= stage.world.now_ms()
    shift.fire()


@when("the deadline of row 0 passes")
def deadline_passes(shift: Shift) -> None:
    shift.stage.world.skip(DAY_MS + 1)


@when(parsers.parse("row 0 is entered {count:d} times"))
def row_is_entered(shift: Shift, count: int) -> None:
    for _ in range(count):
        shift.stage.world.skip(LEASE_LAPSED_MS)
        shift.fire()
    timed_out = set(shift.stage.seen["outcomes"]) == {"timed_out"}
    shift.stage.shown = {"timed_out": timed_out}


@when("job `score` fires with that credential")
def job_fires(shift: Shift, shop: Shop, served: Served) -> None:
    assert served.credential is not None
    shift.reads = DuckdbReads(shop.store(), [], grants=served.credential.grants)  # type: ignore[assignment]
    shift.spec = shift.reading(f"select id from {shop.stored()}")
    shift.fire()


@then("row 0 is parked")
def row_is_parked(shift: Shift) -> None:
    """Its body has been entered, and is not through; the run waits for its answer."""
    assert 0 in shift.entered
    assert 0 not in shift.completed
    assert shift.stage.run().status is RunStatus.WAITING


@then(parsers.parse("the entries have {count:d} distinct `outcomes`"))
def entries_have_outcomes(stage: Stage, count: int) -> None:
    assert len(stage.seen["outcomes"]) > 1
    assert len(set(stage.seen["outcomes"])) == count


@then("it fails at its input step")
def fails_at_its_input(stage: Stage) -> None:
    assert isinstance(stage.error, contextful.StepFailed)
    assert stage.error.label == store_driven_input.INPUT


@then(parsers.parse("{count:d} rows have run"))
def rows_have_run(shift: Shift, count: int) -> None:
    assert len(shift.entered) == count
