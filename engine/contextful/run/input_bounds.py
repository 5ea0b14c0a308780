"""run.record: what a store-driven run read, in one column of its row."""

from __future__ import annotations

import json

from contextful.kernel import instant
from contextful.kernel.shape import to_json
from contextful_contract.shapes import InputBounds


def spelled(bounds: InputBounds | None) -> str | None:
    """The bounds as the column holds them."""
    return None if bounds is None else json.dumps(to_json(bounds), sort_keys=True)


def read(text: str | None) -> InputBounds | None:
    """The bounds that the column holds."""
    if text is None:
        return None
    held = json.loads(text)
    as_of = instant.read(held["as_of"])
    assert as_of is not None, "it was spelled here"
    return InputBounds(
        as_of=as_of,
        snapshots=held["snapshots"],
        rows=held["rows"],
        available_as_of=instant.read(held.get("available_as_of")),
        sweep_id=held.get("sweep_id"),
        origin=instant.read(held.get("origin")),
    )
