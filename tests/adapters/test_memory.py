"""The suites over memory."""

import pytest

from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.ports.blobs import Blobs
from contextful.ports.rows import Rows
from contextful.testing.conformance import BlobsSuite, RowsSuite


class TestMemoryRows(RowsSuite):
    @pytest.fixture
    def rows(self) -> Rows:
        return MemoryRows()


class TestMemoryBlobs(BlobsSuite):
    @pytest.fixture
    def blobs(self) -> Blobs:
        return RowBlobs(MemoryRows())
