"""run.record: what an execution's runs are made of, each part by its last attempt: items, origins, landings.

A part's run id is that of the run that it is a part of, a full stop, and what tells it from its siblings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from contextful.kernel.table import Select
from contextful.run.record import RUN, Run
from contextful_contract.shapes import RunStatus

LOOKED_AT_MAX = 10_000  # of an attempt's parts


class Kind(StrEnum):
    """What a part is."""

    ITEM = "item"
    ORIGIN = "origin"
    LANDING = "landing"


@dataclass(frozen=True, slots=True)
class Part:
    """A part by its last attempt, and how many it has had."""

    kind: Kind
    run: Run
    attempts: int


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of an execution, and whether there are more than were looked at."""

    found: Sequence[Part]
    truncated: bool = False

    def counts(self) -> Mapping[Kind, Mapping[RunStatus, int]]:
        """How many of each kind stand how, in the order of the statuses."""
        each = Counter((part.kind, part.run.status) for part in self.found)
        kinds = [kind for kind in Kind if any(kind is found for found, _ in each)]
        return {kind: {status: each[kind, status] for status in RunStatus if each[kind, status]} for kind in kinds}


def behind(found: Iterable[Part], run: Run) -> Sequence[Part]:
    """Those of the parts that stand behind the one that the run is an attempt at, by its last or an earlier one."""
    at = _place(_kind(run), run)
    return [part for part in found if _place(part.kind, part.run) > at]


def beneath(run_id: str) -> Select:
    """The runs that are parts of a run, or parts of these."""
    return Select(RUN, {}, order="run_id", since=f"{run_id}.", before=f"{run_id}/", limit=LOOKED_AT_MAX + 1)


def of(runs: Iterable[Run]) -> Sequence[Part]:
    """The parts that these runs are attempts at, the earliest first. What an item lands is told of with it."""
    latest: dict[str, Part] = {}
    by_age = sorted(runs, key=lambda run: (run.started_ms, run.run_id))
    ids = {run.run_id for run in by_age}
    for run in by_age:
        kind = _kind(run)
        if kind is Kind.LANDING and whole_id(run) in ids:
            continue
        of_what = f"{kind} {run.host_scope or f'{run.pipeline_id}/{run.table}'}"
        before = latest.pop(of_what, None)
        latest[of_what] = Part(kind, run, 1 if before is None else before.attempts + 1)
    return sorted(latest.values(), key=lambda part: _place(part.kind, part.run))


def whole_id(run: Run) -> str:
    """The id of the run that this one would be a part of; empty where its own says of none."""
    return run.run_id.rpartition(".")[0]


def _kind(run: Run) -> Kind:
    if "/item/" in run.host_scope:
        return Kind.ITEM
    return Kind.ORIGIN if "/origin/" in run.host_scope else Kind.LANDING


def _place(kind: Kind, run: Run) -> tuple[int, str]:
    """Origins in their order, everything else by its age."""
    return (0, run.host_scope) if kind is Kind.ORIGIN else (run.started_ms, run.run_id)
