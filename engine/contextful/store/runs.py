"""The store's table of runs: two rows a run, as every surface shows it, and the catalog's row made of them again.

catalog row, due ---- appended to the table ----> no longer due
      |
      +-- a crash, a full disk: still due, and appended at a later startup
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, cast

from contextful.kernel import instant
from contextful.kernel.change import Change, Insert, Update
from contextful.kernel.shape import to_json
from contextful.kernel.table import Row, Select
from contextful.run import record
from contextful.run.record import RUN, Run
from contextful.run.shown import run_row
from contextful.store.schema import Type
from contextful_contract.shapes import Phase, RunRow, RunStatus

TABLE = "_runs"
SETTLED_MS = 60_000  # what has been due for less is being appended by whoever made it so
Record = Mapping[str, Any]  # a row of the table, by the names of RunRow


def _type(spelled: str) -> Type:
    kind = spelled.removesuffix(" | None")
    if kind in ("int", "Instant"):
        return Type.INT64 if kind == "int" else Type.TIMESTAMP
    return Type.UTF8 if kind in ("str", "Phase", "RunStatus", "FailureTag") else Type.VARIANT


TYPES = {field.name: _type(str(field.type)) for field in fields(RunRow)}


def overdue(now_ms: int, limit: int) -> Select:
    """The rows that whoever made them did not live to append."""
    return Select(RUN, {}, order="unappended_ms", before=now_ms - SETTLED_MS, limit=limit)


def due(row: Row) -> Sequence[Record]:
    """What the table lacks of the run: the row of its open, and where it has closed the row of that."""
    if row["unappended_ms"] is None:
        return ()
    run = record.from_row(row)
    opened = () if row["planned"] else (_plan(run),)
    shown = (*opened, run) if run.phase is Phase.COMMIT else opened
    return [to_json(run_row(each)) for each in shown]  ##= run.record.reserved-table, store.drain.record-unmarked


def appended(row: Row) -> Change:
    """The catalog's row once the table has all of it, if it still says what was appended."""
    standing: Row = {name: row[name] for name in ("phase", "status", "ended_ms", "unappended_ms")}
    return Update(RUN, {"run_id": row["run_id"]}, standing, {"unappended_ms": None, "planned": 1})


def latest(records: Sequence[Record]) -> Mapping[str, Record]:
    """Of each run the row that tells most: the last of its phase, and that of its close before that of its open."""
    found: dict[str, Record] = {}
    for each in records:
        before = found.get(each["run_id"])
        if before is None or Phase.PLAN.value == before["phase"] or each["phase"] == Phase.COMMIT.value:
            found[each["run_id"]] = each
    return found


def restored(standing: Row | None, shown: Record) -> Sequence[Change]:
    """What brings the catalog's row up to what the table says. A row that knows more than the table is left alone."""
    row = catalog_row(shown)
    if standing is None:
        return (Insert(RUN, row),)  ##= run.record.rebuild-restores-history
    if standing["unappended_ms"] is not None or shown["phase"] == Phase.PLAN.value:
        return ()
    if all(standing[column] == value for column, value in row.items()):
        return ()
    return (Update(RUN, {"run_id": row["run_id"]}, {"status": standing["status"], "unappended_ms": None}, row),)


def catalog_row(shown: Record) -> Row:
    """The catalog's row of a run, out of the table's. Instants are milliseconds."""
    owner, stop = shown["owner"] or {}, shown["stop"] or {}
    same = ("run_id", "execution_id", "pipeline_id", "site_id", "phase", "status", "plan_ref", "trace_id", "reason")
    counted = {"landed_rows": "rows", "landed_bytes": "bytes", "batches": "batches", "skipped": "skipped"}
    branches = [[branch["label"], branch["tag"]] for branch in shown["failed_branches"] or ()]
    hits = [[hit["step_label"], hit["attempt"], hit["bound"]] for hit in shown["bound_hits"] or ()]
    return {
        **{name: shown[name] for name in (*same, "error_kind", "error_message")},
        **{column: shown[name] or 0 for column, name in counted.items()},
        **{f"{name}_ms": shown[f"{name}_at"] for name in ("started", "ended", "next_attempt")},
        **(_connector(shown) if shown["connector_id"] else {}),
        "table_name": shown["table"],
        "host_scope": shown["host_scope"] or "",
        "chunk": shown["chunk"],
        "failed_branches": json.dumps(branches),
        "input": json.dumps(shown["input"], sort_keys=True) if shown["input"] else None,
        "bound_hits": json.dumps(hits) if hits else None,
        "holder": owner.get("holder"),
        "pid": owner.get("pid"),
        "boot_id": owner.get("boot_id"),
        "lease_expires_ms": instant.read(owner.get("lease_expires_at")),
        "stop_requested_ms": instant.read(stop.get("requested_at")),
        "stop_scope": stop.get("scope"),
        "stop_reason": stop.get("reason"),
        "planned": 1,
    }


def run(shown: Record) -> Run:
    """The run that a row of the table tells of."""
    row = catalog_row(shown)
    return record.from_row({column: row.get(column) for column in RUN.columns})


def _connector(shown: Record) -> dict[str, str]:
    pinned = {f"connector_{name}": cast(str, shown[f"connector_{name}"]) for name in ("id", "version", "hash")}
    return pinned | {"connector_world": "native"}


def _plan(run: Run) -> Run:
    """The run as it stood when it opened."""
    return replace(
        run,
        phase=Phase.PLAN,
        status=RunStatus.RUNNING,
        ended_ms=None,
        next_attempt_ms=None,
        counts=record.Counts(),
        error_kind=None,
        error_message=None,
        failed_branches=(),
        bound_hits=(),
        reason=None,
        stop=None,
        input=None,
    )
