"""The suites over D1 and R2, in workerd."""

from collections.abc import Iterator

import pytest

from contextful.adapters.d1.blobs import OBJECT, R2Blobs
from contextful.adapters.d1.bucket import R2Bucket
from contextful.adapters.d1.rows import D1Rows
from contextful.ports.blobs import Blobs
from contextful.ports.bucket import Bucket
from contextful.ports.rows import Rows
from contextful.testing.conformance import BlobsSuite, BucketSuite, RowsSuite
from contextful.testing.conformance.rows import TABLES
from contextful.testing.workerd import Server


class TestD1Rows(RowsSuite):
    @pytest.fixture
    def rows(self, cloudflare: Server) -> Iterator[Rows]:
        rows = D1Rows(cloudflare.worker(), TABLES)
        rows.initialize()
        yield rows
        rows.close()


class TestR2Blobs(BlobsSuite):
    @pytest.fixture
    def blobs(self, cloudflare: Server) -> Iterator[Blobs]:
        worker = cloudflare.worker()
        rows = D1Rows(worker, [OBJECT])
        rows.initialize()
        yield R2Blobs(worker, rows)
        rows.close()


class TestR2Bucket(BucketSuite):
    @pytest.fixture
    def bucket(self, cloudflare: Server) -> Iterator[Bucket]:
        worker = cloudflare.worker()
        yield R2Bucket(worker)
        worker.close()
