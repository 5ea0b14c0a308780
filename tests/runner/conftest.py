"""What tests of runs are given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.ports.rows import Rows
from contextful.testing import SkippingWorld
from tests.runner.places import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "store")


@pytest.fixture
def rows() -> Rows:
    return MemoryRows()


@pytest.fixture
def world() -> SkippingWorld:
    return SkippingWorld()


@pytest.fixture
def engine(rows: Rows, world: SkippingWorld) -> contextful.Engine:
    return contextful.Engine(rows, RowBlobs(rows), world)


@pytest.fixture
def run(engine: contextful.Engine) -> Iterator[contextful.Execution]:
    with engine.execution("index-42", "plan-a") as run:
        yield run
