"""How walks put themselves on record, and the store that they walk on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from platform import python_version

import pytest

from contextful.ports.rows import Rows
from proofs import stores


@pytest.fixture
def record_walk(request: pytest.FixtureRequest, record_proof: Callable[..., None]) -> Callable[..., None]:
    """Records a walk, whose claim is the test's docstring. Its cases were counted, and held to their closed form."""
    started = time.process_time()

    def record(*, domain: str, cases: int, leaves_open: str = "") -> None:
        record_proof(
            claim=" ".join((request.function.__doc__ or "").split()),
            domain=domain,
            cases=cases,
            versions={"python": python_version()},
            seconds=round(time.process_time() - started, 3),
            leaves_open=leaves_open,
        )

    return record


@pytest.fixture
def sqlite_rows() -> Iterator[Rows]:
    """An empty SQLite store."""
    with stores.sqlite() as rows:
        yield rows
