"""D1 on its bad days: answers lost, workerd killed, values that it cannot hold; and everybody at one row."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from contextful.adapters.d1.blobs import OBJECT
from contextful.adapters.d1.bucket import R2Bucket
from contextful.adapters.d1.rows import D1Rows
from contextful.adapters.d1.wire import Wire as Way
from contextful.adapters.d1.worker import Worker
from contextful.errors import StorageBindingUnavailable
from contextful.kernel import digest
from contextful.kernel.change import Insert, Require, Update
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Scalar
from contextful.ports.bucket import Object
from contextful.testing import workerd
from contextful.testing.conformance.rows import LETTER, SEAL, TABLES, letter
from contextful.testing.workerd import TOKEN, Server
from tests.adapters.wire import HTTP, Cut, Wire

KEY = {"box": "a", "number": 1}
CONTENT = b"\x00\xff" * 2_000
SHA256 = digest.of_bytes(CONTENT)
LOST = {
    "before the request arrives": Cut(sent=False),
    "before the answer": Cut(),
    "in the middle of the answer": Cut(half=True),
}


@dataclass
class Scene:
    """One store on a wire that can be cut, over a row that is still at nought."""

    server: Server
    wire: Wire
    worker: Worker
    rows: D1Rows

    def count(self, before: int) -> bool:
        """Count on from a number, which succeeds once."""
        return self.rows.commit(Update(LETTER, KEY, {"sent": before}, {"sent": before + 1}))


def worker_at(address: str, *, attempt_ms: int = 15_000) -> Worker:
    """A way to the Worker at an address."""
    return Worker(Way(address, TOKEN, attempt_ms=attempt_ms))


@pytest.fixture
def scene(cloudflare_server: Server) -> Iterator[Scene]:
    cloudflare_server.rows((*TABLES, OBJECT)).close()
    with Wire(urlsplit(cloudflare_server.address).port or 0, request=HTTP) as wire:
        worker = worker_at(f"http://127.0.0.1:{wire.port}")
        rows = D1Rows(worker, (*TABLES, OBJECT))
        rows.commit(Insert(LETTER, letter(sent=0)))
        wire.requests = 0
        yield Scene(cloudflare_server, wire, worker, rows)
        rows.close()


@pytest.mark.clause("run.journal.d1-transport")
@pytest.mark.parametrize("cut", LOST.values(), ids=LOST)
def test_a_read_whose_answer_is_lost_is_asked_again(scene: Scene, cut: Cut) -> None:
    scene.wire.cuts = [cut, cut]

    row = scene.rows.get(LETTER, ("a", 1))

    assert row == letter(sent=0)
    assert scene.wire.requests == 3


@pytest.mark.clause("run.journal.d1-transport")
@pytest.mark.parametrize(
    "asked",
    [
        lambda scene: scene.rows.get(LETTER, ("a", 1)),
        lambda scene: scene.worker.lacks(),
        lambda scene: scene.worker.put(SHA256, CONTENT),
        lambda scene: scene.worker.get(SHA256),
        lambda scene: scene.rows.initialize(),
    ],
    ids=["a read", "a probe", "a blob written", "a blob read", "the making of tables"],
)
def test_three_lost_answers_are_all_that_is_waited_for(scene: Scene, asked: Callable[[Scene], object]) -> None:
    scene.wire.cuts = [Cut(), Cut(), Cut()]

    with pytest.raises(StorageFailed, match="3 times in a row"):
        asked(scene)

    assert scene.wire.requests == 3
    asked(scene)


@pytest.mark.clause("run.journal.d1-transport")
@pytest.mark.parametrize(("cut", "kept"), [*zip(LOST.values(), [0, 1, 1], strict=True)], ids=LOST)
def test_a_write_whose_answer_is_lost_is_sent_once(scene: Scene, cut: Cut, kept: int) -> None:
    scene.wire.cuts = [cut]

    with pytest.raises(StorageBindingUnavailable) as refusal:
        scene.count(0)

    assert scene.wire.requests == 1
    assert refusal.value.statement.startswith("UPDATE letter")
    assert scene.rows.get(LETTER, ("a", 1)) == letter(sent=kept)


@pytest.mark.clause("run.journal.d1-transport")
def test_a_write_does_not_use_a_connection_that_was_kept(scene: Scene) -> None:
    scene.rows.get(LETTER, ("a", 1))
    before = scene.wire.links

    scene.rows.get(LETTER, ("a", 1))
    between = scene.wire.links
    scene.count(0)

    assert (between, scene.wire.links) == (before, before + 1)


def test_connections_that_have_all_gone_meanwhile_cost_one_attempt(scene: Scene) -> None:
    together = threading.Barrier(4)
    scene.wire.cuts = [Cut(before=together.wait, told=True)] * 4
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: scene.rows.get(LETTER, ("a", number)), range(4)))
    scene.wire.hang_up()

    assert scene.rows.get(LETTER, ("a", 1)) == letter(sent=0)


@pytest.mark.clause("run.journal.d1-transport")
def test_an_answer_that_drips_is_given_up_when_the_time_of_its_attempt_is_up(scene: Scene) -> None:
    drip = Cut(after=lambda: threading.Event().wait(0.3), told=True)
    scene.wire.cuts = [drip, drip, drip]
    hurried = D1Rows(worker_at(f"http://127.0.0.1:{scene.wire.port}", attempt_ms=100), TABLES)

    with pytest.raises(StorageFailed, match="3 times in a row: TimeoutError"):
        hurried.get(LETTER, ("a", 1))

    hurried.close()


@pytest.mark.clause("run.journal.d1-initialize")
@pytest.mark.parametrize("cut", LOST.values(), ids=LOST)
def test_tables_whose_making_lost_its_answer_are_made_once(cloudflare: Server, cut: Cut) -> None:
    first = Insert(SEAL, {"name": "s", "holder": "ada"})
    with Wire(urlsplit(cloudflare.address).port or 0, request=HTTP) as wire:
        rows = D1Rows(worker_at(f"http://127.0.0.1:{wire.port}"), TABLES)
        wire.cuts = [cut]
        rows.initialize(first)
        rows.commit(Update(SEAL, {"name": "s"}, {}, {"holder": "bob"}))
        rows.initialize(first)

        assert rows.missing() == []
        assert rows.get(SEAL, ("s",)) == {"name": "s", "holder": "bob"}
        rows.close()


@pytest.mark.parametrize("cut", LOST.values(), ids=LOST)
def test_an_object_whose_writing_lost_its_answer_is_made_once(scene: Scene, cut: Cut) -> None:
    bucket = R2Bucket(scene.worker)
    bucket.delete("shop/a")
    scene.wire.cuts = [cut]

    made = bucket.put("shop/a", b"ours")

    found = bucket.get("shop/a")
    assert found == Object(b"ours", made or "")
    assert bucket.put("shop/a", b"ours") is None
    scene.wire.cuts = [cut]
    assert bucket.put("shop/a", b"others") is None
    assert bucket.get("shop/a") == found


def test_sixteen_writers_of_one_row_take_turns(scene: Scene) -> None:
    def race(writer: int) -> bool:
        return scene.rows.commit(
            Update(LETTER, KEY, {"holder": None}, {"holder": str(writer)}), Insert(SEAL, {"name": str(writer)})
        )

    with ThreadPoolExecutor(16) as pool:
        applied = list(pool.map(race, range(16)))

    winner = applied.index(True)
    assert applied.count(True) == 1
    assert scene.rows.get(LETTER, ("a", 1)) == letter(sent=0, holder=str(winner))
    assert [scene.rows.get(SEAL, (str(writer),)) is not None for writer in range(16)] == applied


@pytest.mark.parametrize(
    "refused",
    [
        letter(2, sent=2**63),
        letter(2, holder="\ud800"),
        letter(2, content=bytes(2_000_001)),
        letter(2, content=bytes(1_000_000), holder="字" * 333_334),
    ],
    ids=["a number past 64 bits", "half a character", "a long value", "a long row"],
)
def test_what_d1_cannot_hold_is_refused_before_it_goes_out(scene: Scene, refused: dict[str, Scalar]) -> None:
    with pytest.raises(StorageFailed):
        scene.rows.commit(Insert(LETTER, refused))

    assert scene.wire.requests == 0


def test_a_row_of_two_million_bytes_is_held(scene: Scene) -> None:
    whole = letter(2, content=bytes(1_999_900))

    assert scene.rows.commit(Insert(LETTER, whole))
    assert scene.rows.get(LETTER, ("a", 2)) == whole


def test_a_commit_may_expect_more_than_one_statement_can_say(scene: Scene) -> None:
    scene.rows.commit(*(Insert(LETTER, letter(number, sent=number)) for number in range(2, 80)))
    updates = [Update(LETTER, {"box": "a", "number": number}, {"sent": number}, {"sent": 0}) for number in range(2, 80)]

    assert not scene.rows.commit(*updates, Require(LETTER, KEY, {"sent": 1}))
    assert scene.rows.get(LETTER, ("a", 79)) == letter(79, sent=79)
    assert scene.rows.commit(*updates, Require(LETTER, KEY, {"sent": 0}))
    assert scene.rows.get(LETTER, ("a", 79)) == letter(79, sent=0)


def test_one_write_may_require_more_than_one_statement_can_say(scene: Scene) -> None:
    scene.rows.commit(*(Insert(LETTER, letter(number, sent=number)) for number in range(2, 50)))
    required = [Require(LETTER, {"box": "a", "number": number}, {"sent": number}) for number in range(2, 50)]

    assert scene.rows.commit(Insert(SEAL, {"name": "s"}), *required)
    assert not scene.rows.commit(Insert(SEAL, {"name": "t"}), *required, Require(LETTER, KEY, {"sent": 1}))
    assert scene.rows.get(SEAL, ("t",)) is None


def test_a_database_that_was_killed_keeps_what_it_answered(tmp_path: Path) -> None:
    with workerd.running(tmp_path) as server:
        rows = D1Rows(server.worker(), TABLES)
        rows.initialize()
        rows.commit(Insert(LETTER, letter(sent=0)))
        server.kill()
        with pytest.raises(StorageBindingUnavailable):
            rows.commit(Insert(LETTER, letter(2)))
        with pytest.raises(StorageFailed, match="did not answer"):
            rows.get(LETTER, ("a", 1))

        server.start()
        again = D1Rows(server.worker(), TABLES)

        assert again.get(LETTER, ("a", 1)) == letter(sent=0)
        rows.close()
        again.close()
