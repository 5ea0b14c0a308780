"""Nodes that share a bucket come to read the same, in whatever order they push, pull, fold and lose their disks."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from contextful.adapters.corpus import StoreCorpus
from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.files import Disk
from contextful.adapters.fold import Folds
from contextful.adapters.memory import MemoryBucket
from contextful.adapters.parquet import ParquetStore
from contextful.errors import StoreUnknownTable
from contextful.pipeline import land
from contextful.pipeline.land import Destined
from contextful.ports.destination import Lot
from contextful.runner.pull import Pulls
from contextful.runner.push import Pushes, standing
from contextful.store import ledger, push
from contextful.store.declare import Reading
from contextful.testing import SkippingWorld

DAY_MS = 86_400_000
ORDERS = Reading("orders")


class Unsynced(Disk):
    """A disk that nobody waits for."""

    def sync(self, path: Path) -> None:
        """What the system has is enough."""


class Node:
    """A node's store of one table, and its way to the bucket."""

    def __init__(self, name: str, folder: Path, bucket: MemoryBucket, world: SkippingWorld) -> None:
        self.name, self.world = name, world
        self.store = ParquetStore(folder / name, world, node_id=name, disk=Unsynced(), carried=True)
        corpus = StoreCorpus(self.store)
        self.pushes = Pushes(corpus, bucket, world, project="shop", started=dict)
        self.pulls = Pulls(corpus, bucket, world, project="shop", tables=None)
        self.folds = Folds(self.store, DuckdbReads(self.store, [ORDERS]))

    def land(self, number: int) -> None:
        """A run of the node's own pipeline."""
        self.world.skip(1_000)
        destined, run_id = Destined("orders", (), {}), f"r-{number}"
        newest = self.store.newest("orders", self.name)
        stage = self.store.stage(Lot(destined, run_id, self.name, "here"))
        stage.add(land.shape(destined, [{"id": number}], stage.schema))
        known = None if newest is None else newest.run_id
        stage.commit(f'"p{number}"', known=known, attempts=(run_id,), admit=lambda: None)

    def sync(self) -> None:
        """As a command does before its run and after it."""
        self.pulls.pull()
        self.pushes.push()

    def fold(self) -> None:
        """As `context compact` does."""
        self.world.skip(1)
        self.folds.fold(ORDERS)
        self.folds.collect("orders")

    def read(self) -> Sequence[int]:
        """What the table reads."""
        try:
            answer = DuckdbReads(self.store, [ORDERS]).query("SELECT id FROM orders ORDER BY id", rows_max=1_000)
        except StoreUnknownTable:
            return []
        return [int(str(row[0])) for row in answer.rows]

    def lose(self) -> None:
        """Its disk is replaced by an empty one."""
        shutil.rmtree(self.store.root, ignore_errors=True)


@pytest.fixture
def bucket() -> MemoryBucket:
    return MemoryBucket()


@pytest.fixture
def nodes(tmp_path: Path, bucket: MemoryBucket) -> list[Node]:
    world = SkippingWorld()
    return [Node(f"n-{number}", tmp_path, bucket, world) for number in range(3)]


@pytest.mark.clause("store.merge.rebase")
@pytest.mark.parametrize("seed", range(3))
def test_every_row_is_read_once_everywhere_in_the_end(nodes: list[Node], seed: int) -> None:
    chance, landed = random.Random(seed), 0
    for _ in range(25):
        node = chance.choice(nodes)
        match chance.randrange(6):
            case 0 | 1:
                node.land(landed)
                node.pushes.push()
                landed += 1
            case 2:
                node.sync()
            case 3:
                node.fold()
            case 4:
                node.world.skip(8 * DAY_MS)
            case _:
                node.lose()
                node.pulls.pull()

    for node in nodes + nodes:
        node.sync()

    assert [node.read() for node in nodes] == [list(range(landed))] * len(nodes)


@pytest.mark.clause("store.push.rewritten")
def test_a_ledger_that_was_pulled_does_not_take_the_place_of_its_own_nodes_newer_one(nodes: list[Node]) -> None:
    one, other = nodes[:2]
    one.land(0)
    path = f"{ledger.folder('orders')}/{ledger.file_name('r-0', 'n-0')}"
    one.store.root.joinpath(path).parent.mkdir()
    one.store.root.joinpath(path).write_bytes(b"a request")
    one.sync()
    other.sync()
    one.store.root.joinpath(path).write_bytes(b"a request, and another")
    one.sync()

    other.pushes.push()
    nodes[2].pulls.pull()

    assert nodes[2].store.root.joinpath(path).read_bytes() == b"a request, and another"


@pytest.mark.clause("store.pull.convergence")
def test_what_was_folded_long_ago_leaves_the_bucket_and_does_not_come_back(
    nodes: list[Node], bucket: MemoryBucket
) -> None:
    one = nodes[0]
    one.land(0)
    one.fold()
    one.sync()
    one.world.skip(8 * DAY_MS)
    one.fold()

    one.sync()
    again = one.pulls.pull()

    runs = [path for path in push.of_project(standing(bucket).manifest, "shop") if push.run(path)]
    assert (runs, again.objects) == ([], 0)
    assert one.read() == [0]
