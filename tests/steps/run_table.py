"""Steps of run.record about the reserved table of the store: what is appended to it, folded, and made of it again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pytest_bdd import given, parsers, then, when

from contextful.adapters import arrow
from contextful.faces import cli
from contextful.faces.manifest import MANIFEST
from contextful.faces.shapes import history_page
from contextful.kernel.change import Clear, Delete
from contextful.kernel.shape import to_json
from contextful.run import record
from contextful.run.journal import journal
from contextful.run.own import own
from contextful.run.record import Counts, Run
from contextful.run.shown import run_row
from contextful.store import lay_out, runs
from contextful_contract import limits
from contextful_contract.shapes import Phase, RunStatus
from tests.steps.shop import Shop
from tests.steps.stage import Stage, instant_ms


@then(parsers.parse("`_runs` holds {count:d} rows of run `{run_id}`"))
def runs_holds(stage: Stage, shop: Shop, count: int, run_id: str) -> None:
    held = [row for batch in shop.run_table().batches() for row in batch if row["run_id"] == run_id]
    assert len(held) == count
    stage.named["phases"] = [row["phase"] for row in held]


@then(parsers.parse("they are of the phases `{phases}`"))
def of_the_phases(stage: Stage, phases: str) -> None:
    assert stage.named["phases"] == phases.split(", ")


TWO = "in phase `commit` a row of {first:d} rows and after it a row of {second:d} rows"


@given(parsers.parse("`_runs` holds for run `{run_id}` " + TWO))
def runs_holds_two(stage: Stage, shop: Shop, run_id: str, first: int, second: int) -> None:
    """And the catalog is made of it."""
    for count in (first, second):
        shop.run_table().append([_row(run_id, Counts(rows=count))])
    stage.engine(shop.run_table).restore_history()


@given(parsers.parse("`_runs` is {short:d} appends short of a fold"))
def short_of_a_fold(stage: Stage, shop: Shop, short: int) -> None:
    _append(stage, shop, limits.STORE_COMPACTION_RUN_COUNT_RUNS - short)
    assert folded(shop) == 0


@given("the next fold of `_runs` fails")
def next_fold_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, failures = arrow.merged, iter([OSError("the disk is full")])

    def merged(*given: object) -> int:
        for failure in failures:
            raise failure
        return whole(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(arrow, "merged", merged)


@when(parsers.parse("{count:d} rows are appended to `_runs`"))
def rows_are_appended(stage: Stage, shop: Shop, count: int) -> None:
    _append(stage, shop, count)


@then("the appends have succeeded")
def appends_have_succeeded(stage: Stage, shop: Shop) -> None:
    found = [row["run_id"] for batch in shop.run_table().batches() for row in batch]
    assert found == stage.seen["appended"]


@then(parsers.parse("`_runs` has been folded {count:d} times"))
def has_been_folded(shop: Shop, count: int) -> None:
    assert folded(shop) == count


@given("the host's own stores are lost")
def stores_are_lost(stage: Stage) -> None:
    """All that they held of the execution, and none of what is in the tree of files."""
    owner = stage.owner()
    assert owner is not None
    assert stage.entries_of(owner.execution_id)
    lost = (Clear(journal.ENTRY, {"execution_id": owner.execution_id}), Delete(own.OWNER, {"scope": owner.scope.key()}))
    assert stage.rows.commit(*lost)


@when("the catalog is rebuilt")
def catalog_is_rebuilt(stage: Stage, shop: Shop) -> None:
    """It is a cache, and was dropped. What the command does for the folder's own stores is done for the stage's too."""
    for run in stage.onlooker().history(limit=10_000):
        assert stage.rows.commit(Delete(record.RUN, {"run_id": run.run_id}))
    (shop.folder / MANIFEST).write_text(shop.manifest())
    assert cli.run(["context", "rebuild-catalog", "--project", str(shop.folder)]) == 0
    stage.engine(shop.run_table).restore_history()


@when(parsers.parse("history is asked for with a ceiling of {ceiling:d} rows"))
def history_with_a_ceiling(stage: Stage, ceiling: int) -> None:
    stage.shown = to_json(history_page(stage.onlooker().window(ceiling=ceiling)))


@when(parsers.parse("history is asked for as of `{bound}`"))
def history_as_of(stage: Stage, shop: Shop, bound: str) -> None:
    page = stage.engine(shop.run_table).window_as_of(instant_ms(bound), pipeline="shop", ceiling=10)
    stage.shown = to_json(history_page(page))


def folded(shop: Shop) -> int:
    """How many folds the table has on disk."""
    folder = shop.store().root / lay_out.table_folder(runs.TABLE) / lay_out.SNAPSHOTS
    return len([each for each in folder.glob("*") if (each / lay_out.MANIFEST).exists()])


def _append(stage: Stage, shop: Shop, count: int) -> None:
    before: Sequence[object] = stage.seen["appended"]
    for number in range(len(before), len(before) + count):
        shop.run_table().append([_row(f"r-{number}", Counts())])
        stage.seen["appended"].append(f"r-{number}")


def _row(run_id: str, counts: Counts) -> runs.Record:
    run = Run(run_id, "exec-1", "plan", "here", RunStatus.SUCCESS, 1_000, phase=Phase.COMMIT, counts=counts)
    return to_json(run_row(run))
