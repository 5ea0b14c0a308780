"""The bucket of the scenarios, the nodes that share it, and what happens to it on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.folder_bucket import FolderBucket
from contextful.adapters.memory import MemoryRows
from contextful.errors import StoreUnknownTable
from contextful.faces.carrying import Bound, Carrying
from contextful.faces.cli import carry
from contextful.faces.config import CONFIG, Sync
from contextful.ports.bucket import Object
from contextful.runner.push import standing
from contextful.store import lay_out, push
from contextful.store.push import BucketManifest, RunState
from tests.steps.manifest import SHOP
from tests.steps.script import Page, position
from tests.steps.shop import Shop, Unsynced
from tests.steps.stage import Stage

Act = Callable[[], object]


class Watched(FolderBucket):
    """A bucket to whose manifest something may happen, once each, as it is read or about to be replaced."""

    def __init__(self, folder: Path, stage: Stage) -> None:
        super().__init__(folder, stage.world, disk=Unsynced())
        self.after_read: list[Act] = []
        self.before_write: list[Act] = []

    def get(self, key: str) -> Object | None:
        """As the bucket beneath, and then what happens."""
        found = super().get(key)
        if key == push.MANIFEST and self.after_read:
            self.after_read.pop(0)()
        return found

    def put(self, key: str, content: bytes, *, over: str | None = None) -> str | None:
        """What happens, and then as the bucket beneath."""
        if key == push.MANIFEST and self.before_write:
            self.before_write.pop(0)()
        return super().put(key, content, over=over)


class Carriage:
    """Nodes of one project, by name, and their bucket. The scenario's own is `n-1` where it gives none that name."""

    def __init__(self, stage: Stage, shop: Shop) -> None:
        self.stage = stage
        self.shop = shop
        self.folder = stage.folder / "bucket"
        self.folder.mkdir()
        self.bucket = Watched(self.folder, stage)
        self.sync = Sync(bucket=f"file:{self.folder}")
        self.nodes: dict[str, Shop] = {"n-1": shop}

    def node(self, name: str) -> Shop:
        """The node of this name; another than the scenario's is made, with a catalog of its own."""
        if name not in self.nodes:
            other = Shop(Stage(MemoryRows(), self.stage.folder), self.stage.folder / name)
            other.stage.world = self.stage.world
            other.node_id = name
            self.nodes[name] = other
        return self.nodes[name]

    def carrying(self, name: str | None = None) -> Carrying:
        """A node's way to the bucket."""
        shop = self.shop if name is None else self.node(name)
        bound = Bound(self.sync, self.bucket)
        return Carrying(
            shop.store(), bound, shop.stage.rows, self.stage.world, project=SHOP, pipelines=[SHOP], restore=int
        )

    def sets(self, **keys: bool | list[str]) -> None:
        """The project says so, to the scenario's fires and to commands."""
        self.sync = Sync(bucket=self.sync.bucket, **keys)  # type: ignore[arg-type]
        path = self.shop.store().root / CONFIG
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{key} = {str(value).lower() if isinstance(value, bool) else value}\n" for key, value in keys.items()]
        path.write_text(f'[sync]\nbucket = "{self.sync.bucket}"\n{"".join(lines)}')
        self.shop.recorded = True
        self.shop.around = lambda: carry.carried(self.carrying())

    def has(self, count: int, *, table: str, node: str = "elsewhere") -> None:
        """The bucket has so many rows of a table, from another node."""
        other = self.node(node)
        other.tables = [table]
        rows = [{"id": f"{table}-{number}"} for number in range(count)]
        other.land(rows, f"{node}-{table}")
        assert other.stage.error is None, other.stage.error
        self.carrying(node).push()

    def push(self, name: str = "n-1") -> None:
        """A push by hand, which says on standard error what it has found lost."""
        carry.tell(self.carrying(name).push())

    def manifest(self) -> BucketManifest:
        """What the bucket lists."""
        return standing(self.bucket).manifest

    def run_manifests(self) -> set[str]:
        """The runs whose manifests the bucket lists, and has."""
        manifest = self.manifest()
        entries = push.of_project(manifest, SHOP)
        keys = {path: push.object_key(f"{SHOP}/{path}", entry) for path, entry in entries.items()}
        assert all(self.bucket.get(key) is not None for key in keys.values())
        runs = {path: push.run(path) for path in keys if path.endswith(lay_out.MANIFEST)}
        return {run[0] for run in runs.values() if run is not None}

    def state(self) -> RunState:
        """What the scenario's node says of its runs, in the bucket."""
        path = push.state_path(self.shop.node_id)
        entry = push.of_project(self.manifest(), SHOP)[path]
        found = self.bucket.get(push.object_key(f"{SHOP}/{path}", entry))
        assert found is not None
        return push.state_from_json(found.content, path=path)

    def touch(self) -> None:
        """Another node replaces the manifest, and changes nothing in it."""
        plain = FolderBucket(self.folder, self.stage.world, disk=Unsynced())
        found = standing(plain)
        touched = replace(found.manifest, generation=found.manifest.generation + 1)
        assert plain.put(push.MANIFEST, push.to_json(touched), over=found.version) is not None

    def attempt(self, act: Act) -> None:
        """Do it; the scenario says what it expects."""
        try:
            self.stage.outcome = act()
        except BaseException as error:  # noqa: BLE001
            self.stage.error = error


def lands_to(shop: Shop, run_id: str, text: str) -> None:
    """A run of the shop ends at a position."""
    shop.listing.pages = [Page([{"id": run_id}], position(text), more=False)]
    shop.next_fire(run_id)
    assert shop.stage.error is None, shop.stage.error


def reads(shop: Shop, table: str) -> int:
    """How many rows a table reads on a node."""
    try:
        answer = DuckdbReads(shop.store(), ()).query(f"SELECT count(*) FROM {shop.stored(table)}", rows_max=1)
    except StoreUnknownTable:
        return 0
    return int(str(answer.rows[0][0]))


@pytest.fixture
def carriage(stage: Stage, shop: Shop) -> Carriage:
    """The bucket, and the scenario's node."""
    return Carriage(stage, shop)
