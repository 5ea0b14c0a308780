"""Blobs in R2 beside their rows in D1: which of the two stands after a crash, and who may delete."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from contextful.adapters.d1.blobs import LEAVING_MS, OBJECT, R2Blobs
from contextful.adapters.d1.rows import D1Rows
from contextful.adapters.d1.worker import Worker
from contextful.adapters.sql import Statement
from contextful.kernel import digest
from contextful.kernel.change import Change, Insert, Survives, Update
from contextful.kernel.failure import StorageFailed
from contextful.ports.blobs import Put
from contextful.testing.workerd import Server

CONTENT = b"\x00\xff" * 2_000
SHA256 = digest.of_bytes(CONTENT)
KEY = f"blobs/{SHA256}"
PAUSE_S_MAX = 10  # a test that fails in between does not hang


class Crash(BaseException):
    """The process is gone."""


class Mortal(D1Rows):
    """Rows of a process that dies ahead of one of its commits."""

    commits_left = 1 << 30

    def commit(self, *changes: Change, survives: Survives = Survives.POWER_LOSS) -> bool:
        if self.commits_left == 0:
            raise Crash
        self.commits_left -= 1
        return super().commit(*changes, survives=survives)


class Paused(Worker):
    """A Worker whose deletions wait to be let through, and whose first put to be answered."""

    def __init__(self, through: Worker) -> None:
        self.let = threading.Event()
        self.asked = threading.Event()
        self._through = through

    def put(self, sha256: str, content: bytes) -> None:
        self._through.put(sha256, content)
        self.asked.set()
        self.let.wait(PAUSE_S_MAX)

    def delete(self, sha256: str, right: Statement) -> None:
        self.asked.set()
        self.let.wait(PAUSE_S_MAX)
        self._through.delete(sha256, right)


@dataclass
class Scene:
    """A bucket and its rows."""

    server: Server
    worker: Worker
    rows: Mortal
    blobs: R2Blobs

    def state(self) -> object:
        """What the row says of the blob."""
        row = self.rows.get(OBJECT, (SHA256,))
        return None if row is None else row["state"]


@pytest.fixture
def scene(cloudflare: Server) -> Iterator[Scene]:
    worker = cloudflare.worker()
    rows = Mortal(worker, [OBJECT])
    rows.initialize()
    yield Scene(cloudflare, worker, rows, R2Blobs(worker, rows))
    worker.close()


@pytest.mark.clause("run.journal.d1-blob")
def test_the_object_has_its_digest_for_a_key(scene: Scene) -> None:
    scene.blobs.put(SHA256, CONTENT, now_ms=1)

    assert scene.server.objects() == [KEY]
    assert scene.state() == "held"


@pytest.mark.clause("run.journal.d1-blob")
@pytest.mark.parametrize(
    ("commits", "stands"), [(0, (None, [])), (1, ("arriving", [KEY]))], ids=["before its row", "before it is held"]
)
def test_a_put_that_dies_leaves_nothing_that_refers_to_a_missing_object(
    scene: Scene, commits: int, stands: tuple[str | None, list[str]]
) -> None:
    scene.rows.commits_left = commits

    with pytest.raises(Crash):
        scene.blobs.put(SHA256, CONTENT, now_ms=1)

    assert (scene.state(), scene.server.objects()) == stands


@pytest.mark.clause("run.journal.d1-blob")
def test_what_a_put_that_died_has_left_is_found_and_deleted(scene: Scene) -> None:
    scene.rows.commits_left = 1
    with pytest.raises(Crash):
        scene.blobs.put(SHA256, CONTENT, now_ms=1)
    scene.rows.commits_left = 9

    old = scene.blobs.older_than(2, limit=9)

    assert old == [Put(SHA256, 1)]
    assert scene.blobs.delete(SHA256, put_before_ms=2)
    assert scene.server.objects() == []


@pytest.mark.clause("run.journal.d1-blob")
def test_an_object_that_was_altered_is_not_read(scene: Scene) -> None:
    scene.blobs.put(SHA256, CONTENT, now_ms=1)
    scene.server.alter(KEY)

    with pytest.raises(StorageFailed, match=SHA256):
        scene.blobs.get(SHA256)


def test_bytes_under_the_digest_of_others_are_not_kept(scene: Scene) -> None:
    with pytest.raises(StorageFailed, match="checksum"):
        scene.blobs.put(SHA256, b"others", now_ms=1)

    assert scene.server.objects() == []


@pytest.mark.clause("run.journal.d1-blob")
def test_a_delete_that_dies_leaves_no_reference_and_the_object(scene: Scene) -> None:
    scene.blobs.put(SHA256, CONTENT, now_ms=1)
    scene.rows.commits_left = 1

    with pytest.raises(Crash):
        scene.blobs.delete(SHA256, put_before_ms=2)

    assert scene.state() == "leaving"


def test_a_delete_is_left_to_whoever_began_it_until_that_takes_too_long(scene: Scene) -> None:
    scene.blobs.put(SHA256, CONTENT, now_ms=1)
    scene.rows.commits_left = 1
    with pytest.raises(Crash):
        scene.blobs.delete(SHA256, put_before_ms=2)
    scene.rows.commits_left = 9

    at_once = scene.blobs.delete(SHA256, put_before_ms=2)
    long_ago(scene)
    later = scene.blobs.delete(SHA256, put_before_ms=2)

    assert (at_once, later) == (False, True)
    assert (scene.state(), scene.server.objects()) == (None, [])


def test_a_put_waits_for_whoever_deletes(scene: Scene) -> None:
    scene.blobs.put(SHA256, CONTENT, now_ms=1)
    paused = Paused(scene.worker)

    with ThreadPoolExecutor(2) as pool:
        deleted = pool.submit(R2Blobs(paused, scene.rows).delete, SHA256, put_before_ms=2)
        paused.asked.wait(PAUSE_S_MAX)
        put = pool.submit(scene.blobs.put, SHA256, CONTENT, now_ms=9)
        paused.let.set()

        assert deleted.result()
        put.result()

    assert scene.blobs.get(SHA256) == CONTENT
    assert scene.state() == "held"


def test_whoever_was_paused_deletes_nothing_that_was_put_since(scene: Scene) -> None:
    scene.blobs.put(SHA256, CONTENT, now_ms=1)
    paused = Paused(scene.worker)

    with ThreadPoolExecutor(1) as pool:
        deleted = pool.submit(R2Blobs(paused, scene.rows).delete, SHA256, put_before_ms=2)
        paused.asked.wait(PAUSE_S_MAX)
        long_ago(scene)
        scene.blobs.put(SHA256, CONTENT, now_ms=9)
        paused.let.set()

        assert not deleted.result()

    assert scene.blobs.get(SHA256) == CONTENT


def test_whoever_was_paused_refers_to_no_object_that_went_meanwhile(scene: Scene) -> None:
    paused = Paused(scene.worker)

    with ThreadPoolExecutor(1) as pool:
        put = pool.submit(R2Blobs(paused, scene.rows).put, SHA256, CONTENT, now_ms=1)
        paused.asked.wait(PAUSE_S_MAX)
        scene.blobs.delete(SHA256, put_before_ms=2)
        scene.rows.commit(Insert(OBJECT, {"sha256": SHA256, "state": "arriving", "put_ms": 5}))
        paused.let.set()
        put.result()

    assert (scene.state(), scene.blobs.get(SHA256)) == ("held", CONTENT)


def test_a_blob_that_is_held_is_not_sent_again(scene: Scene) -> None:
    scene.blobs.put(SHA256, CONTENT, now_ms=1)

    scene.blobs.put(SHA256, b"not looked at", now_ms=2)

    assert scene.blobs.get(SHA256) == CONTENT


def long_ago(scene: Scene) -> None:
    """Let the deletion that is under way be one that began too long ago."""
    row = scene.rows.get(OBJECT, (SHA256,))
    assert row is not None
    assert isinstance(row["leaving_ms"], int)
    scene.rows.commit(Update(OBJECT, {"sha256": SHA256}, {}, {"leaving_ms": row["leaving_ms"] - LEAVING_MS}))
