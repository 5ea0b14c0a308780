"""Where an engine's state is kept, and what a database has to be before anything runs."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
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
from contextful.faces.cli import run
from contextful.faces.config import CONFIG
from contextful.faces.embedded import Engine
from contextful.faces.manifest import read
from contextful.faces.profile import Project
from contextful.faces.stores import D1, D1_TOKEN, LIBPQ, POSTGRES, PROFILE, STATE
from contextful.kernel.failure import StorageFailed
from contextful.store import lay_out
from contextful.testing.workerd import TOKEN, Server, running
from tests.faces.test_profile import MANIFEST


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment that says nothing of storage yet."""
    for name in (PROFILE, POSTGRES, D1, D1_TOKEN, *LIBPQ):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@dataclass
class Database:
    """A new database, which the environment names as the place of all state, and its bindings."""

    bindings: list[str]
    sql: Callable[[str], object]
    tables: Callable[[], set[str]]


@pytest.fixture
def on_postgres(environment: pytest.MonkeyPatch, postgres_address: str) -> Iterator[Database]:
    environment.setenv(PROFILE, "postgres")
    environment.setenv(POSTGRES, postgres_address)
    with psycopg.connect(postgres_address, autocommit=True) as connection:

        def tables() -> set[str]:
            found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
            return {name for (name,) in found}

        yield Database([POSTGRES], lambda statement: connection.execute(statement.encode()), tables)


@pytest.fixture
def on_d1(environment: pytest.MonkeyPatch, cloudflare: Server) -> Database:
    environment.setenv(PROFILE, "cloudflare-d1")
    environment.setenv(D1, cloudflare.address)
    environment.setenv(D1_TOKEN, TOKEN)
    named = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> '_cf_METADATA'"
    return Database([D1, D1_TOKEN], cloudflare.sql, lambda: {str(name) for (name,) in cloudflare.sql(named)})


@pytest.fixture(params=["on_postgres", "on_d1"])
def database(request: pytest.FixtureRequest) -> Database:
    """A new database of each kind."""
    made: Database = request.getfixturevalue(request.param)
    return made


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
def test_a_profile_without_one_of_its_bindings_is_refused(
    environment: pytest.MonkeyPatch, database: Database, tmp_path: Path
) -> None:
    for binding in database.bindings:
        with environment.context() as without:
            without.delenv(binding)

            with pytest.raises(StorageCapabilityMissing) as refusal:
                Engine.open(tmp_path)

        assert refusal.value.missing == binding
    assert database.tables() == set()


@pytest.mark.clause("run.journal.storage-incomplete")
def test_a_worker_without_its_bucket_is_refused(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv(PROFILE, "cloudflare-d1")
    environment.setenv(D1_TOKEN, TOKEN)
    with running(bound=["DB"]) as server:
        environment.setenv(D1, server.address)

        with pytest.raises(StorageCapabilityMissing) as refusal:
            Engine.open(tmp_path)

    assert (refusal.value.profile, refusal.value.missing) == ("cloudflare-d1", "BUCKET")


def test_a_token_that_the_worker_does_not_know_is_refused(
    environment: pytest.MonkeyPatch, on_d1: Database, tmp_path: Path
) -> None:
    environment.setenv(D1_TOKEN, "guessed")

    with pytest.raises(StorageFailed, match="the token is not this Worker's"):
        Engine.open(tmp_path)


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1:8787", "ftp://worker", "http://", "http://worker:port", "https://ada:hush@worker", "http://worker/d1"],
    ids=["no scheme", "another scheme", "no host", "no number", "a password", "a path"],
)
def test_an_address_of_a_worker_that_cannot_be_read_is_not_repeated(
    environment: pytest.MonkeyPatch, on_d1: Database, tmp_path: Path, address: str
) -> None:
    environment.setenv(D1, address)

    with pytest.raises(StorageFailed, match="cannot be read") as refusal:
        Engine.open(tmp_path)

    assert "hush" not in str(refusal.value)


@pytest.mark.clause("run.journal.storage-incomplete")
def test_a_profile_whose_adapter_is_not_there_is_refused(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("CONTEXTFUL_STORAGE_PROFILE", "postgres")
    environment.setenv("CONTEXTFUL_POSTGRES", "host=127.0.0.1")
    environment.setitem(sys.modules, "contextful.adapters.postgres", None)

    with pytest.raises(ProfileCapabilityAbsent) as refusal:
        Engine.open(tmp_path)

    assert refusal.value.capability == "postgres"


@pytest.mark.clause("run.journal.storage-incomplete")
@pytest.mark.parametrize(
    ("sync", "missing"),
    [
        ("", "bucket in [sync] of config.toml"),
        ('[sync]\nbucket = "file:/srv"\n', "bucket in [sync] of config.toml"),
        ('[sync]\nbucket = "b"\npush_after_run = false\n', "push_after_run in [sync] of config.toml"),
        ('[sync]\nbucket = "b"\npull_before_run = false\n', "pull_before_run in [sync] of config.toml"),
    ],
    ids=["no bucket", "a folder", "no push", "no pull"],
)
def test_a_project_whose_tables_would_stay_on_this_disk_is_refused(
    environment: pytest.MonkeyPatch, tmp_path: Path, sync: str, missing: str
) -> None:
    environment.setenv("CONTEXTFUL_STORAGE_PROFILE", "postgres")
    (tmp_path / "contextful.toml").write_text(MANIFEST)
    config = tmp_path / lay_out.root(read(tmp_path).name) / CONFIG
    config.parent.mkdir(parents=True)
    config.write_text(sync)

    with pytest.raises(StorageCapabilityMissing) as refusal:
        Project.open(tmp_path)

    assert refusal.value.missing == missing


@pytest.mark.clause("run.journal.storage-unsupported")
def test_a_project_whose_corpus_is_encrypted_keeps_nothing_beside_it_in_clear(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "contextful.toml").write_text(MANIFEST)
    root = tmp_path / lay_out.root(read(tmp_path).name)
    root.mkdir(parents=True)
    (root / "config.toml").write_text('[encryption]\nkey_source = "env:KEY"\n')

    with pytest.raises(StorageProfileUnsupported) as refusal:
        Project.open(tmp_path)

    assert refusal.value.profile == "embedded"
    assert not (tmp_path / STATE).exists()


@pytest.mark.clause("run.journal.execution-schema")
@pytest.mark.clause("run.journal.execution-recovery")
def test_a_new_database_is_refused_and_stays_empty(database: Database, tmp_path: Path) -> None:
    with pytest.raises(ExecutionRecoveryMismatch) as refusal:
        Engine.open(tmp_path)

    assert "contextful storage initialize" in refusal.value.found
    assert database.tables() == set()


@pytest.mark.clause("run.journal.postgres-stores")
def test_a_database_made_ready_serves_engines_of_every_folder(database: Database, tmp_path: Path) -> None:
    Engine.initialize()
    Engine.initialize()

    with pytest.raises(KeyboardInterrupt):
        work(Engine.open(tmp_path / "one"), ends=KeyboardInterrupt)

    assert work(Engine.open(tmp_path / "other")) == "first"
    assert not (tmp_path / "one").exists()


@pytest.mark.clause("run.journal.execution-schema")
def test_a_database_of_another_schema_is_refused(database: Database, tmp_path: Path) -> None:
    Engine.initialize()
    database.sql("UPDATE execution_identity SET schema_version = 7")

    with pytest.raises(ExecutionSchemaIncompatible) as refusal:
        Engine.open(tmp_path)

    assert (refusal.value.found, refusal.value.supported) == ("7", "1")


@pytest.mark.clause("run.journal.execution-recovery")
@pytest.mark.parametrize("table", ["entry", "commit_", "execution_identity"])
def test_a_database_that_lost_a_table_is_refused_and_the_table_stays_lost(
    database: Database, tmp_path: Path, table: str
) -> None:
    Engine.initialize()
    (table,) = (name for name in database.tables() if name.startswith(table))
    database.sql(f"DROP TABLE {table}")

    for attempt in (lambda: Engine.open(tmp_path), Engine.initialize):
        with pytest.raises(ExecutionRecoveryMismatch) as refusal:
            attempt()

        assert table in refusal.value.found
    assert table not in database.tables()


@pytest.mark.clause("run.journal.execution-recovery")
def test_a_database_of_another_project_is_refused(database: Database, tmp_path: Path) -> None:
    Engine.initialize(project="books")

    with pytest.raises(ExecutionRecoveryMismatch) as refusal:
        Engine.open(tmp_path, project="shop")

    assert (refusal.value.expected, refusal.value.found) == ("project shop", "project books")


@pytest.mark.clause("run.journal.execution-recovery")
def test_a_check_makes_nothing_and_says_why(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = run(["storage", "check", "--project", str(tmp_path)])
    refusal = capsys.readouterr().err

    assert before == 1
    assert refusal.startswith("ExecutionRecoveryMismatch: ")
    assert database.tables() == set()
    assert run(["storage", "initialize", "--name", "shop"]) == 0
    assert run(["storage", "check", "--name", "shop"]) == 0
    assert capsys.readouterr().out.count("is ready") == 2
    assert run(["storage", "check", "--name", "books"]) == 1
    assert run(["storage", "initialize", "--name", "books"]) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_checked_like_a_database(
    environment: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--project", str(tmp_path)]

    assert run(["storage", "check", *at]) == 1
    assert list(tmp_path.iterdir()) == []
    assert run(["storage", "initialize", *at, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["profile"] == "embedded"
    assert run(["storage", "check", *at]) == 0
    with closing(sqlite3.connect(tmp_path / STATE)) as connection:
        connection.execute("DROP TABLE entry")
    assert run(["storage", "check", *at]) == 1
    assert "no table entry" in capsys.readouterr().err
    assert run(["storage", "check", *at]) == 1


@pytest.mark.parametrize(
    "content", [b"", b"no database at all, but text of more than a page" * 100], ids=["empty", "text"]
)
def test_a_file_that_is_no_database_is_not_ready(
    environment: pytest.MonkeyPatch, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / STATE
    path.parent.mkdir()
    path.write_bytes(content)

    assert run(["storage", "check", "--project", str(tmp_path)]) == 1
    assert path.read_bytes() == content


def test_the_worker_is_written_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["storage", "worker", "--out", str(tmp_path / "worker")]

    assert run(asked) == 0
    assert {path.name for path in (tmp_path / "worker").iterdir()} == {"worker.js", "wrangler.toml"}
    assert run(asked) == 1
    assert "worker.js cannot be written: File exists" in capsys.readouterr().err
