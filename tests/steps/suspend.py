"""Steps of run.suspend: a body that asks for an approval, and whoever answers it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.file_tree import FileRows
from contextful.adapters.memory import MemoryRows
from contextful.adapters.postgres import PostgresRows
from contextful.adapters.sqlite import SqliteRows
from contextful.adapters.system import SystemWorld
from contextful.kernel import codec, digest
from contextful.kernel.change import Update
from contextful.kernel.table import Row, Select
from contextful.ports.rows import Rows
from contextful.run import suspend
from contextful.run.journal import journal
from contextful.testing import SkippingWorld
from tests.steps.stage import SCOPE, TABLES_OF_BOTH, Stage, instant_ms

MINUTE_MS = 60_000
LABEL = "approve"
Opening = Callable[[], Rows]


class Desk:
    """The body of a scenario: it waits for an answer before it does anything else."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.token = ""
        self.received: object = None
        self.created_at: str | None = None
        self.ttl = "24h"
        stage.opening = self.ask

    def ask(self, run: contextful.Execution) -> None:
        """Send a token out, and wait for what it brings."""
        approval = run.awakeable(LABEL, ttl=self.ttl, created_at=self.created_at)
        self.token = approval.token
        self.received = approval.wait()

    def resolve(self, token: str, payload: str) -> None:
        """Somebody answers."""
        try:
            self.stage.seen["payloads"].append(self.stage.onlooker().resolve(token, payload))
        except contextful.ContextfulError as refusal:
            self.stage.error = refusal

    def rows(self) -> list[Row]:
        """The registry."""
        return list(self.stage.rows.select(Select(suspend.AWAKEABLE, {}, order="deadline_ms")))


@pytest.fixture
def desk(stage: Stage) -> Desk:
    """A body that waits."""
    return Desk(stage)


@pytest.fixture
def opening(stage: Stage) -> Opening:
    """Opens the stage's store once more: the process is another, and the store is where it was."""
    return lambda: stage.rows


@given(parsers.parse("the storage adapter `{name}`"), target_fixture="opening")
def storage_adapter(request: pytest.FixtureRequest, tmp_path: Path, name: str) -> Opening:
    """Opens one more connection to the adapter's store."""
    match name:
        case "memory":
            return MemoryRows
        case "sqlite":
            return lambda: SqliteRows(tmp_path / "machine.sqlite", TABLES_OF_BOTH)
        case "files":
            return lambda: FileRows(tmp_path / "files")
        case _:
            assert name == "postgres", name
            address = request.getfixturevalue("empty_postgres")
            return lambda: PostgresRows(address, TABLES_OF_BOTH)


@given(parsers.parse("a pending awakeable with the token `{token}`"))
def pending_awakeable(request: pytest.FixtureRequest, stage: Stage, desk: Desk, opening: Opening, token: str) -> None:
    opened = opening()
    if opened is not stage.rows:
        stage.rows = opened
        request.addfinalizer(lambda: stage.rows.close())
    stage.attempt()
    stage.named[token] = desk.token


@given(parsers.parse("an awakeable created at `{at}` with a time-to-live of {hours:d} h"))
def awakeable_created(stage: Stage, desk: Desk, at: str, hours: int) -> None:
    stage.world = SkippingWorld(now_ms=instant_ms(at))
    desk.ttl = f"{hours}h"
    stage.attempt()
    assert isinstance(stage.error, contextful.Suspended)
    stage.error = None


@when(parsers.parse("an awakeable is created at `{at}` with a time-to-live of {hours:d} h"))
def awakeable_is_created(stage: Stage, desk: Desk, at: str, hours: int) -> None:
    desk.created_at, desk.ttl = at, f"{hours}h"
    run = stage.engine().execution(SCOPE, "plan")
    try:
        minted = run.awakeable(LABEL, ttl=desk.ttl, created_at=desk.created_at)
        stage.shown = stage.onlooker().awakeable(minted.token)
    except ValueError as refusal:
        stage.error = refusal
    run.drop()


@when(parsers.parse("run `{run_id}` waits for `{label}` with a time-to-live of {hours:d} h"))
def run_waits(stage: Stage, desk: Desk, run_id: str, label: str, hours: int) -> None:
    """On the machine's own clock and threads, so that those can be counted."""
    assert label == LABEL
    desk.ttl = f"{hours}h"
    stage.begin(run_id)
    engine = contextful.Engine(stage.rows, stage.blobs, SystemWorld())
    with pytest.raises(contextful.Suspended), engine.execution(SCOPE, "plan", run_id=run_id) as run:
        desk.ask(run)
    stage.world = SkippingWorld(now_ms=SystemWorld().now_ms())


@when(parsers.parse("it is resolved with `{payload}` at `{at}`"))
def is_resolved(stage: Stage, desk: Desk, payload: str, at: str) -> None:
    stage.world.skip(instant_ms(at) - stage.world.now_ms())
    desk.resolve(desk.token, payload)


@when(parsers.parse("token `{token}` is resolved with `{payload}`"))
def token_is_resolved(stage: Stage, desk: Desk, token: str, payload: str) -> None:
    desk.resolve(str(stage.named.get(token, token)), payload)


@when(parsers.parse("it is looked at as of `{at}`"))
def is_looked_at(stage: Stage, desk: Desk, at: str) -> None:
    stage.world.skip(instant_ms(at) - stage.world.now_ms())
    stage.shown = stage.onlooker().awakeable(desk.token)


@when(parsers.parse("an awakeable is resolved with a payload of {size:d} bytes"))
def is_resolved_at_length(stage: Stage, desk: Desk, size: int) -> None:
    stage.content = b'"' + b"x" * (size - 2) + b'"'
    stage.attempt()
    desk.resolve(desk.token, "x" * (size - 2))


@when(parsers.parse("the process dies between the resume value `{payload}` and the callback row"))
def dies_between(stage: Stage, desk: Desk, payload: str) -> None:
    """No commit of ours ends there, for it writes both: so that it has happened, the journal alone is written."""
    entry = suspend.entry(stage.onlooker().awakeable(desk.token))
    assert stage.rows.commit(journal.delivered(entry, journal.Inline(codec.encode(payload))))


@when("the process starts again")
def starts_again(stage: Stage, opening: Opening) -> None:
    stage.rows.close()
    stage.rows = opening()


@given(parsers.parse("a blob written {age:d} min ago that a pending awakeable references"))
def blob_of_a_pending_awakeable(stage: Stage, desk: Desk, age: int) -> None:
    """A resolution by a store that commits the row and the journal apart would be seen so in between."""
    stage.attempt()
    (row,) = desk.rows()
    sha256 = digest.of_bytes(b"offloaded")
    stage.blobs.put(sha256, b"offloaded", now_ms=stage.world.now_ms() - age * MINUTE_MS)
    key = {column: row[column] for column in suspend.AWAKEABLE.key}
    assert stage.rows.commit(Update(suspend.AWAKEABLE, key, suspend.PENDING, {"blob": sha256, "content_bytes": 9}))


@then(parsers.parse("the awakeable is `{state}`"))
def awakeable_is(stage: Stage, desk: Desk, state: str) -> None:
    (row,) = desk.rows()
    assert stage.onlooker().awakeable(desk.token, caller=cast(str | None, row["caller"])).state == state


@then(parsers.parse("the run receives `{payload}`"))
def run_receives(stage: Stage, desk: Desk, payload: str) -> None:
    if stage.outcome is None:
        stage.resume()
    assert (desk.received, stage.outcome) == (payload, "ok")


@then(parsers.parse("the journal holds `{payload}` under the key of its token"))
def journal_holds(stage: Stage, desk: Desk, payload: str) -> None:
    key = digest.of_bytes(f"awakeable:{desk.token}".encode())
    held = [entry["content"] for entry in stage.entries("recorded") if entry["input_hash"] == key]
    assert held == [codec.encode(payload)]


@then(parsers.parse("{count:d} awakeables have been minted"))
def have_been_minted(desk: Desk, count: int) -> None:
    assert [row["token"] for row in desk.rows()] == [desk.token] * count


@then(parsers.parse("the registry holds {count:d} rows"))
def registry_holds(desk: Desk, count: int) -> None:
    assert len(desk.rows()) == count


@then(parsers.parse("run `{run_id}` holds no thread"))
def holds_no_thread(stage: Stage, run_id: str) -> None:
    ours = [thread for thread in threading.enumerate() if thread.name.startswith("contextful")]
    for thread in ours:
        thread.join(timeout=5)
    assert not any(thread.is_alive() for thread in ours)
