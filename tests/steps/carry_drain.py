"""Steps of store.drain: runs that are marked until a push has carried them, and what is told of those that are."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import pytest
import typer
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.faces import carrying, cli, stores
from contextful.faces.cli import carry
from contextful.faces.cli.ending import Terminated
from contextful.faces.manifest import MANIFEST
from contextful.kernel.change import Change, Update
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Row
from contextful.ports.world import Event
from contextful.run import record
from contextful.run.own import own
from contextful.testing import Crashes, SkippingWorld
from contextful_contract.shapes import FailureTag, RunStatus
from tests.steps.arm import Cadence
from tests.steps.carry import Carriage, lands_to
from tests.steps.carry_push import holds_the_guard
from tests.steps.script import Page, position
from tests.steps.shop import Shop
from tests.steps.stage import LEASE_LAPSED_MS, Stage

DAY_MS = 24 * 3_600_000
ELSEWHERE = "elsewhere"


class Told(SkippingWorld):
    """A world in which the process is told to stop, once it waits for the first time."""

    def __init__(self, *, now_ms: int) -> None:
        super().__init__(now_ms=now_ms)
        self._told = False

    def wait(self, event: Event, timeout_ms: int) -> bool:
        """Be told, or wait as ever."""
        if not self._told:
            self._told = True
            raise Terminated
        return super().wait(event, timeout_ms)


@given(parsers.parse("run `{run_id}` is marked on node `{node}`"))
def is_marked_on(carriage: Carriage, shop: Shop, monkeypatch: pytest.MonkeyPatch, run_id: str, node: str) -> None:
    """It has landed, and nobody has pushed."""
    monkeypatch.setenv(stores.PROFILE, "postgres")
    shop.node_id, shop.recorded = node, True
    lands_to(shop, run_id, "p1")
    assert _row(shop, run_id)["unpushed_node"] == node


@given(parsers.parse("the manifest of run `{run_id}` is local"))
def manifest_is_local(shop: Shop, run_id: str) -> None:
    assert shop.store().landed(run_id)


@given("the disk has been replaced by an empty one")
def disk_was_replaced(shop: Shop) -> None:
    shutil.rmtree(shop.store().root)


@given(parsers.parse("`pull_tables` leaves out the table of run `{run_id}`"))
def leaves_out(carriage: Carriage, run_id: str) -> None:
    carriage.sync.pull_tables = [ELSEWHERE]


@given(parsers.parse("the bucket lists the manifest of run `{run_id}`"))
def bucket_listed(carriage: Carriage, shop: Shop, run_id: str) -> None:
    """As another process of the node has pushed it that died before it settled the mark; and the disk went."""
    carriage.carrying().pushes.push()
    disk_was_replaced(shop)
    carriage.carrying().pulls.pull()
    assert not shop.store().landed(run_id)


@given(parsers.parse("run `{run_id}` has a live owner and no manifest"))
def has_a_live_owner(stage: Stage, shop: Shop, run_id: str) -> None:
    disk_was_replaced(shop)
    alive: Row = {"status": RunStatus.RUNNING.value, "lease_expires_ms": stage.world.now_ms() + 20_000}
    assert stage.rows.commit(Update(record.RUN, {"run_id": run_id}, {}, alive))


@given(parsers.parse("the process dies after the commit of run `{run_id}` and before its push"))
def dies_after_the_commit(stage: Stage, shop: Shop, run_id: str) -> None:
    shop.node_id = "n-1"
    shop.listing.pages = [Page([{"id": run_id}], position("p1"), more=False)]
    shop.dies(run_id, after_marker=shop.die)
    stage.crashes, stage.error = Crashes(), None
    stage.world.skip(LEASE_LAPSED_MS)


@given("another push holds the push guard for 16 s")
def guard_is_held(carriage: Carriage, held: ExitStack) -> None:
    holds_the_guard(carriage, held, "41")


@given("the bucket refuses every push")
def refuses_every_push(carriage: Carriage) -> None:
    carriage.bucket.before_write = [_refused] * 100


@given("no run is marked")
def no_run_is_marked(carriage: Carriage) -> None:
    assert carriage.carrying().marks.all() == []


@given(parsers.parse("{lost:d} lost marks and {unlost:d} open marks"))
def so_many_marks(stage: Stage, lost: int, unlost: int) -> None:
    ids = [f"lost-{number:03d}" for number in range(lost)]
    _mark(stage, ids, {"lost": 1, "lost_ms": stage.world.now_ms()})
    _mark(stage, [f"open-{number:03d}" for number in range(unlost)], {})


@given(parsers.parse("run `{run_id}` was lost {days:d} d ago"))
def was_lost(stage: Stage, run_id: str, days: int) -> None:
    _mark(stage, [run_id], {"lost": 1, "lost_ms": stage.world.now_ms() - days * DAY_MS})


@given(parsers.parse("run `{run_id}` is lost and has no instant"))
def is_lost_without_an_instant(stage: Stage, run_id: str) -> None:
    _mark(stage, [run_id], {"lost": 1})


@given("the execution database cannot be read")
def cannot_be_read(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(stores.PROFILE, "postgres")
    monkeypatch.setenv(stores.POSTGRES, "host=127.0.0.1 port=1")
    stage.named["unread"] = True


@when(parsers.parse("run `{run_id}` opens on node `{node}`"))
def opens_on(stage: Stage, shop: Shop, run_id: str, node: str) -> None:
    shop.node_id = node
    disk = carrying.unpushed(shop.store(), stores.chosen())
    engine = contextful.Engine(stage.rows, stage.blobs, stage.world, disk=disk)
    stage.opened[run_id] = engine.attempt(shop.scope(), own.Pins("plan", {}), run_id=run_id)


@when(parsers.parse("run `{run_id}` closes without a manifest"))
def closes_without(stage: Stage, run_id: str) -> None:
    failure = contextful.Failure(FailureTag.PERMANENT, "no luck")
    stage.opened.pop(run_id).close(record.Closing(RunStatus.FAILED, failure))


@when("the store is looked at")
def store_is_looked_at() -> None:
    """Nobody does anything about it."""


@when(parsers.parse("a push commits on node `{node}`"))
def push_commits(stage: Stage, carriage: Carriage, capsys: pytest.CaptureFixture[str], node: str) -> None:
    carriage.push(node)
    stage.named["stderr"] = capsys.readouterr().err


@when("the run record of the store is read")
def record_is_read(stage: Stage, shop: Shop) -> None:
    stage.shown = [row for batch in shop.run_table().batches() for row in batch]


@when(parsers.re(r"`run start` is called and the bucket (?P<does>accepts|refuses) the push"))
def run_start_is_called(
    stage: Stage, carriage: Carriage, shop: Shop, capsys: pytest.CaptureFixture[str], does: str
) -> None:
    """Whenever the manifest is replaced, it is seen whether the new run has opened."""

    def look() -> None:
        stage.seen["opened at a push"].append(stage.rows.get(record.RUN, ("r-new",)) is not None)

    carriage.bucket.before_write = [look if does == "accepts" else _refused] * 10
    carriage.sync.pull_before_run = True
    shop.listing.pages.append(Page([{"id": "new"}], position("p2"), more=False))
    pulled = sum(len(fire.pulls) for fire in shop.fires)
    try:
        with carry.carried(carriage.carrying()):
            lands_again(shop)
    except Exception as error:  # noqa: BLE001
        stage.error = error
    stage.named["pulls since"] = sum(len(fire.pulls) for fire in shop.fires) - pulled
    stage.named["stderr"] = capsys.readouterr().err + str(stage.error)


@when("`pipeline serve` gets a stop signal")
def gets_a_stop_signal(stage: Stage, carriage: Carriage, cadence: Cadence, capsys: pytest.CaptureFixture[str]) -> None:
    """While a child of it is at work."""
    carriage.sync.push_after_run = True
    cadence.schedules["busy"], cadence.busy = "every 1h", {"busy"}
    stage.world = Told(now_ms=stage.world.now_ms())

    happens = carriage.bucket.before_write

    def ended() -> None:
        stage.seen["ended at the push"].append([child.ended() for child in cadence.children])
        if happens:
            happens.pop(0)()

    happens.insert(0, ended)
    with pytest.raises(typer.Exit) as left:
        carry.kept(cadence.scheduler(), stage.world.event(), carriage.carrying())
    stage.outcome = left.value.exit_code
    stage.named["stderr"] = capsys.readouterr().err


@when(parsers.re(r"`sync status(?P<whole> --all)?` runs"))
def sync_status_runs(
    stage: Stage, shop: Shop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], whole: str | None
) -> None:
    """Over the stage's own database in place of a server's, unless that is another which cannot be read."""
    if not stage.named.get("unread"):
        monkeypatch.setenv(stores.PROFILE, "postgres")
        monkeypatch.setattr(stores, "shared", lambda *_: stores.local(shop.folder, stage.world))
    (shop.folder / MANIFEST).write_text(shop.manifest())
    options = ["--all"] if whole else []
    capsys.readouterr()
    stage.outcome = cli.run(["sync", "status", *options, "--project", str(shop.folder)])
    stage.shown = json.loads(capsys.readouterr().out)
    stage.named |= {"null": None, '"SyncRunsUnpushed"': "SyncRunsUnpushed"}


@then(parsers.parse("run `{run_id}` is marked with node `{node}`"))
def is_marked_with(shop: Shop, run_id: str, node: str) -> None:
    row = _row(shop, run_id)
    assert (row["unpushed"], row["unpushed_node"], row["lost"]) == (run_id, node, None)


@then(parsers.parse("run `{run_id}` is not marked"))
def is_not_marked(shop: Shop, run_id: str) -> None:
    row = _row(shop, run_id)
    assert {row[name] for name in ("unpushed", "unpushed_node", "lost", "lost_ms")} == {None}


@then(parsers.parse("run `{run_id}` is lost"))
def is_lost(shop: Shop, run_id: str) -> None:
    assert _row(shop, run_id)["lost"] == 1


@then(parsers.parse("run `{run_id}` is lost since that push"))
def is_lost_since(stage: Stage, shop: Shop, run_id: str) -> None:
    assert _row(shop, run_id)["lost_ms"] == stage.world.now_ms()


@then(parsers.parse("the row of run `{run_id}` is kept"))
def row_is_kept(shop: Shop, run_id: str) -> None:
    assert _row(shop, run_id)["status"] == RunStatus.SUCCESS


@then(parsers.parse("run `{run_id}` has committed nothing"))
def has_committed_nothing(shop: Shop, run_id: str) -> None:
    assert not shop.store().landed(run_id)


@then(parsers.parse("the bucket lists the manifest of run `{run_id}`"))
def bucket_lists(carriage: Carriage, run_id: str) -> None:
    assert run_id in carriage.run_manifests()


@then(parsers.parse("the row of run `{run_id}` has no key `{key}`"))
def row_has_no_key(stage: Stage, run_id: str, key: str) -> None:
    rows: Any = stage.shown
    found = [row for row in rows if row["run_id"] == run_id]
    assert len(found) == 2
    assert all(key not in row for row in found)


@then(parsers.parse("stderr names run `{run_id}`"))
def stderr_names(stage: Stage, run_id: str) -> None:
    assert run_id in str(stage.named["stderr"])


@then("the push comes before the new run opens")
def push_comes_before(stage: Stage) -> None:
    assert stage.seen["opened at a push"][0] is False


@then("no push is made before the new run opens")
def no_push_before(stage: Stage, shop: Shop) -> None:
    assert False not in stage.seen["opened at a push"]
    assert _row(shop, "r-new") is not None


@then("no run opens")
def no_run_opens(stage: Stage) -> None:
    assert stage.rows.get(record.RUN, ("r-new",)) is None


@then("no table is read")
def no_table_is_read(stage: Stage) -> None:
    assert stage.named["pulls since"] == 0


@then("its children end before its push begins")
def children_end_before(stage: Stage) -> None:
    assert stage.seen["ended at the push"] == [[True]]


@then(parsers.parse("`sync status` exits with {code:d} and lists run `{run_id}`"))
def exits_and_lists(
    stage: Stage,
    shop: Shop,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    code: int,
    run_id: str,
) -> None:
    sync_status_runs(stage, shop, monkeypatch, capsys, None)
    assert stage.outcome == code
    assert [(each["run_id"], each["lost"]) for each in _told(stage)["runs"]] == [(run_id, True)]


@then(parsers.parse("it lists run `{run_id}` with `{keys}`"))
def it_lists_run(stage: Stage, run_id: str, keys: str) -> None:
    (listed,) = _told(stage)["runs"]
    assert set(listed) == {"run_id", *keys.split(", ")}
    assert (listed["run_id"], listed["pipeline"], listed["table"]) == (run_id, "shop", "orders")
    assert (listed["node"], listed["lost"]) == ("n-1", False)
    assert listed["ended_at"].endswith("Z")


@then(parsers.parse("it lists {lost:d} lost runs and {unlost:d} open runs, in order of run id"))
def it_lists_so_many(stage: Stage, lost: int, unlost: int) -> None:
    listed = _told(stage)["runs"]
    assert [sum(each["lost"] is kind for each in listed) for kind in (True, False)] == [lost, unlost]
    assert [each["run_id"] for each in listed] == sorted(each["run_id"] for each in listed)
    assert listed[0]["run_id"] == "lost-000"


@then("its `error` names `SyncStatusUnread` and the cause")
def error_names(stage: Stage) -> None:
    error = _told(stage)["error"]
    assert error["identifier"] == "SyncStatusUnread"
    assert "127.0.0.1" in error["cause"]


def lands_again(shop: Shop) -> None:
    """The new run, which the command that pulls first is for."""
    shop.listing.begins.add(position("p1"))
    shop.next_fire("r-new")


def _refused() -> None:
    raise StorageFailed("the bucket refuses")


def _told(stage: Stage) -> Any:
    return stage.shown


def _row(shop: Shop, run_id: str) -> Row:
    row = shop.stage.rows.get(record.RUN, (run_id,))
    assert row is not None
    return row


def _mark(stage: Stage, run_ids: Sequence[str], marked: Row) -> None:
    """Rows of runs that have ended, on another node than this one."""
    process, changes = record.Process(1, "boot-1", "holder"), list[Change]()
    for run_id in run_ids:
        run = record.Run(run_id, "exec-1", "plan", "here", RunStatus.RUNNING, 1_000, pipeline_id="shop", table="orders")
        changes.append(record.opened(run, process, 1_000, node_id=ELSEWHERE))
    assert stage.rows.commit(*changes)
    ended: Row = {"status": RunStatus.SUCCESS.value, "lease_expires_ms": None, "ended_ms": 2_000, **marked}
    assert stage.rows.commit(*(Update(record.RUN, {"run_id": run_id}, {}, ended) for run_id in run_ids))
