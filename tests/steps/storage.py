"""Steps of run.journal, under its heading storage."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.file_tree import FileBlobs, FileRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.errors import ExecutionRecoveryMismatch
from contextful.faces.manifest import read
from contextful.faces.profile import Project
from contextful.faces.stores import D1, D1_TOKEN, POSTGRES, PROFILE, STATE
from contextful.kernel import digest
from contextful.kernel.change import Insert
from contextful.kernel.table import Row, Select
from contextful.ports.blobs import Blobs
from contextful.ports.rows import Rows
from contextful.run import suspend
from contextful.run.journal import journal, storage
from contextful.store import lay_out
from contextful.testing import SkippingWorld
from contextful.testing.workerd import TOKEN
from tests.faces.test_profile import MANIFEST
from tests.steps.stage import Stage
from tests.steps.suspend import Opening

NAMED = {"journal": "entry"}  # what a page calls a table, and its name
Admission = Callable[[str], object]


@dataclass(frozen=True)
class Held:
    """What a store holds of an execution, and one blob."""

    execution_id: str
    sha256: str
    entries: Sequence[Row]
    awakeables: Sequence[Row]
    blob: bytes | None

    @classmethod
    def read(cls, rows: Rows, blobs: Blobs, execution_id: str, sha256: str) -> Held:
        """What it holds now."""
        entries, awakeables = (
            rows.select(Select(table, {"execution_id": execution_id})) for table in (journal.ENTRY, suspend.AWAKEABLE)
        )
        return cls(execution_id, sha256, entries, awakeables, blobs.get(sha256))


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch, postgres_address: str) -> Iterator[psycopg.Connection]:
    """A new execution database, which the environment names."""
    monkeypatch.setenv(PROFILE, "postgres")
    monkeypatch.setenv(POSTGRES, postgres_address)
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        yield connection


@when(
    parsers.parse("a recorded step, a blob of {size:d} bytes and a pending awakeable are written"),
    target_fixture="written",
)
def three_are_written(opening: Opening, tmp_path: Path, size: int) -> Held:
    """One of each, by an attempt that leaves its execution pending."""
    rows = opening()
    blobs = _blobs(rows, tmp_path)
    content = bytes(size)
    world = SkippingWorld()
    blobs.put(digest.of_bytes(content), content, now_ms=world.now_ms())
    run = contextful.Engine(rows, blobs, world).execution("scenario", "plan")
    run.step("read", lambda: {"pages": [1, 2]})
    run.awakeable("approve")
    run.drop()
    held = Held.read(rows, blobs, run.execution_id, digest.of_bytes(content))
    rows.close()
    assert (len(held.entries), len(held.awakeables)) == (1, 1)
    return held


@when("every local disk is replaced")
def disks_are_replaced(tmp_path: Path) -> None:
    shutil.rmtree(tmp_path)
    tmp_path.mkdir()


@when("the adapter is opened again")
def adapter_is_opened_again() -> None:
    """As every adapter is, to read back from it."""


@then(parsers.parse("all {count:d} read back as they were written"))
def all_read_back(opening: Opening, tmp_path: Path, written: Held, count: int) -> None:
    rows = opening()
    assert Held.read(rows, _blobs(rows, tmp_path), written.execution_id, written.sha256) == written
    assert count == 3
    rows.close()


@when(parsers.parse("{count:d} connections record step `{label}` at once"), target_fixture="answers")
def connections_record(opening: Opening, count: int, label: str) -> Sequence[object]:
    """What each is told: that its record landed, or the value that stands."""
    connections = [opening() for _ in range(count)]
    start = threading.Barrier(count)

    def record(number: int) -> object:
        key = {"execution_id": "exec-1", "step_label": label, "input_hash": "none"}
        row = {**key, "state": "recorded", "content": str(number).encode(), "content_bytes": 1}
        start.wait()
        if connections[number].commit(Insert(journal.ENTRY, row)):
            return True
        return connections[number].get(journal.ENTRY, tuple(key.values()))

    with ThreadPoolExecutor(count) as pool:
        answers = list(pool.map(record, range(count)))
    for connection in connections:
        connection.close()
    return answers


@then(parsers.parse("{count:d} record lands"))
def record_lands(answers: Sequence[object], count: int) -> None:
    assert answers.count(True) == count


@then(parsers.parse("{count:d} writers are given the standing value"))
def given_the_standing_value(answers: Sequence[object], count: int) -> None:
    standing = [journal.from_row(answer) for answer in answers if isinstance(answer, dict)]
    landed = journal.Inline(str(answers.index(True)).encode())
    assert standing == [journal.Recorded(landed)] * count


@then(parsers.parse("{count:d} writers fail"))
def writers_fail(answers: Sequence[object], count: int) -> None:
    assert answers.count(None) == count


@given(parsers.parse("the storage profile `{name}`"), target_fixture="admission")
def storage_profile(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, stage: Stage, name: str
) -> Admission:
    """The profile, and its bindings: Cloudflare is there for those who look."""
    monkeypatch.setenv(PROFILE, name)
    monkeypatch.setenv(POSTGRES, "host=127.0.0.1 port=1")
    if name == "cloudflare-d1":
        cloud = request.getfixturevalue("cloud")
        monkeypatch.setenv(D1, cloud.address)
        monkeypatch.setenv(D1_TOKEN, TOKEN)
    return _opened(stage)


@given("an encrypted corpus", target_fixture="admission")
def encrypted_corpus(stage: Stage) -> Admission:
    """A project whose store says so."""
    (stage.folder / "contextful.toml").write_text(MANIFEST)
    root = stage.folder / lay_out.root(read(stage.folder).name)
    root.mkdir(parents=True)
    (root / "config.toml").write_text('[encryption]\nkey_source = "env:KEY"\n')
    return lambda _: Project.open(stage.folder).run("shop")


@given("an execution adapter that is not sealed")
def adapter_not_sealed() -> None:
    """As all of them are."""


@given("its adapter is not compiled in")
def adapter_not_compiled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "contextful.adapters.postgres", None)


@given(
    parsers.parse("an execution database of schema {found:d} under an executable of schema {supported:d}"),
    target_fixture="admission",
)
def database_of_schema(found: int, supported: int) -> Admission:
    row = {**storage.identity("").row, "schema_version": found}
    return lambda project: storage.admit(row, (), project=project, supported=supported)


@given(parsers.parse("an execution database without the table `{name}`"), target_fixture="admission")
def database_without(stage: Stage, database: psycopg.Connection, name: str) -> Admission:
    contextful.Engine.initialize()
    database.execute(f"DROP TABLE {NAMED[name]}".encode())
    return _opened(stage)


@given(
    parsers.parse("an execution database with the recovery identity of project `{project}`"),
    target_fixture="admission",
)
def database_of_project(stage: Stage, database: psycopg.Connection, project: str) -> Admission:
    contextful.Engine.initialize(project=project)
    return _opened(stage)


@given("a restored corpus and a new execution database", target_fixture="admission")
def restored_corpus(request: pytest.FixtureRequest, stage: Stage) -> Admission:
    """What has landed is there, and of what ran nothing is."""
    folder = stage.folder / "shop"
    (folder / "in").mkdir(parents=True)
    (folder / "in" / "a.csv").write_text("id,note\n1,a\n")
    (folder / "contextful.toml").write_text(MANIFEST)
    with Project.open(folder) as project:
        project.run("My-Shop")
    (folder / STATE).unlink()
    request.getfixturevalue("database")
    return lambda project: contextful.Engine.open(folder, project=project).execution("scenario", "plan")


@when("an execution asks for admission")
@when("the preflight runs")
def asks_for_admission(stage: Stage, admission: Admission) -> None:
    project_asks(stage, admission, "")


@when(parsers.parse("project `{project}` asks for admission"))
def project_asks(stage: Stage, admission: Admission, project: str) -> None:
    try:
        admission(project)
    except contextful.ContextfulError as refusal:
        stage.error = refusal


@then(parsers.parse("the execution database has no table `{name}`"))
def has_no_table(database: psycopg.Connection, name: str) -> None:
    assert database.execute("SELECT to_regclass(%s)", [NAMED[name]]).fetchone() == (None,)


@then("the execution database has no recovery identity")
def has_no_identity(database: psycopg.Connection) -> None:
    assert database.execute("SELECT to_regclass(%s)", [storage.IDENTITY.name]).fetchone() == (None,)


@then("paid work is not admitted")
def not_admitted(stage: Stage) -> None:
    assert isinstance(stage.error, ExecutionRecoveryMismatch)


def _blobs(rows: Rows, folder: Path) -> Blobs:
    return FileBlobs(folder / "files") if isinstance(rows, FileRows) else RowBlobs(rows)


def _opened(stage: Stage) -> Admission:
    return lambda project: contextful.Engine.open(stage.folder, project=project).execution("scenario", "plan")
