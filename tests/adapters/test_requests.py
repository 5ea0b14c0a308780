"""The request ledger on the disk."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

import pytest

from contextful.adapters.duckdb import DuckdbReads
from contextful.adapters.files import Disk
from contextful.adapters.parquet import ParquetStore
from contextful.adapters.requests import ParquetLedger
from contextful.adapters.system import SystemWorld
from contextful.kernel.failure import StorageFailed
from contextful.store.ledger import Request
from contextful.testing import Crash, Crashes, CrashingDisk, SkippingWorld


def request(pull: int) -> Request:
    """A request that went well."""
    return Request("r-1", f"pull-{pull}", f"key-{pull}", "http", "GET", "vendor.example", "ok", 1_000 * pull, 20)


def rows(root: Path, sql: str = "SELECT pull FROM orders__requests ORDER BY 1") -> list[tuple[object, ...]]:
    """What the ledger answers."""
    return list(DuckdbReads(ParquetStore(root, SkippingWorld(), node_id="node"), ()).query(sql, rows_max=100).rows)


def ledger(root: Path, disk: Disk | None = None) -> ParquetLedger:
    """The ledger of a run into `orders`."""
    folder = root / "tables" / "orders" / "requests"
    return ParquetLedger(folder, "r-1", "node", disk or Disk(), SystemWorld())


@pytest.mark.clause("store.reserve.request-ledger")
def test_appends_at_once_take_turns(tmp_path: Path) -> None:
    writers = [threading.Thread(target=ledger(tmp_path).append, args=(request(pull),)) for pull in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert rows(tmp_path) == [(f"pull-{pull}",) for pull in range(8)]


@pytest.mark.clause("store.reserve.request-ledger")
def test_a_crash_within_an_append_loses_no_row_that_was_there(tmp_path: Path) -> None:
    ledger(tmp_path).append(request(1))
    crashes = Crashes()
    ledger(tmp_path / "count", CrashingDisk(crashes)).append(request(2))

    for at in range(crashes.count):
        with contextlib.suppress(Crash):
            ledger(tmp_path, CrashingDisk(Crashes(at))).append(request(2))
        assert rows(tmp_path)[0] == ("pull-1",)


def test_a_table_of_which_nothing_was_asked_has_an_empty_ledger(tmp_path: Path) -> None:
    (tmp_path / "tables" / "orders").mkdir(parents=True)

    assert rows(tmp_path, "SELECT started_at, took_ms FROM orders__requests") == []


def test_a_damaged_ledger_is_named(tmp_path: Path) -> None:
    ledger(tmp_path).append(request(1))
    path = tmp_path / "tables/orders/requests/r-1.node.parquet"
    path.write_bytes(path.read_bytes()[:40])

    with pytest.raises(StorageFailed, match=r"r-1\.node\.parquet"):
        ledger(tmp_path).append(request(2))
