"""Steps of run.backfill: chunks that are cut, claimed, landed, stopped and sent back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.kernel.table import Select
from contextful.run import backfill
from contextful.run.backfill import Chunk, Span, Status, Window
from contextful.run.own import own
from contextful.runner.backfill import Backfill, Claim
from contextful.runner.land import Canceled, Landings, Success
from contextful.testing import Crash
from contextful_contract import limits
from contextful_contract.shapes import CursorKind
from tests.steps._sim import Simulation
from tests.steps.shop import Shop, fails
from tests.steps.stage import Stage, instant_ms
from tests.steps.world import BeatingWorld

CHUNK_LAPSED_MS = limits.CHUNK_LEASE_TTL_MS + 1
STEP = 10


class Lease:
    """What a chunk's lease says now."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    @property
    def expires_at(self) -> int | None:
        """Until when it is held."""
        return _chunks(self._stage)[0].expires_ms


def chunked(shop: Shop, count: int) -> None:
    """The pipeline declares a backfill of so many chunks, over a source of two pages."""
    shop.pipeline |= {
        "cursor": "monotonic",
        "incremental": "at",
        "source": {"name": "python", "config": {"function": "shop:pages"}},
        "backfill": {"until": count * STEP, "chunk_size": STEP},
    }
    shop.listing.number(2)


@given(parsers.parse("chunk `c-1` at attempt 1"))
def at_attempt_one(stage: Stage, shop: Shop) -> None:
    """It has staged a part, and stands still in its next pull."""
    chunked(shop, 1)
    shop.hold(1, "first", chunks=True)
    assert [chunk.attempt for chunk in _chunks(stage)] == [1]


@given(parsers.parse("done chunks `{windows}`"))
def done_chunks(stage: Stage, shop: Shop, windows: str) -> None:
    chunked(shop, len(_split(windows)))
    shop.fire(chunks=True)
    assert _named(stage, Status.DONE) >= set(_split(windows))


@given(parsers.parse("a backfill of pipeline `shop` at attempt 2 of chunk `c-3`"))
def at_attempt_two(stage: Stage, shop: Shop) -> None:
    """Its first attempt failed; the second is about to begin."""
    chunked(shop, 3)
    shop.listing.number(1)
    shop.fire(at_pull={3: fails("Permanent")}, chunks=True)
    assert [(chunk.name, chunk.attempt) for chunk in _chunks(stage) if chunk.status is Status.PENDING] == [("c-3", 1)]


@given(parsers.parse("a backfill of table `orders` in chunks `c-1, c-2`"))
def backfill_in_chunks(shop: Shop) -> None:
    chunked(shop, 2)


@when(parsers.parse("a backfill from `{begins:d}` to `{ends:d}` by `{step:d}` is planned for cursor kind `{kind}`"))
def is_planned(stage: Stage, begins: int, ends: int, step: int, kind: str) -> None:
    stage.outcome = [str(each) for each in backfill.plan(CursorKind(kind), Span(Window(begins, ends), step))]


@when(parsers.parse("a backfill of {units:d} units at a time is planned for cursor kind `{kind}`"))
def is_planned_at_once(stage: Stage, units: int, kind: str) -> None:
    try:
        backfill.admit_units("shop", CursorKind(kind), units)
    except contextful.ContextfulError as refusal:
        stage.error = refusal


@when(parsers.parse("chunk `c-1` is claimed at `{at}`"))
def is_claimed(stage: Stage, at: str) -> None:
    """By a process that lives on."""
    stage.world = BeatingWorld(now_ms=instant_ms(at))
    chunk = Chunk("shop", "orders", 1, Window(0, STEP))
    stage.rows.commit(backfill.planned(chunk))
    claim = Claim(stage.rows, stage.world, chunk)
    stage.opened["claims"] = stage.engine().attempt(chunk.scope, own.Pins("plan", {}), takes=claim.takes)
    stage.shown = Lease(stage)


@when(parsers.parse("attempt 2 takes over chunk `c-1`"))
def takes_over(stage: Stage, shop: Shop) -> None:
    """And dies in the pull that the first one stands in."""
    stage.world.skip(CHUNK_LAPSED_MS)
    shop.next_fire("second", at_pull={1: shop.die}, chunks=True)
    assert isinstance(stage.error, Crash)
    assert [chunk.attempt for chunk in _chunks(stage)] == [2]


@when(parsers.parse("attempt 1 commits chunk `c-1`"))
def first_attempt_commits(shop: Shop) -> None:
    shop.release("first")


@when(parsers.parse("chunk `c-1` completes"))
def chunk_completes(stage: Stage, shop: Shop) -> None:
    """It has had an owner, and the chunk after it has one now."""
    scopes = [own.ChunkScope("shop", "orders", name) for name in ("c-1", "c-2")]
    pages = len(shop.listing.pages)

    def dies() -> None:
        assert [stage.owner(scope) is not None for scope in scopes] == [False, True]
        shop.die()

    shop.dies(chunks=True, at_pull={1: lambda: _owned(stage, scopes[0]), pages + 1: dies})


@when(parsers.parse("a stop of scope `{scope}` comes during the pull of chunk `c-3`"))
def stop_comes_in_a_chunk(stage: Stage, shop: Shop, scope: str) -> None:
    simulation = Simulation(stage)

    def ask() -> None:
        assert _chunks(stage)[2].attempt == 2
        stage.onlooker().stop("again.c-3", scope=scope)
        simulation.wait(1_000)

    simulation.play(lambda: shop.fire("again", at_pull={1: ask}, chunks=True))
    assert [type(outcome) for outcome in shop.fired.outcomes] == [Canceled]


@when(parsers.parse("the window `{window}` is rewound with reason `{reason}`"))
def window_is_rewound(stage: Stage, shop: Shop, window: str, reason: str) -> None:
    try:
        _history(stage, shop).rewind(window, reason=reason)
    except contextful.ContextfulError as refusal:
        stage.error = refusal


@then(parsers.parse("it has the chunks `{windows}`"))
def has_the_chunks(stage: Stage, windows: str) -> None:
    assert stage.outcome == _split(windows)


@then(parsers.re(r"chunks? `(?P<names>[^`]+)` (is|are) (?P<status>pending|done)"))
def chunks_are(stage: Stage, names: str, status: str) -> None:
    assert _named(stage, Status(status)) >= set(_split(names))


@then(parsers.parse("chunk `{name}` counts {count:d} attempts"))
def counts_attempts(stage: Stage, name: str, count: int) -> None:
    (chunk,) = [each for each in _chunks(stage) if each.name == name]
    assert (chunk.attempt, chunk.holder) == (count, None)


@then("its files are collected later")
def files_are_collected(stage: Stage, shop: Shop) -> None:
    """By whoever gets the chunk done: what nobody committed is gone."""
    assert shop.staged("second.c-1") == 1
    stage.world.skip(CHUNK_LAPSED_MS)
    shop.next_fire("third", chunks=True)
    assert [type(outcome) for outcome in shop.fired.outcomes] == [Success]
    wrote = [run_id for run_id in ("first.c-1", "second.c-1", "third.c-1") if shop.run_folder(run_id).exists()]
    assert wrote == ["third.c-1"]


@then(parsers.parse("{count:d} rows have the reason `{reason}`"))
def rows_have_the_reason(stage: Stage, count: int, reason: str) -> None:
    found = [run for run in stage.onlooker().history() if run.reason == reason]
    assert len(found) == count
    assert all(run.chunk for run in found)


def _history(stage: Stage, shop: Shop) -> Backfill:
    """The pipeline's backfill in the hands of an operator, who lands nothing."""
    engine = stage.onlooker()
    landings = Landings(engine, stage.rows, stage.world, shop.store(), site_id="here", connectors=_nobody)
    return Backfill(shop.spec(), engine, stage.rows, stage.world, landings, _nobody)


def _nobody(*_: object) -> NoReturn:
    raise AssertionError("nothing is pulled")


def _owned(stage: Stage, scope: own.Scope) -> None:
    assert stage.owner(scope) is not None


def _chunks(stage: Stage) -> Sequence[Chunk]:
    asked = Select(backfill.CHUNK, {"pipeline_id": "shop", "table_name": "orders"})
    return [backfill.from_row(row) for row in stage.rows.select(asked)]


def _named(stage: Stage, status: Status) -> set[str]:
    """The chunks that stand so, by their names and by their windows."""
    found = [chunk for chunk in _chunks(stage) if chunk.status is status]
    return {chunk.name for chunk in found} | {str(chunk.window) for chunk in found}


def _split(text: str) -> list[str]:
    """What a page lists: windows, each of which has a comma of its own, or names."""
    if not text.startswith("["):
        return text.split(", ")
    return [f"{part})" for part in text.removesuffix(")").split("), ")]
