"""What tests of table runs are given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runner.places import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "store")
