"""Performs run.sweep: the origins of one fire, the earliest first, each as a run within it.

known in the journal --> taken from there          else --> run --its success, and word of it, in one commit--> next
                                                             +--failed, or waits--> carried: no later one opens
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from contextful.kernel.signal import Suspended
from contextful.pipeline.compile import JobPlan
from contextful.run import sweep
from contextful.run.journal import store_driven_input
from contextful.run.own.own import HostScope, Owner
from contextful.run.sweep import Origin
from contextful.runner.engine import Engine
from contextful.runner.execution import Execution
from contextful.runner.land import Success
from contextful.runner.slots import first
from contextful_contract.shapes import RunStatus, SweepState

LEASES_MAX = 3  # how many leases of attempts that died one after the other are waited for


@dataclass(frozen=True, slots=True)
class Ran:
    """What an origin came to, as the journal of its sweep has it."""

    run_id: str
    origin_ms: int
    input_rows: int
    landed: tuple[Success, ...]
    committed_ms: int | None  # of its last commit in any of the job's tables


Enters = Callable[[Origin, str], Ran]  # runs an origin under a run id


def swept(plan: JobPlan, run: Execution, enters: Enters, told: Callable[[Ran], object]) -> Sequence[Ran]:
    """Run every origin that has not committed yet. Raises what the first one failed with, when no more can be run."""
    assert plan.sweep is not None, "a sweep is declared"
    bound_ms = store_driven_input.as_of(plan.as_of_ms, run.opened_ms)
    sweep.admit(plan.name, plan.sweep, bound_ms)
    as_of_ms = run.step(sweep.AS_OF, lambda: bound_ms)  ##= run.sweep.frozen-as-of
    tables = [table.reading.table for table in plan.tables.values()]
    available_times = {name: table.reading.available_time for name, table in plan.tables.items()}
    ran: list[Ran] = []
    failed: list[BaseException] = []
    waits: list[Suspended] = []
    for number, at_ms in enumerate(sweep.origins(plan.sweep), 1):
        run.admit()
        origin = Origin(
            sweep_id=run.execution_id,
            number=number,
            at_ms=at_ms,
            as_of_ms=as_of_ms,
            tables_as_of_ms=sweep.carried(plan.sweep, tables, [each.committed_ms for each in ran]),
            stamps=sweep.stamps(available_times, at_ms),
        )
        try:
            known = run.known(origin.label)
            ##= run.sweep.resumed
            ran.append(known if known is not None else enters(origin, f"{run.run_id}.{number}"))
            told(ran[-1])
        except Suspended as wait:
            waits.append(wait)
        except Exception as error:  # noqa: BLE001 (whatever it is, the sweep ends with it)
            failed.append(error)
        if plan.sweep.state is SweepState.CARRIED and (failed or waits):
            break  ##= run.sweep.no-collapse
    if failed:
        raise first(failed)
    if waits:
        raise Suspended(label="origins", until_ms=min(wait.until_ms for wait in waits))
    return ran


def clear(engine: Engine, scope: HostScope, run: Execution) -> None:
    """See that an origin may be opened: what is pending of it is this sweep's, and nobody is at it any more.

    Raises ExecutionRewindUnsafe where another sweep, which was given up meanwhile, is at work on it all the same.
    """
    pending = engine.pending(scope.scope)
    if pending is not None and pending.pins.identities.get(sweep.SWEEP) != run.execution_id:
        _give_up(engine, scope, pending, reason=f"its sweep was given up for {run.execution_id}")
        return
    for _ in range(LEASES_MAX):
        until_ms = engine.held_until(scope)
        if until_ms is None:
            return
        run.rest(until_ms)


def _give_up(engine: Engine, scope: HostScope, pending: Owner, *, reason: str) -> None:
    last = engine.run(pending.attempts[-1])
    if last is not None and last.status is RunStatus.WAITING:
        engine.stop(last.run_id, reason=reason)  # or it would have to be heard out
    standing = engine.pending(scope.scope)
    if standing is not None and standing.execution_id == pending.execution_id:
        engine.rewind(pending.execution_id, reason=reason, force=True)
