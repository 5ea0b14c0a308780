"""Steps of run.journal, under its heading storage, about D1 and R2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.d1.blobs import HELD, OBJECT, R2Blobs
from contextful.adapters.d1.rows import D1Rows
from contextful.adapters.d1.wire import Wire
from contextful.adapters.d1.worker import Worker
from contextful.faces import stores
from contextful.kernel import digest
from contextful.kernel.change import Insert
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Select
from contextful.run import record, suspend
from contextful.run.journal import journal, storage
from contextful.testing import Crash, Crashes, CrashingRows
from contextful.testing.workerd import TOKEN, Server
from contextful_contract import limits
from contextful_contract.shapes import StorageProfile
from tests.adapters import wire
from tests.steps.stage import Stage

CONTENT = b"\x00\xff" * (1 << 20)
SHA256 = digest.of_bytes(CONTENT)
TABLES = (*stores.STATES, OBJECT, storage.IDENTITY)


@dataclass
class Cloud:
    """Cloudflare, behind a wire that loses answers."""

    server: Server
    wire: wire.Wire
    worker: Worker
    rows: D1Rows
    blobs: R2Blobs
    address: str

    def attempted(self, stage: Stage, ask: Callable[[], object]) -> None:
        """Ask once, and count the requests that this takes."""
        self.wire.requests = 0
        stage.outcome = stage.error = None
        try:
            stage.outcome = ask()
        except (contextful.ContextfulError, StorageFailed) as refusal:
            stage.error = refusal


@pytest.fixture
def cloud(cloudflare: Server) -> Iterator[Cloud]:
    """A new database and a new bucket."""
    with wire.Wire(urlsplit(cloudflare.address).port or 0, request=wire.HTTP) as lossy:
        address = f"http://127.0.0.1:{lossy.port}"
        worker = Worker(Wire(address, TOKEN))
        rows = D1Rows(worker, TABLES)
        rows.initialize()
        yield Cloud(cloudflare, lossy, worker, rows, R2Blobs(worker, rows), address)
        worker.close()


@when("the engine starts under the storage profile `cloudflare-d1`")
def engine_starts(stage: Stage, cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs a step with a large value, waits for an answer, and lands an object; each is where the profile says."""
    cloud.server.empty()
    for variable, value in ((stores.PROFILE, "cloudflare-d1"), (stores.D1, cloud.address), (stores.D1_TOKEN, TOKEN)):
        monkeypatch.setenv(variable, value)
    contextful.Engine.initialize()
    with contextful.Engine.open(stage.folder) as engine, pytest.raises(contextful.Suspended):
        waits(engine)
    kept = stores.shared(StorageProfile.CLOUDFLARE_D1, "")
    assert kept.bucket is not None
    kept.bucket.put("shop/manifest.json", b"{}")
    kept.rows.close()
    counted = {table.name: cloud.server.sql(f"SELECT count(*) FROM {table.name}") for table in TABLES}
    assert [counted[table.name] for table in (record.RUN, journal.ENTRY, suspend.AWAKEABLE, OBJECT)] == [[[1]]] * 4
    assert [key.split("/")[0] for key in cloud.server.objects()] == ["blobs", "corpus"]
    stage.shown = kept.place.parts


def waits(engine: contextful.Engine) -> None:
    """Have a run record a large value, and wait for an answer."""
    with engine.execution("scenario", "plan") as run:
        run.step("read", lambda: "x" * (2 << 20))
        run.awakeable("approve").wait()


@given(parsers.parse("the next {count:d} answers of D1 are lost"))
def answers_are_lost(cloud: Cloud, count: int) -> None:
    cloud.wire.cuts = [wire.Cut()] * count


@when("a D1 read is sent")
def read_is_sent(stage: Stage, cloud: Cloud) -> None:
    cloud.attempted(stage, lambda: cloud.rows.select(Select(journal.ENTRY, {"execution_id": "exec-1"})))


@when("a D1 write is sent")
def write_is_sent(stage: Stage, cloud: Cloud) -> None:
    cloud.attempted(stage, lambda: cloud.rows.commit(Insert(journal.SWEEP, {"name": "blobs", "swept_ms": 1})))


@then("the read answers")
def read_answers(stage: Stage) -> None:
    assert (stage.outcome, stage.error) == ([], None)


@then("the read fails")
def read_fails(stage: Stage) -> None:
    assert isinstance(stage.error, StorageFailed)
    assert f"{limits.D1_TRANSPORT_ATTEMPTS} times in a row" in str(stage.error)


@then(parsers.parse("D1 has received {count:d} requests"))
def has_received(cloud: Cloud, count: int) -> None:
    assert cloud.wire.requests == count


@when("storage is initialized")
def storage_is_initialized(stage: Stage, cloud: Cloud) -> None:
    """From nothing, and the first of its answers is the one that is lost."""
    cloud.server.empty()
    cloud.attempted(stage, lambda: cloud.rows.initialize(storage.identity("")))


@then("the initialization succeeds")
def initialization_succeeds(stage: Stage, cloud: Cloud) -> None:
    assert stage.error is None
    assert cloud.wire.requests == 2


@then(parsers.parse("D1 holds what {count:d} initialization leaves"))
def holds_what_is_left(cloud: Cloud, count: int) -> None:
    assert cloud.rows.missing() == []
    assert cloud.server.sql(f"SELECT count(*) FROM {storage.IDENTITY.name}") == [[count]]
    assert cloud.rows.get(storage.IDENTITY, ("execution",)) == storage.identity("").row


@when("the process dies between the R2 write of a blob and its D1 reference")
def dies_between(cloud: Cloud) -> None:
    """Of several blobs, each dies an operation on D1 later than the one before, until an object is there."""
    for at in range(9):
        dying = R2Blobs(cloud.worker, CrashingRows(cloud.rows, Crashes(at)))
        content = CONTENT + bytes([at])
        with pytest.raises(Crash):
            dying.put(digest.of_bytes(content), content, now_ms=1)
        if cloud.server.objects():
            return
    raise AssertionError("nothing was written to R2")


@then(parsers.parse("D1 refers to {count:d} blobs"))
def refers_to(cloud: Cloud, count: int) -> None:
    rows = cloud.rows.select(Select(OBJECT, {}, order="put_ms"))
    assert [row["state"] for row in rows].count(HELD) == count


@then(parsers.parse("R2 holds {count:d} blobs"))
def r2_holds(cloud: Cloud, count: int) -> None:
    assert len(cloud.server.objects()) == count


@given("the R2 object of a recorded blob was altered")
def object_was_altered(cloud: Cloud) -> None:
    cloud.blobs.put(SHA256, CONTENT, now_ms=1)
    cloud.server.alter(f"blobs/{SHA256}")


@when("the blob is read")
def blob_is_read(stage: Stage, cloud: Cloud) -> None:
    cloud.attempted(stage, lambda: cloud.blobs.get(SHA256))


@then("the read refuses its digest")
def read_refuses(stage: Stage) -> None:
    assert isinstance(stage.error, StorageFailed)
    assert SHA256 in str(stage.error)
