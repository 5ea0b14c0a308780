"""run.sweep: one question at many instants of the past, each of which sees only what could be known then.

opened --as_of recorded--> start --> start + step --> … end     each origin an execution of its own
            fresh: each on the store as of that instant
            carried: each on what the one before it has committed in the job's own tables, too
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from contextful.kernel import instant
from contextful.kernel.shape import to_json
from contextful.run.own.own import HostScope
from contextful_contract.errors import RunSweepOriginAfterOpen
from contextful_contract.shapes import Sweep, SweepState

AS_OF = "as-of"  # the label of the step that records it
SWEEP = "sweep"  # the identity by which a pending origin is known to be of this sweep and no other
ORIGINS_MAX = 10_000


@dataclass(frozen=True, slots=True)
class Origin:
    """An origin, what it reads under, and what each row that it lands in a table has, whatever its body says."""

    sweep_id: str
    number: int  # from 1
    at_ms: int
    as_of_ms: int
    tables_as_of_ms: Mapping[str, int]
    stamps: Mapping[str, Mapping[str, str]]

    @property
    def label(self) -> str:
        """What its sweep's journal has it under."""
        return f"origin/{instant.spell(self.at_ms)}"


def origins(sweep: Sweep) -> range:
    """The instants of the origins, the earliest first."""
    step_ms = instant.span_ms(sweep.step)
    assert step_ms, "a sweep is declared with a step"
    return range(sweep.start, sweep.end + 1, step_ms)  ##= run.sweep.origins


def admit(job: str, sweep: Sweep, as_of_ms: int) -> None:
    """Raises RunSweepOriginAfterOpen where an origin would find nothing newer than what it reads at."""
    if sweep.end > as_of_ms:
        raise RunSweepOriginAfterOpen(job=job, end=sweep.end, as_of=as_of_ms)  ##= run.sweep.origin-after-open


def declared(sweep: Sweep | None, origin_ms: int | None = None) -> dict[str, object]:
    """What a plan reference takes in of a sweep, and of one of its origins."""
    if sweep is None:
        return {}
    of_one = {} if origin_ms is None else {"origin": instant.spell(origin_ms)}
    return {"sweep": to_json(sweep), **of_one}  ##= run.sweep.origin-pin


def scope(job: HostScope, origin_ms: int) -> HostScope:
    """What an origin owns, beneath the scope of its job."""
    return HostScope(f"{job.scope}/origin/{instant.spell(origin_ms)}")


def carried(sweep: Sweep, tables: Iterable[str], committed_ms: Iterable[int | None]) -> Mapping[str, int]:
    """As of when the job's own tables are read, where that is not the sweep's `as_of`: the origins so far committed."""
    if sweep.state is SweepState.FRESH:
        return {}  ##= run.sweep.fresh-state
    known = [at_ms for at_ms in committed_ms if at_ms is not None]
    return dict.fromkeys(tables, known[-1]) if known else {}  ##= run.sweep.carried-state


def stamps(available_times: Mapping[str, str | None], origin_ms: int) -> Mapping[str, Mapping[str, str]]:
    """By table, the column that says from when on a row could be known: from the origin on that notes it."""
    at = instant.spell(origin_ms)
    ##= run.sweep.simulated-write
    return {table: {column: at} for table, column in available_times.items() if column is not None}
