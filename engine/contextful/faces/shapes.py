"""Values as every face shows them: in the shapes of the contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import cast

from contextful.kernel import instant
from contextful.kernel.shape import to_json
from contextful.ports.read_face import Answer
from contextful.run.history import Page
from contextful.run.items import Named
from contextful.run.parts import Kind, Part, Parts, behind
from contextful.run.record import Run
from contextful.run.shown import run_row
from contextful.store import respond
from contextful_contract.shapes import (
    Awakeable,
    DowngradeEvent,
    HistoryPage,
    HistoryWindow,
    Json,
    ReadAnswer,
    RunStatus,
)

Diffs = Callable[[Run], Sequence[DowngradeEvent]]  # what a run landed as less than it arrived as


def read_answer(answer: Answer, *, as_of_ms: int | None = None, available_as_of_ms: int | None = None) -> ReadAnswer:
    """What a statement answers, as whoever asked is told it."""
    rows = [[respond.cell(cell) for cell in row] for row in answer.rows]
    return ReadAnswer(
        columns=answer.columns,
        rows=cast(tuple[Json, ...], tuple(rows)),
        truncated=answer.truncated,
        bounds=respond.bounds(as_of_ms=as_of_ms, available_as_of_ms=available_as_of_ms),
    )  ##= read.respond.projection


def described(run: Run, diffs: Diffs | None) -> dict[str, object]:
    """All that is on record of a run, and what it landed as less than it arrived as, where there are tables."""
    told = to_json(run_row(run))
    diff = [] if diffs is None or not run.table else [to_json(event) for event in diffs(run)]
    return told | ({"schema_diff": diff} if diff else {})


def standing(awakeable: Awakeable) -> dict[str, str]:
    """Where an awakeable stands, and until when it can be answered."""
    return {
        "token": awakeable.token,
        "state": awakeable.state.value,
        "created_at": instant.spell(awakeable.created_at),
        "deadline": instant.spell(awakeable.deadline),
    }


def parts_page(
    parts: Parts,
    *,
    kind: Kind | None,
    status: RunStatus | None,
    after: Run | None,
    limit: int,
    item: Callable[[Run], Named | None],
) -> dict[str, object]:
    """What an execution is made of, as it is shown: how many stand how, and the first of those behind `after`."""
    counts = {each: dict(statuses) for each, statuses in parts.counts().items()}
    asked = [
        part
        for part in (parts.found if after is None else behind(parts.found, after))
        if (kind is None or part.kind is kind) and (status is None or part.run.status is status)
    ]
    return {
        "counts": counts,
        "parts": [_part(part, item) for part in asked[:limit]],
        "truncated": parts.truncated or len(asked) > limit,
    }


def _part(part: Part, item: Callable[[Run], Named | None]) -> dict[str, object]:
    named = item(part.run) if part.kind is Kind.ITEM else None
    return {
        "kind": part.kind,
        "attempts": part.attempts,
        "key": None if named is None else named.key,
        "entity": None if named is None else named.entity,
        "run": to_json(run_row(part.run)),
    }


def export_lines(store: str, page: Page) -> Iterator[dict[str, object]]:
    """A window of history as NDJSON: what it is of, and then a run a line."""
    shown = history_page(page)
    yield {"store": store, "window": to_json(shown.window), "count": len(shown.runs), "truncated": shown.truncated}
    yield from map(to_json, shown.runs)  ##= run.record.history-export


def history_page(page: Page) -> HistoryPage:
    """A window of history, as whoever asks for it is shown it."""
    window = HistoryWindow(since=page.since_ms, ceiling=page.ceiling)
    return HistoryPage(window=window, runs=tuple(map(run_row, page.runs)), truncated=page.truncated)
