"""The suites over D1 and R2, in workerd."""

from collections.abc import Iterator

import pytest

from contextful.adapters.d1.blobs import OBJECT, R2Blobs
from contextful.adapters.d1.bucket import R2Bucket
from contextful.ports.blobs import Blobs
from contextful.ports.bucket import Bucket
from contextful.ports.rows import Rows
from contextful.testing.conformance import BlobsSuite, BucketSuite, RowsSuite
from contextful.testing.conformance.rows import TABLES
from contextful.testing.workerd import Missing, Server


class TestD1Rows(RowsSuite):
    @pytest.fixture
    def rows(self, cloudflare_server: Server) -> Iterator[Rows]:
        rows = cloudflare_server.rows(TABLES)
        yield rows
        rows.close()


class TestR2Blobs(BlobsSuite):
    @pytest.fixture
    def blobs(self, cloudflare_server: Server) -> Iterator[Blobs]:
        rows = cloudflare_server.rows([OBJECT])
        yield R2Blobs(rows.worker, rows)
        rows.close()


class TestR2Bucket(BucketSuite):
    @pytest.fixture
    def bucket(self, cloudflare: Server) -> Iterator[Bucket]:
        worker = cloudflare.worker()
        yield R2Bucket(worker)
        worker.close()


def test_without_node_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(Missing, match="make env"):
        Server()
