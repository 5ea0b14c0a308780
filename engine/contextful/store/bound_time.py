"""store.bound-time: a read may ask for the store as it stood at an instant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from contextful.kernel import instant
from contextful.store.lay_out import Manifest

DAY = re.compile(r"\d{4}-\d\d-\d\d")
DAY_MS = 24 * 3_600_000


def bound_ms(text: str) -> int | None:
    """The last millisecond that the bound takes in; none where the text is neither an instant nor a day."""
    if not DAY.fullmatch(text):
        return instant.read(text)
    begins_ms = instant.read(f"{text}T00:00:00Z")
    return None if begins_ms is None else begins_ms + DAY_MS - 1  ##= store.bound-time.date-only


def available(column: str, bound_ms: int) -> str:
    """The condition in SQL that a row could be known at the bound. Instants are told apart to the millisecond."""
    return f"epoch_ms({column}::TIMESTAMPTZ) <= {bound_ms}"  ##= store.bound-time.available-as-of


def visible(manifests: Iterable[Manifest], as_of_ms: int | None) -> Sequence[Manifest]:
    """The commits that a read takes in, in their order."""
    ##= store.bound-time.as-of
    within = [manifest for manifest in manifests if as_of_ms is None or manifest.committed_ms <= as_of_ms]
    return sorted(within, key=lambda manifest: manifest.commit_seq)
