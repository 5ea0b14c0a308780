"""The suites over PostgreSQL."""

from collections.abc import Iterator

import pytest

from contextful.adapters import row_blobs
from contextful.adapters.postgres import PostgresRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.ports.blobs import Blobs
from contextful.ports.rows import Rows
from contextful.testing.conformance import BlobsSuite, RowsSuite
from contextful.testing.conformance.rows import TABLES


class TestPostgresRows(RowsSuite):
    @pytest.fixture
    def rows(self, postgres_address: str) -> Iterator[Rows]:
        rows = PostgresRows(postgres_address, TABLES)
        rows.initialize()
        yield rows
        rows.close()


class TestPostgresBlobs(BlobsSuite):
    @pytest.fixture
    def blobs(self, postgres_address: str) -> Iterator[Blobs]:
        rows = PostgresRows(postgres_address, row_blobs.TABLES)
        rows.initialize()
        yield RowBlobs(rows)
        rows.close()
