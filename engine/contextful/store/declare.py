"""store.declare: how a table's key, order and write mode decide what is read of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from contextful.store import reserve
from contextful.store.lay_out import Manifest
from contextful.store.schema import Type
from contextful_contract.shapes import ColumnPolicy


@dataclass(frozen=True, slots=True)
class Reading:
    """What a table declares about its reads. The policy is by the column's name, in lower case.

    One whose `columns` are declared may be read before anything has landed in it: it has no rows then.
    """

    table: str
    key: tuple[str, ...] = ()
    order_by: tuple[str, ...] = (reserve.INGESTED_AT,)
    replaces: bool = False
    available_time: str | None = None
    result_cache: bool = False
    policy: Mapping[str, ColumnPolicy] = field(default_factory=dict)
    columns: Mapping[str, Type] = field(default_factory=dict)

    def clear(self) -> Reading:
        """The table as its operator reads it, every value as it stands."""
        return replace(self, policy={})


def current(reading: Reading, commits: Sequence[Manifest]) -> Sequence[Manifest]:
    """Which of the commits, in their order, a read takes in."""
    if not reading.replaces:
        return commits
    ##= store.declare.replace-frontier
    frontier = max((at for at, commit in enumerate(commits) if begins(commit)), default=0)
    return commits[frontier:]


def begins(commit: Manifest) -> bool:
    """Whether a replacing read takes in nothing from before the commit: it holds all there was, if only nothing."""
    return commit.complete or commit.replacement_frontier  ##= store.declare.empty-replacement


def ranking(reading: Reading) -> tuple[str, ...]:
    """The columns that choose among the rows of one key: the highest wins, the first column first."""
    ties = (reserve.INGESTED_AT, reserve.RUN_ID, reserve.ROW_SEQ)
    return tuple(dict.fromkeys((*reading.order_by, *ties)))  ##= store.declare.dedup-view
