"""surface.fire, declared: a job names what to run, and never how to run a program."""

from __future__ import annotations

import re
from collections.abc import Callable

from contextful.pipeline.block import Block
from contextful.pipeline.spec import JobSpec, TableSpec
from contextful.store import bound_time
from contextful_contract.errors import JobConcurrencyUnset, JobKindUnknown
from contextful_contract.shapes import IsolatedItems, JobKind

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
    )


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
