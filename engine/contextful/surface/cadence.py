"""topology.coordinate, of schedulers: which of a deployment's dispatches, as the catalog says.

free --granted for 90 s--> held --renewed every 30 s--> held     held --it lapses, or is given back--> free
"""

from __future__ import annotations

from typing import cast

from contextful.kernel.change import Change, Delete, Insert, Update
from contextful.kernel.table import Kind, Row, Table
from contextful_contract import limits

NAME = "cadence"
CADENCE = Table(
    "cadence",
    key=("name",),
    columns={"name": Kind.TEXT, "holder": Kind.TEXT, "expires_ms": Kind.INTEGER},
)


def granted(standing: Row | None, holder: str, now_ms: int) -> Change | None:
    """The lease as this scheduler's, anew or again; none while it is another's."""
    lease: Row = {"name": NAME, "holder": holder, "expires_ms": now_ms + limits.CADENCE_LEASE_TTL_MS}
    if standing is None:
        return Insert(CADENCE, lease)
    if standing["holder"] != holder and _lives(standing, now_ms):
        return None  ##= topology.coordinate.cadence-lease
    return Update(CADENCE, {"name": NAME}, {"holder": standing["holder"], "expires_ms": standing["expires_ms"]}, lease)


def returned(holder: str) -> Change:
    """The lease is nobody's, if it was this scheduler's."""
    return Delete(CADENCE, {"name": NAME}, {"holder": holder})


def _lives(standing: Row, now_ms: int) -> bool:
    """Whether it has not lapsed. One that reaches further than any can was granted by a clock that was set back."""
    return now_ms < cast(int, standing["expires_ms"]) <= now_ms + limits.CADENCE_LEASE_TTL_MS
