"""The suites over D1 and R2, in workerd."""

from collections.abc import Iterator

import pytest

from contextful.adapters.d1.rows import D1Rows
from contextful.ports.rows import Rows
from contextful.testing.conformance import RowsSuite
from contextful.testing.conformance.rows import TABLES
from contextful.testing.workerd import Server


class TestD1Rows(RowsSuite):
    @pytest.fixture
    def rows(self, cloudflare: Server) -> Iterator[Rows]:
        rows = D1Rows(cloudflare.worker(), TABLES)
        rows.initialize()
        yield rows
        rows.close()
