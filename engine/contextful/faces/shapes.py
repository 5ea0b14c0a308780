"""Values as every face shows them: in the shapes of the contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from contextful.kernel import instant
from contextful.kernel.shape import to_json
from contextful.ports.read_face import Answer
from contextful.run.history import Page
from contextful.run.shown import run_row
from contextful.store import respond
from contextful_contract.shapes import Awakeable, HistoryPage, HistoryWindow, Json, ReadAnswer


def read_answer(answer: Answer, *, as_of_ms: int | None = None, available_as_of_ms: int | None = None) -> ReadAnswer:
    """What a statement answers, as whoever asked is told it."""
    rows = [[respond.cell(cell) for cell in row] for row in answer.rows]
    return ReadAnswer(
        columns=answer.columns,
        rows=cast(tuple[Json, ...], tuple(rows)),
        truncated=answer.truncated,
        bounds=respond.bounds(as_of_ms=as_of_ms, available_as_of_ms=available_as_of_ms),
    )  ##= read.respond.projection


def standing(awakeable: Awakeable) -> dict[str, str]:
    """Where an awakeable stands, and until when it can be answered."""
    return {
        "token": awakeable.token,
        "state": awakeable.state.value,
        "created_at": instant.spell(awakeable.created_at),
        "deadline": instant.spell(awakeable.deadline),
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
