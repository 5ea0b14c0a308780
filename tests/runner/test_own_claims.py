"""Claims of one attempt, whose lease another clock has cut short."""

from __future__ import annotations

import threading

import pytest

import contextful
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.system import SystemWorld
from contextful.kernel.change import Update
from contextful.run import record

A_WHILE_S = 0.3  # longer than a look at the entry takes


@pytest.mark.clause("run.journal.entry-key", "run.journal.claim-takeover")
def test_a_call_that_is_at_its_claim_keeps_it_from_its_siblings_whatever_the_lease_says() -> None:
    rows = MemoryRows()
    entered: list[int] = []
    given: list[int] = []

    with contextful.Engine(rows, RowBlobs(rows), SystemWorld()).execution("scope", "plan", run_id="r-1") as run:

        def effect() -> int:
            entered.append(1)
            assert rows.commit(Update(record.RUN, {"run_id": "r-1"}, {}, {"lease_expires_ms": 0}))
            sibling.start()
            sibling.join(A_WHILE_S)
            return 7

        sibling = threading.Thread(target=lambda: given.append(run.step("fetch", effect)))
        given.append(run.step("fetch", effect))
        sibling.join()

    assert (entered, given) == ([1], [7, 7])
