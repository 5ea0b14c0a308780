"""A job whose statement reads what the job lands itself: before its first landing such a table is an empty one.

Its columns are those that the manifest declares, or else those that the body has registered among its outputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from contextful.faces.tables import Tables
from contextful.kernel.failure import Failed, Failure
from contextful.pipeline.compile import JobPlan
from contextful.ports.read_face import NONE, Answer, ReadFace
from contextful.runner.bodies import Body
from contextful.store.schema import Type
from contextful_contract.errors import StoreUnknownTable
from contextful_contract.shapes import FailureTag, Grant

if TYPE_CHECKING:
    from contextful.adapters.parquet import ParquetStore


def reads(tables: Tables, store: ParquetStore, grants: Sequence[Grant] | None, plan: JobPlan, body: Body) -> OwnOutputs:
    """What a fire of the job reads through."""
    given = {
        plan.tables[table].reading.table: _columns(body.name, table, types)
        for table, types in body.projection.outputs.items()
        if table in plan.tables
    }
    masked, landed = tables.masked(store, grants, given=given), store.tables()
    own = {table.reading.table: name for name, table in plan.tables.items()}
    unknown = {table: name for table, name in own.items() if table not in landed and not masked.readings[table].columns}
    return OwnOutputs(masked, plan, unknown)


class OwnOutputs:
    """Reads, with a refusal of its own for a table that the job is the first to land in.

    `unknown` are the job's own tables that cannot be read yet, each with the name that the job has for it.
    """

    def __init__(self, reads: ReadFace, plan: JobPlan, unknown: Mapping[str, str]) -> None:
        self._reads = reads
        self._plan = plan
        self._unknown = {table.lower(): name for table, name in unknown.items()}

    def query(
        self,
        sql: str,
        *,
        rows_max: int,
        as_of_ms: int | None = None,
        available_as_of_ms: int | None = None,
        tables_as_of_ms: Mapping[str, int] = NONE,
    ) -> Answer:
        """As `ReadFace.query` has it. Raises Failed where the columns of the job's own table are not known yet."""
        bounds = {"as_of_ms": as_of_ms, "available_as_of_ms": available_as_of_ms}
        try:
            return self._reads.query(sql, rows_max=rows_max, tables_as_of_ms=tables_as_of_ms, **bounds)
        except StoreUnknownTable as unknown:
            name = self._unknown.get(unknown.table.lower())
            if name is None:
                raise
            said = (
                f"job {self._plan.name} reads {unknown.table}, in which nothing has landed, and it is the one that"
                f" lands there: declare the `columns` of its table {name}, or register its body with `outputs`"
            )
            raise Failed(Failure(FailureTag.CONFIG, said)) from None

    def admit(self) -> None:
        """Ask once ahead of a fire, which would otherwise stand pending, pinned to what has to be changed."""
        if self._unknown:
            self.query(self._plan.statement, rows_max=1)


def _columns(body: str, table: str, types: Mapping[str, str]) -> Mapping[str, Type]:
    known = {kind.value: kind for kind in Type}
    for column, kind in types.items():
        if kind not in known:
            said = f"body {body} registers column {column} of table {table} as {kind!r:.80}; types: {', '.join(known)}"
            raise Failed(Failure(FailureTag.CONFIG, said))
    return {column: known[kind] for column, kind in types.items()}
