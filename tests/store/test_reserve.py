"""Names that are the engine's."""

import pytest

from contextful.errors import StoreReservedColumnName, StoreReservedTableName
from contextful.store import reserve


@pytest.mark.clause("store.reserve.table-namespaces")
@pytest.mark.parametrize("table", ["_runs", "_items", "_visibility", "orders__requests"])
def test_a_table_of_the_engines_cannot_be_declared(table: str) -> None:
    with pytest.raises(StoreReservedTableName) as refusal:
        reserve.admit_table(table)

    assert refusal.value.table == table


@pytest.mark.clause("store.reserve.column-namespaces")
@pytest.mark.parametrize("column", ["_", "_run_id", "_mine"])
def test_a_column_of_the_engines_cannot_be_filled(column: str) -> None:
    with pytest.raises(StoreReservedColumnName) as refusal:
        reserve.admit_column(column)

    assert refusal.value.column == column


@pytest.mark.clause("store.reserve.column-namespaces")
@pytest.mark.parametrize("column", ["id", "_modality", "_lang", "_provenance", "_prompt_hash"])
def test_every_other_column_can(column: str) -> None:
    assert reserve.admit_column(column) == column


@pytest.mark.clause("store.reserve.commit-seq")
@pytest.mark.parametrize(("committed", "following"), [((), 1), ((1, 6, 3), 7)])
def test_a_commit_counts_on_from_the_highest(committed: tuple[int, ...], following: int) -> None:
    assert reserve.next_commit_seq(committed) == following
