"""How two types of one column become one, as a table over every pair."""

import itertools

import pytest

from contextful.errors import StoreColumnNameInvalid, StoreKeyWidened, StoreSchemaIncompatible
from contextful.store import reconcile
from contextful.store.schema import Schema, Type, from_json, to_json

PROMOTED = {
    frozenset({Type.INT64, Type.FLOAT64}): Type.FLOAT64,
    frozenset({Type.UTF8, Type.VARIANT}): Type.VARIANT,
}
PAIRS = list(itertools.product(Type, Type))


@pytest.mark.clause("store.reconcile.promotion")
@pytest.mark.clause("store.reconcile.incompatible")
@pytest.mark.parametrize(("stored", "arriving"), PAIRS, ids=lambda kind: kind.value)
def test_every_pair_of_types_has_one_type_or_a_refusal(stored: Type, arriving: Type) -> None:
    known = {stored, arriving} - {Type.NULL}
    expected = known.pop() if len(known) == 1 else PROMOTED.get(frozenset(known)) if known else Type.NULL

    if expected is not None:
        assert reconcile.merged("t", "c", stored, arriving) is expected
        return
    with pytest.raises(StoreSchemaIncompatible) as refusal:
        reconcile.merged("t", "c", stored, arriving)
    assert vars(refusal.value) == {"table": "t", "column": "c", "stored": stored.value, "arriving": arriving.value}


@pytest.mark.clause("store.reconcile.key-widening")
def test_a_key_does_not_become_a_float() -> None:
    with pytest.raises(StoreKeyWidened) as refusal:
        reconcile.merged("t", "id", Type.INT64, Type.FLOAT64, key=("id",))

    assert vars(refusal.value) == {"table": "t", "column": "id"}


@pytest.mark.clause("store.reconcile.additive")
def test_a_schema_grows_and_keeps_what_stays_away() -> None:
    stored = Schema({"a": Type.INT64, "b": Type.NULL})

    merged = reconcile.merge("t", stored, Schema({"c": Type.UTF8, "b": Type.BOOLEAN}))

    assert list(merged.types.items()) == [("a", Type.INT64), ("b", Type.BOOLEAN), ("c", Type.UTF8)]


@pytest.mark.clause("store.reconcile.first-sight")
def test_a_schema_file_holds_every_type() -> None:
    schema = Schema({kind.value: kind for kind in Type})

    assert from_json(to_json(schema)) == schema


@pytest.mark.clause("store.reserve.column-shape")
@pytest.mark.parametrize(
    ("stored", "arriving", "column"),
    [
        ({"id": Type.INT64}, {"ID": Type.INT64}, "ID"),
        ({}, {"id": Type.INT64, "Id": Type.INT64}, "Id"),
        ({}, {"": Type.INT64}, ""),
    ],
    ids=["one that stands", "one of the same batch", "no name"],
)
def test_a_column_that_sql_cannot_name_is_refused(
    stored: dict[str, Type], arriving: dict[str, Type], column: str
) -> None:
    with pytest.raises(StoreColumnNameInvalid) as refusal:
        reconcile.merge("t", Schema(stored), Schema(arriving))

    assert (refusal.value.table, refusal.value.column) == ("t", column)


@pytest.mark.clause("store.reconcile.promotion-exact")
def test_a_schema_remembers_which_commits_wrote_a_variant_as_texts() -> None:
    stood = Schema({"a": Type.UTF8, "b": Type.VARIANT})

    first = reconcile.committed(stood, Schema({"a": Type.VARIANT, "b": Type.VARIANT}), 7)
    second = reconcile.committed(first, reconcile.merge("t", first, Schema({"a": Type.UTF8})), 8)

    assert first.text_before == second.text_before == {"a": 7}
    assert from_json(to_json(first)) == first
