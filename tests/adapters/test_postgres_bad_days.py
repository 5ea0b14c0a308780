"""PostgreSQL on its bad days: killed, cut off, terminated; and everybody at one row."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import psycopg
import pytest

from contextful.adapters.postgres import PostgresRows
from contextful.kernel.change import Clear, Delete, Insert, Require, Survives, Update
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Select
from contextful.testing import postgres
from contextful.testing.conformance.rows import LETTER, SEAL, TABLES, letter
from tests.adapters.wire import Cut, Wire

KEY = {"box": "a", "number": 1}


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    """A server that may be killed: nobody else uses it."""
    with postgres.running() as server:
        yield server


@dataclass
class Scene:
    """One store on a wire that can be cut, over a row that is still at nought."""

    server: postgres.Server
    wire: Wire
    rows: PostgresRows

    def restart(self) -> None:
        """Kill the server, and start it again."""
        self.server.kill()
        self.server.start()

    def terminate(self) -> None:
        """End every backend but the one that asks."""
        with psycopg.connect(self.server.address, autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    def count(self, before: int, *, survives: Survives = Survives.POWER_LOSS) -> bool:
        """Count on from a number, which succeeds once."""
        return self.rows.commit(Update(LETTER, KEY, {"sent": before}, {"sent": before + 1}), survives=survives)


@pytest.fixture
def scene(server: postgres.Server) -> Iterator[Scene]:
    with psycopg.connect(server.address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    with Wire(server.port) as wire:
        rows = PostgresRows(wire.through(server.address), TABLES)
        rows.initialize()
        rows.commit(Insert(LETTER, letter(sent=0)))
        yield Scene(server, wire, rows)
        rows.close()


WAYS: dict[str, Callable[[Scene], Cut]] = {
    "cut before COMMIT arrives": lambda _: Cut(sent=False),
    "cut after COMMIT is answered": lambda _: Cut(),
    "cut while COMMIT is on its way": lambda _: Cut(before=lambda: threading.Event().wait(0.3), hung_up=True),
    "terminated before COMMIT arrives": lambda scene: Cut(before=scene.terminate),
    "terminated after COMMIT is answered": lambda scene: Cut(after=scene.terminate),
    "killed before COMMIT arrives": lambda scene: Cut(before=scene.restart),
    "killed after COMMIT is answered": lambda scene: Cut(after=scene.restart),
}


@pytest.mark.clause("run.journal.postgres-stores")
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_commit_whose_answer_is_lost_is_neither_repeated_nor_lost(scene: Scene, way: Callable[[Scene], Cut]) -> None:
    scene.wire.cuts = [way(scene)]

    applied = [scene.count(0), scene.count(1)]

    assert applied == [True, True]
    assert scene.rows.get(LETTER, ("a", 1)) == letter(sent=2)


@pytest.mark.clause("run.journal.postgres-stores")
def test_many_commits_on_a_bad_wire_each_land_once(scene: Scene) -> None:
    scene.wire.cuts = [Cut(sent=False), None, Cut(), None, None, Cut(), Cut(), None, Cut(sent=False)] * 4
    scene.rows.commit(*(Insert(LETTER, letter(box=str(writer), sent=0)) for writer in range(4)))

    def write(writer: int) -> list[bool]:
        box = str(writer)
        return [
            scene.rows.commit(
                Update(LETTER, {"box": box, "number": 1}, {"sent": number - 2}, {"sent": number - 1}),
                Insert(LETTER, letter(number, box=box)),
            )
            for number in range(2, 12)
        ]

    with ThreadPoolExecutor(4) as pool:
        applied = list(pool.map(write, range(4)))

    assert applied == [[True] * 10] * 4
    assert scene.wire.cuts == []


@pytest.mark.parametrize("survives", Survives)
def test_a_database_that_was_killed_between_commits_keeps_what_it_answered(scene: Scene, survives: Survives) -> None:
    before = scene.count(0)
    scene.restart()

    after = scene.count(1, survives=survives)

    assert (before, after) == (True, True)
    assert scene.rows.get(LETTER, ("a", 1)) == letter(sent=2)


def test_a_database_that_does_not_come_back_leaves_a_commit_unknown_and_says_so(scene: Scene) -> None:
    rows = PostgresRows(scene.wire.through(scene.server.address), TABLES, pauses_ms=(0, 50))
    scene.wire.cuts = [Cut(after=scene.server.kill)]

    with pytest.raises(StorageFailed) as refusal:
        rows.commit(Insert(SEAL, {"name": "s"}))

    scene.server.start()
    assert "whether the commit before that was kept is not known" in str(refusal.value)
    assert scene.rows.get(SEAL, ("s",)) == {"name": "s", "holder": None}
    rows.close()


@pytest.mark.parametrize(
    "address",
    [
        "host=127.0.0.1 port=1 dbname=shop user=ada password=hush",
        "postgresql://ada:hush@127.0.0.1:1/shop",
    ],
    ids=["words", "a URL"],
)
def test_a_database_that_cannot_be_reached_is_named_without_its_password(address: str) -> None:
    with pytest.raises(StorageFailed, match=r"PostgreSQL database shop at 127\.0\.0\.1") as refusal:
        PostgresRows(address, TABLES)

    assert "hush" not in str(refusal.value)


def test_an_address_that_cannot_be_read_is_not_repeated() -> None:
    with pytest.raises(StorageFailed) as refusal:
        PostgresRows("postgresql:/ada:hush@nowhere", TABLES)

    assert "hush" not in str(refusal.value)
    assert refusal.value.__cause__ is None


@pytest.mark.clause("run.journal.postgres-stores")
def test_a_commit_that_is_ended_by_a_deadlock_begins_again(scene: Scene) -> None:
    scene.rows.commit(Insert(SEAL, {"name": "s"}), Insert(SEAL, {"name": "t"}))
    ours = [Update(SEAL, {"name": name}, {}, {"holder": "ours"}) for name in ("s", "t")]

    with ThreadPoolExecutor(1) as pool, psycopg.connect(scene.server.address) as other:
        other.execute("UPDATE seal SET holder = 'other' WHERE name = 't'")
        applied = pool.submit(scene.rows.commit, *ours)
        threading.Event().wait(0.1)  # ours waits first, so it is ours that looks for a deadlock first
        other.execute("UPDATE seal SET holder = 'other' WHERE name = 's'")
        other.commit()

        assert applied.result()
    assert [row["holder"] for row in scene.rows.select(Select(SEAL, {}, order="name"))] == ["ours", "ours"]


@pytest.mark.clause("run.journal.postgres-stores")
def test_a_clear_sees_what_was_inserted_under_a_row_that_it_waited_for(scene: Scene) -> None:
    scene.rows.commit(Insert(SEAL, {"name": "owner"}))
    clearing = threading.Event()
    scene.wire.cuts = [Cut(before=lambda: clearing.wait(0.3), told=True)]

    with ThreadPoolExecutor(2) as pool:
        claimed = pool.submit(scene.rows.commit, Insert(LETTER, letter(2)), Require(SEAL, {"name": "owner"}))
        threading.Event().wait(0.1)
        retired = pool.submit(scene.rows.commit, Clear(LETTER, {"box": "a"}), Delete(SEAL, {"name": "owner"}))

    assert (claimed.result(), retired.result()) == (True, True)
    assert scene.rows.select(Select(LETTER, {"box": "a"})) == []


def test_a_commit_waits_for_the_disk_where_the_database_would_not(scene: Scene) -> None:
    rows = PostgresRows(f"{scene.server.address} options='-c synchronous_commit=off'", TABLES)

    with psycopg.connect(scene.server.address, autocommit=True) as connection:
        for number in range(2, 6):
            rows.commit(Insert(LETTER, letter(number)))
            behind = connection.execute("SELECT pg_current_wal_insert_lsn() - pg_current_wal_flush_lsn()").fetchone()

            assert behind == (0,)
    rows.close()


def test_leases_are_judged_by_the_clock_of_the_database(scene: Scene) -> None:
    with psycopg.connect(scene.server.address) as connection:
        before = connection.execute("SELECT clock_timestamp()").fetchone()
        now_ms = scene.rows.now_ms(7)
        after = connection.execute("SELECT clock_timestamp()").fetchone()

    assert before is not None
    assert after is not None
    assert int(before[0].timestamp() * 1_000) <= now_ms <= int(after[0].timestamp() * 1_000)


RACE = """
import os, sys
from contextful.adapters.postgres import PostgresRows
from contextful.kernel.change import Insert
from contextful.testing.conformance.rows import LETTER, TABLES, letter
ready, tell = os.pipe()
gate, gun = os.pipe()
for racer in range(8):
    if os.fork() == 0:
        os.close(gun)
        rows = PostgresRows(sys.argv[1], TABLES)
        os.write(tell, b".")
        os.read(gate, 1)  # until nobody holds the gun
        applied = rows.commit(Insert(LETTER, letter(2, holder=str(racer))))
        print(racer, applied, rows.get(LETTER, ("a", 2))["holder"], flush=True)
        os._exit(0)
for _ in range(8):
    os.read(ready, 1)
os.close(gun)
for _ in range(8):
    os.wait()
"""


@pytest.mark.clause("run.journal.postgres-stores")
def test_of_eight_processes_that_race_for_one_key_one_lands_and_all_see_it(scene: Scene) -> None:
    command = [sys.executable, "-c", RACE, scene.server.address]

    raced = subprocess.run(command, env={"PYTHONPATH": ":".join(sys.path)}, capture_output=True, text=True, check=True)

    answers = [line.split() for line in raced.stdout.splitlines()]
    winners = [racer for racer, applied, _ in answers if applied == "True"]
    assert len(answers) == 8
    assert len(winners) == 1
    assert {holder for _, _, holder in answers} == set(winners)
