"""Steps of the stores that a profile chooses: one SQLite file on a laptop, PostgreSQL and a bucket in a container."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pytest_bdd import parsers, then, when

import contextful
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.sqlite import SqliteRows
from contextful.faces import stores
from contextful.faces.profile import Project
from contextful.kernel.failure import StorageFailed
from contextful.testing import SkippingWorld
from contextful.testing.postgres import schema
from contextful_contract.shapes import AwakeableState
from tests.steps.apply import declare
from tests.steps.carry import Carriage
from tests.steps.manifest import SHOP
from tests.steps.shop import Shop
from tests.steps.stage import Stage
from tests.steps.suspend import Desk, Opening

FILE = "machine.sqlite"
REFUSES = "CREATE TRIGGER refuses BEFORE UPDATE ON awakeable BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"


@when("the engine starts under the storage profile `postgres`")
def engine_starts(
    stage: Stage, shop: Shop, carriage: Carriage, postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the bucket is one that speaks S3, as far as the project can tell."""
    declare(shop)
    root = shop.store().root
    root.mkdir(parents=True, exist_ok=True)
    (root / "config.toml").write_text('[sync]\nbucket = "shop-corpus"\n')
    with schema(postgres_database) as address:
        monkeypatch.setenv(stores.PROFILE, "postgres")
        monkeypatch.setenv(stores.POSTGRES, address)
        contextful.Engine.initialize(project=SHOP)
        with Project.open(shop.folder, world=stage.world, bucket=carriage.bucket) as project:
            carrying = project.carrying()
            assert carrying is not None
            switches = {name: getattr(carrying.sync, name) for name in ("pull_before_run", "push_after_run")}
            stage.shown = {**project.parts, **switches}


@when("a resolution fails after its journal write")
def resolution_fails(
    request: pytest.FixtureRequest, stage: Stage, desk: Desk, opening: Opening, tmp_path: Path
) -> None:
    """The same transaction was to update the awakeable, which the file does not take."""
    stage.rows = opening()
    request.addfinalizer(lambda: stage.rows.close())
    stage.attempt()
    with closing(sqlite3.connect(tmp_path / FILE)) as file:
        file.execute(REFUSES)
        file.commit()
    with pytest.raises(StorageFailed) as failed:
        stage.onlooker().resolve(desk.token, "yes")
    stage.error = failed.value


@then("the awakeable is pending")
def awakeable_is_pending(stage: Stage, desk: Desk) -> None:
    assert stage.onlooker().awakeable(desk.token).state is AwakeableState.PENDING


@then(parsers.parse("{count:d} database files are in use in journal mode `{mode}`"))
def files_are_in_use(tmp_path: Path, count: int, mode: str) -> None:
    files = list(tmp_path.rglob("*.sqlite"))
    with closing(sqlite3.connect(tmp_path / FILE)) as file:
        assert file.execute("PRAGMA journal_mode").fetchone() == (mode,)
    assert len([path for path in files if path.name == FILE]) == count


@then(parsers.parse("{count:d} connections are open"))
def connections_are_open(opening: Opening, tmp_path: Path, count: int) -> None:
    """However much is asked of the rows: each connection holds the file open once."""
    rows = opening()
    assert isinstance(rows, SqliteRows)
    engine = contextful.Engine(rows, RowBlobs(rows), SkippingWorld())
    with engine.execution("another", "plan", run_id="another") as run:
        run.step("read", int)
        held = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if _open(fd)]
        assert held.count(str(tmp_path / FILE)) == count
    engine.close()


def _open(descriptor: str) -> bool:
    return os.path.islink(f"/proc/self/fd/{descriptor}")
