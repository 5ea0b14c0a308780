"""A run over D1 whose every answer may be lost: whatever was recorded is not done again, and the run comes through."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

import contextful
from contextful.adapters.d1.blobs import OBJECT, R2Blobs
from contextful.adapters.d1.rows import D1Rows
from contextful.adapters.d1.wire import Wire as Way
from contextful.adapters.d1.worker import Worker
from contextful.errors import StorageBindingUnavailable
from contextful.faces import stores
from contextful.kernel import digest
from contextful.testing import SkippingWorld
from contextful.testing.workerd import TOKEN, Server
from tests.adapters.wire import Cut, Wire

LEASE_LAPSED_MS = 31_000
WRITE = b"POST /batch HTTP/1.1"
WRITES_MAX = 30


class Rows(D1Rows):
    """D1 with the world's clock in the place of its own, so that a lease lapses as soon as the test says so."""

    def now_ms(self, local_ms: int) -> int:
        return local_ms


class Shop:
    """A body of two steps, and what it asked of the outside."""

    def __init__(self, wire: Wire) -> None:
        self.world = SkippingWorld()
        self.worker = Worker(Way(f"http://127.0.0.1:{wire.port}", TOKEN))
        self.rows = Rows(self.worker, (*stores.STATES, OBJECT))
        self.fetched = 0
        self.written = 0

    def engine(self) -> contextful.Engine:
        """A process's."""
        return contextful.Engine(self.rows, R2Blobs(self.worker, self.rows), self.world)

    def work(self, scope: str) -> str:
        """One attempt, by a process of its own."""
        with self.engine() as engine, engine.execution(scope, "plan") as run:
            run.step("fetch", self.fetch)
            return run.step("write", self.write)

    def pending(self, scope: str) -> bool:
        """Whether there is work to go on with."""
        return self.engine().pending(scope) is not None

    def fetch(self) -> int:
        self.fetched += 1
        return self.fetched

    def write(self) -> str:
        self.written += 1
        return "written"


@pytest.fixture
def wire(cloudflare: Server) -> Iterator[Wire]:
    with Wire(urlsplit(cloudflare.address).port or 0, request=WRITE) as wire:
        yield wire


@pytest.mark.clause("run.journal.d1-transport")
@pytest.mark.parametrize(
    ("cut", "entered_max"), [(Cut(sent=False), 2), (Cut(), 1)], ids=["before it arrives", "once it is done"]
)
def test_a_run_comes_through_whichever_of_its_writes_is_not_answered(wire: Wire, cut: Cut, entered_max: int) -> None:
    shop = Shop(wire)
    shop.rows.initialize()

    for at in range(WRITES_MAX):
        shop.fetched = shop.written = 0
        wire.cuts = [None] * at + [cut]
        try:
            shop.work(f"shop-{at}")
        except StorageBindingUnavailable:
            shop.world.skip(LEASE_LAPSED_MS)
            if shop.written == 0 or shop.pending(f"shop-{at}"):  # else it has retired, and its next open is another
                assert shop.work(f"shop-{at}") == "written"
        if wire.cuts:
            break  # the run has fewer writes than that
        assert max(shop.fetched, shop.written) <= entered_max

    assert at > 5
    shop.rows.close()


@pytest.mark.clause("run.journal.d1-transport")
@pytest.mark.parametrize("cut", [Cut(sent=False), Cut()], ids=["before it arrives", "once it is done"])
def test_a_blob_is_put_whichever_of_the_writes_before_was_not_answered(wire: Wire, cut: Cut) -> None:
    shop = Shop(wire)
    shop.rows.initialize()
    blobs = R2Blobs(shop.worker, shop.rows)

    for at in range(WRITES_MAX):
        content = str(at).encode()
        wire.cuts = [None] * at + [cut]
        with contextlib.suppress(StorageBindingUnavailable):
            blobs.put(digest.of_bytes(content), content, now_ms=at)
        if wire.cuts:
            break
        blobs.put(digest.of_bytes(content), content, now_ms=at)
        assert blobs.get(digest.of_bytes(content)) == content

    assert at == 2
    shop.rows.close()
