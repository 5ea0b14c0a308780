"""A source of pages that a test holds in its hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from contextful.pipeline import pull
from contextful.pipeline.pull import Ask, Batch
from contextful.store.lay_out import position

Page = Sequence[Mapping[str, Any]]


class PagedSource:
    """Pages in order, each under its number; the position after the last one is where the next poll begins.

    What it was asked stands in `asked` and `keys`. A page with failures raises them first, one a pull.
    """

    def __init__(
        self,
        pages: Sequence[Page],
        *,
        failures: Mapping[int, Sequence[BaseException]] | None = None,
        skipped: Mapping[int, int] | None = None,
        journaled: bool = True,
        position_addressed: bool = True,
        pulls_max: int = 1_000,
        host: str | None = None,
    ) -> None:
        self.host = host
        self.pages = list(pages)
        self.asked: list[int] = []
        self.keys: list[str] = []
        self.floors: list[int | float | str | None] = []
        self.journaled = journaled
        self.position_addressed = position_addressed
        self.pulls_max = pulls_max
        self._failures = {page: list(errors) for page, errors in (failures or {}).items()}
        self._skipped = skipped or {}

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        """The page at the position, if there is one and it has no failure left."""
        page = 0 if ask.position is None else json.loads(ask.position)["page"]
        self.asked.append(page)
        self.keys.append(idempotency_key)
        self.floors.append(ask.floor)
        if self._failures.get(page):
            raise self._failures[page].pop(0)
        if page >= len(self.pages):
            return pull.batch([], position=ask.position, more=False)
        rows = [dict(row) for row in self.pages[page]]
        after = position({"page": page + 1})
        return pull.batch(rows, position=after, more=page + 1 < len(self.pages), skipped=self._skipped.get(page, 0))

    def close(self) -> None:
        """Nothing is held open."""
