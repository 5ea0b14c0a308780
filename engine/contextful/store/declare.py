"""store.declare: how a table's key and order decide what is read of it."""

from __future__ import annotations

from dataclasses import dataclass

from contextful.store import reserve


@dataclass(frozen=True, slots=True)
class Reading:
    """What a table declares about its reads."""

    table: str
    key: tuple[str, ...] = ()
    order_by: tuple[str, ...] = (reserve.INGESTED_AT,)


def ranking(reading: Reading) -> tuple[str, ...]:
    """The columns that choose among the rows of one key: the highest wins, the first column first."""
    ties = (reserve.INGESTED_AT, reserve.RUN_ID, reserve.ROW_SEQ)
    return tuple(dict.fromkeys((*reading.order_by, *ties)))  ##= store.declare.dedup-view
