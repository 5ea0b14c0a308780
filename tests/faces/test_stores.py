"""Where an engine's state is kept, and what a database has to be before anything runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from contextful.errors import (
    ExecutionRecoveryMismatch,
    ExecutionSchemaIncompatible,
    ProfileCapabilityAbsent,
    StorageCapabilityMissing,
    StorageProfileUnsupported,
)
from contextful.faces.profile import Engine, Project
from contextful.faces.stores import LIBPQ
from tests.faces.test_profile import MANIFEST


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment that says nothing of storage yet."""
    for name in ("CONTEXTFUL_STORAGE_PROFILE", "CONTEXTFUL_POSTGRES", *LIBPQ):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.fixture
def database(environment: pytest.MonkeyPatch, postgres_address: str) -> Iterator[psycopg.Connection]:
    """A new database, which the environment names as the place of all state."""
    environment.setenv("CONTEXTFUL_STORAGE_PROFILE", "postgres")
    environment.setenv("CONTEXTFUL_POSTGRES", postgres_address)
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        yield connection


def tables(database: psycopg.Connection) -> set[str]:
    """What the database holds."""
    found = database.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    return {name for (name,) in found}


def work(engine: Engine, *, ends: type[BaseException] | None = None) -> str:
    """A body of one step, which says whether it is the one that was recorded first."""
    with engine, engine.execution("nightly", "plan") as run:
        said = run.step("say", lambda: "again" if ends is None else "first")
        if ends is not None:
            raise ends
        return said


@pytest.mark.clause("run.journal.storage-unsupported")
@pytest.mark.parametrize("profile", ["redis", "", "Postgres"], ids=["unknown", "empty", "in other letters"])
def test_a_profile_that_nobody_knows_is_refused_and_nothing_is_made(
    environment: pytest.MonkeyPatch, tmp_path: Path, profile: str
) -> None:
    environment.setenv("CONTEXTFUL_STORAGE_PROFILE", profile)

    with pytest.raises(StorageProfileUnsupported) as refusal:
        Engine.open(tmp_path / "shop")

    assert refusal.value.profile == profile
    assert not (tmp_path / "shop").exists()


@pytest.mark.clause("run.journal.storage-incomplete")
def test_a_profile_without_its_binding_is_refused(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("CONTEXTFUL_STORAGE_PROFILE", "postgres")

    with pytest.raises(StorageCapabilityMissing) as refusal:
        Engine.open(tmp_path)

    assert (refusal.value.profile, refusal.value.missing) == ("postgres", "CONTEXTFUL_POSTGRES")


@pytest.mark.clause("run.journal.storage-incomplete")
@pytest.mark.parametrize("profile", ["postgres", "cloudflare-d1"])
def test_a_profile_whose_adapter_is_not_there_is_refused(
    environment: pytest.MonkeyPatch, tmp_path: Path, profile: str
) -> None:
    environment.setenv("CONTEXTFUL_STORAGE_PROFILE", profile)
    environment.setenv("CONTEXTFUL_POSTGRES", "host=127.0.0.1")
    environment.setitem(sys.modules, "contextful.adapters.postgres", None)

    with pytest.raises(ProfileCapabilityAbsent) as refusal:
        Engine.open(tmp_path)

    assert refusal.value.capability == profile


@pytest.mark.clause("run.journal.storage-incomplete")
def test_a_project_whose_tables_would_stay_on_this_disk_is_refused(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.setenv("CONTEXTFUL_STORAGE_PROFILE", "postgres")
    (tmp_path / "contextful.toml").write_text(MANIFEST)

    with pytest.raises(StorageCapabilityMissing) as refusal:
        Project.open(tmp_path)

    assert refusal.value.missing == "remote bucket for what is landed"


@pytest.mark.clause("run.journal.execution-schema")
@pytest.mark.clause("run.journal.execution-recovery")
def test_a_new_database_is_refused_and_stays_empty(database: psycopg.Connection, tmp_path: Path) -> None:
    with pytest.raises(ExecutionRecoveryMismatch) as refusal:
        Engine.open(tmp_path)

    assert "Engine.initialize" in refusal.value.found
    assert tables(database) == set()


@pytest.mark.clause("run.journal.postgres-stores")
def test_a_database_made_ready_serves_engines_of_every_folder(database: psycopg.Connection, tmp_path: Path) -> None:
    Engine.initialize()
    Engine.initialize()

    with pytest.raises(KeyboardInterrupt):
        work(Engine.open(tmp_path / "one"), ends=KeyboardInterrupt)

    assert work(Engine.open(tmp_path / "other")) == "first"
    assert not (tmp_path / "one").exists()


@pytest.mark.clause("run.journal.execution-schema")
def test_a_database_of_another_schema_is_refused(database: psycopg.Connection, tmp_path: Path) -> None:
    Engine.initialize()
    database.execute("UPDATE execution_identity SET schema_version = 7")

    with pytest.raises(ExecutionSchemaIncompatible) as refusal:
        Engine.open(tmp_path)

    assert (refusal.value.found, refusal.value.supported) == ("7", "1")


@pytest.mark.clause("run.journal.execution-recovery")
@pytest.mark.parametrize("table", ["entry", "commit_mark", "execution_identity"])
def test_a_database_that_lost_a_table_is_refused_and_the_table_stays_lost(
    database: psycopg.Connection, tmp_path: Path, table: str
) -> None:
    Engine.initialize()
    database.execute(f"DROP TABLE {table}".encode())

    for attempt in (lambda: Engine.open(tmp_path), Engine.initialize):
        with pytest.raises(ExecutionRecoveryMismatch) as refusal:
            attempt()

        assert table in refusal.value.found
    assert table not in tables(database)


@pytest.mark.clause("run.journal.execution-recovery")
def test_a_database_of_another_project_is_refused(database: psycopg.Connection, tmp_path: Path) -> None:
    Engine.initialize(project="books")

    with pytest.raises(ExecutionRecoveryMismatch) as refusal:
        Engine.open(tmp_path, project="shop")

    assert (refusal.value.expected, refusal.value.found) == ("project shop", "project books")
