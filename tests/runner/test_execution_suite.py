"""Executions over each of the stores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextful.adapters.file_tree import FileRows
from contextful.adapters.memory import MemoryRows
from contextful.adapters.postgres import PostgresRows
from contextful.adapters.sqlite import SqliteRows
from contextful.faces.stores import TABLES
from contextful.ports.rows import Rows
from contextful.testing.conformance import ExecutionSuite
from contextful.testing.workerd import Server


class TestOverMemory(ExecutionSuite):
    @pytest.fixture
    def rows(self) -> Rows:
        return MemoryRows()


class TestOverSqlite(ExecutionSuite):
    @pytest.fixture
    def rows(self, tmp_path: Path) -> Iterator[Rows]:
        rows = SqliteRows(tmp_path / "machine.sqlite", TABLES)
        yield rows
        rows.close()


class TestOverFiles(ExecutionSuite):
    every = 4

    @pytest.fixture
    def rows(self, tmp_path: Path) -> Iterator[Rows]:
        rows = FileRows(tmp_path / "tree")
        yield rows
        rows.close()


class TestOverPostgres(ExecutionSuite):
    every = 4

    @pytest.fixture
    def rows(self, postgres_address: str) -> Iterator[Rows]:
        rows = PostgresRows(postgres_address, TABLES)
        rows.initialize()
        yield rows
        rows.close()


class TestOverD1(ExecutionSuite):
    every = 16

    @pytest.fixture
    def rows(self, cloudflare_server: Server) -> Iterator[Rows]:
        rows = cloudflare_server.rows(TABLES)
        yield rows
        rows.close()
