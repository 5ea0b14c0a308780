"""surface.fire, declared: a job names what to run, and never how to run a program."""

from __future__ import annotations

import re
from collections.abc import Callable

from contextful.kernel import instant
from contextful.pipeline.block import Block
from contextful.pipeline.spec import JobSpec, TableSpec
from contextful.run import sweep
from contextful.store import bound_time
from contextful_contract.errors import JobConcurrencyUnset, JobKindUnknown, RunSweepOriginAfterOpen
from contextful_contract.shapes import IsolatedItems, JobKind, Sweep, SweepState

PROGRAMS = ("command", "argv", "args", "exec", "cmd")
IN_FLIGHT_MAX = 1_024
ATTEMPTS_MAX = 1_000
NAMESPACE = re.compile(r"[A-Za-z0-9._-]{1,64}")
NAMESPACE_SAYS = "must be 1 to 64 of letters, digits, . _ -"
Tables = Callable[[Block], tuple[TableSpec, ...]]


def job(block: Block, *, name: re.Pattern[str], says: str, tables: Tables) -> JobSpec:
    """The job that a block declares."""
    named = block.required("name", shape=name, says=says)
    block.pipeline = f"job:{named}"
    for key in PROGRAMS:
        if block.has(key):
            block.refuse(JobKindUnknown(job=named, named=f"`{key}`"), key)
    spelled = block.text("kind", JobKind.STORE_DRIVEN.value)
    if spelled not in set(JobKind):
        block.refuse(JobKindUnknown(job=named, named=f"the kind {spelled}"), "kind")  ##= surface.fire.job-kind
        spelled = JobKind.STORE_DRIVEN.value
    kind = JobKind(spelled)
    schedule = block.optional("schedule")
    if kind is JobKind.STORE_DRIVEN:
        spec = _store_driven(block, named, schedule, tables)
    else:
        target = block.optional("target") if kind in (JobKind.FOLD, JobKind.BUILD) else None
        spec = JobSpec(named, kind, schedule, target)
    block.end()
    return spec


def _store_driven(block: Block, named: str, schedule: str | None, tables: Tables) -> JobSpec:
    return JobSpec(
        named,
        JobKind.STORE_DRIVEN,
        schedule,
        body=_body(block),
        delegate=block.optional("delegate"),
        statement=block.required("statement"),
        as_of_ms=_as_of_ms(block),
        max_in_flight=_max_in_flight(block, named),
        tables=tables(block),
        items=_items(block),
        sweep=_sweep(block, named),
    )


def _sweep(block: Block, named: str) -> Sweep | None:
    """The instants at which the job is asked; none where it is asked once."""
    if not block.has("sweep"):
        return None
    if block.has("isolated_items"):
        block.fault("sweep", "is of a job whose rows are a batch: declare it, or isolated_items")
    held = block.block("sweep")
    start_ms, end_ms = _instant_ms(held, "start"), _instant_ms(held, "end")
    step = held.required("step")
    state = held.choice("state", SweepState.FRESH)
    held.end()
    step_ms = instant.span_ms(step)
    if not step_ms:
        held.fault("step", "must be a length of time such as 7d, in s, m, h or d")
        step_ms = 1
    if end_ms < start_ms:
        held.fault("end", "must not be before start")
    elif (end_ms - start_ms) // step_ms >= sweep.ORIGINS_MAX:
        held.fault("step", f"makes more than {sweep.ORIGINS_MAX} origins")
    declared = Sweep(start=start_ms, end=end_ms, step=step, state=state)
    as_of_ms = _as_of_ms(block)
    if as_of_ms is not None:
        try:
            sweep.admit(named, declared, as_of_ms)
        except RunSweepOriginAfterOpen as refusal:
            block.refuse(refusal, "sweep")
    return declared


def _instant_ms(block: Block, key: str) -> int:
    given = block.required(key)
    read = instant.read(given)
    if read is None:
        block.fault(key, "must be a UTC instant such as 2014-03-05T00:00:00Z")
    return read or 0


def _items(block: Block) -> IsolatedItems | None:
    """How the job isolates its rows; a batch unless it says so."""
    if not block.has("isolated_items"):
        return None  ##= run.items.opt-in
    held = block.block("isolated_items")
    for key in ("key", "entity_key"):
        if not held.has(key):
            held.fault(key, "is missing")
    declared = IsolatedItems(
        key=held.texts("key"),
        entity_key=held.texts("entity_key"),
        entity_namespace=held.required("entity_namespace", shape=NAMESPACE, says=NAMESPACE_SAYS),
        attempts=_attempts(held),
    )
    held.end()
    return declared


def _attempts(held: Block) -> int:
    if not held.has("attempts"):
        held.fault("attempts", "is missing")
    return held.integer("attempts", 1, 1, ATTEMPTS_MAX)


def _body(block: Block) -> str:
    """The body's name; none for a job that is its delegate's alone."""
    return block.text("body", "") if block.has("delegate") else block.required("body")


def _max_in_flight(block: Block, named: str) -> int:
    if not block.has("max_in_flight"):
        block.refuse(JobConcurrencyUnset(job=named))
        return 1
    given = block.whole("max_in_flight")
    if given is None or given < 1:
        block.refuse(JobConcurrencyUnset(job=named), "max_in_flight")  ##= surface.fire.concurrency
        return 1
    return block.integer("max_in_flight", 1, 1, IN_FLIGHT_MAX)


def _as_of_ms(block: Block) -> int | None:
    given = block.optional("as_of")
    read = None if given is None else bound_time.bound_ms(given)
    if given is not None and read is None:
        block.fault("as_of", "must be a day, or a UTC instant such as 2026-03-01T00:00:00Z")
    return read
