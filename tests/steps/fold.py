"""Steps of store.fold: when a table is due, what a fold writes, and what stays for how long."""

from __future__ import annotations

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.fold import Folds
from contextful.faces.manifest import MANIFEST
from contextful.faces.profile import Project
from contextful.pipeline import compile
from contextful.store import bound_time
from contextful.store.declare import Reading
from tests.steps.fires import rows_read
from tests.steps.shop import Shop
from tests.steps.stage import Stage, instant_ms

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


@given(parsers.parse("a table of {count:d} runs since its last fold"))
def runs_since(stage: Stage, shop: Shop, count: int) -> None:
    shop.land([{"id": "before"}], "before")
    _fold(shop)
    for number in range(count):
        shop.land([{"id": f"since-{number}"}], f"since-{number}")
    shop.set_up()
    assert not _folds(shop).due(shop.stored())


@when(parsers.parse("{hours:d} h pass"))
def hours_pass(stage: Stage, hours: int) -> None:
    stage.world.skip(hours * HOUR_MS)


@then("a fold of the table is due")
def fold_is_due(stage: Stage, shop: Shop) -> None:
    assert stage.named.get("folded") or _folds(shop).due(shop.stored())


@then("no fold of the table is due")
def no_fold_is_due(shop: Shop) -> None:
    assert not _folds(shop).due(shop.stored())


@when("`contextful context compact orders` runs")
def compact_runs(stage: Stage, shop: Shop) -> None:
    """It folds at once what nothing else would fold yet."""
    (shop.folder / MANIFEST).write_text(shop.manifest())
    runs = len(shop.store().history(shop.stored()).runs)
    with Project.open(shop.folder, world=stage.world) as project:
        snapshot = project.compact(shop.stored())[shop.stored()].snapshot
    assert snapshot is not None
    assert len(snapshot.includes_runs) == runs
    stage.named["folded"] = snapshot


@when(parsers.parse("the table is folded at `{at}`"))
def is_folded_at(stage: Stage, shop: Shop, at: str) -> None:
    if not shop.manifests():
        shop.land([{"id": 1}], "before")
    stage.world.skip(instant_ms(at) - stage.world.now_ms())
    before = _answers(shop)
    _fold(shop)
    assert _answers(shop) == before


@given(parsers.parse("{count:d} runs of the table were folded {days:d} d ago"))
def runs_were_folded(stage: Stage, shop: Shop, count: int, days: int) -> None:
    for number in range(count):
        shop.land([{"id": number}], f"r-{number}")
    _fold(shop)
    stage.world.skip(days * DAY_MS)


@when("its collection runs")
def collection_runs(shop: Shop) -> None:
    before = _answers(shop)
    _folds(shop).collect(shop.stored())
    assert _answers(shop) == before


@then(parsers.parse("{count:d} runs are on disk"))
def runs_on_disk(shop: Shop, count: int) -> None:
    assert len(list(shop.store().root.glob("tables/*/data/runs/*/*"))) == count


@then(parsers.parse("the snapshots are called `{names}`"))
def snapshots_are_called(shop: Shop, names: str) -> None:
    history = shop.store().history(shop.stored())
    assert [snapshot.snapshot_id for snapshot in history.snapshots] == names.split(", ")
    assert history.current == history.snapshots[-1]


@given(parsers.parse("the table has kept its history since `{at}`"))
def has_kept_since(stage: Stage, shop: Shop, at: str) -> None:
    """Of a keyed table: a keyless one's rows say themselves since when each was there."""
    shop.table["primary_key"] = ["id"]
    shop.land([{"id": 1}], "r-1")
    stage.world.skip(instant_ms(at) - stage.world.now_ms())
    _fold(shop)
    stage.world.skip(8 * DAY_MS)
    assert len(_folds(shop).collect(shop.stored())) == 1
    assert rows_read(shop, as_of_ms=instant_ms(at)) == 1


@when(parsers.parse("the table is read as of `{at}`"))
def is_read_as_of(stage: Stage, shop: Shop, at: str) -> None:
    try:
        rows_read(shop, as_of_ms=bound_time.bound_ms(at))
    except contextful.ContextfulError as refusal:
        stage.error = refusal


def _folds(shop: Shop) -> Folds:
    store = shop.store()
    return Folds(store, DuckdbReads(store, [_reading(shop)]))


def _fold(shop: Shop) -> None:
    assert _folds(shop).fold(_reading(shop)) is not None


def _reading(shop: Shop) -> Reading:
    (plan,) = compile.tables(shop.spec())
    return plan.reading


def _answers(shop: Shop) -> list[tuple[object, ...]]:
    """Everything that the table reads."""
    return shop.select("SELECT * FROM it ORDER BY _commit_seq, _row_seq")
