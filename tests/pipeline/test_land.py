"""Rows as typed columns, as tables."""

from __future__ import annotations

from typing import Any

import pytest

from contextful.errors import (
    PipelineTypeDeclaredLate,
    StoreColumnMissing,
    StoreKeyWidened,
    StoreSchemaIncompatible,
)
from contextful.pipeline import land
from contextful.pipeline.land import Column, Destined, Shaped
from contextful.store.schema import EMPTY, Schema, Type

TABLE = Destined("orders")


@pytest.mark.parametrize(
    ("values", "type_", "shaped"),
    [
        ([None, None], Type.NULL, [None, None]),
        ([True, None], Type.BOOLEAN, [True, None]),
        ([1, None, -(1 << 63)], Type.INT64, [1, None, -(1 << 63)]),
        ([1, 2.5], Type.FLOAT64, [1.0, 2.5]),
        (["a", None], Type.UTF8, ["a", None]),
        ([{"b": 1}, None], Type.VARIANT, ['{"b":1}', None]),
        ([[1, "é"], "text"], Type.VARIANT, ['[1,"é"]', '"text"']),
    ],
)
def test_a_column_has_the_type_that_holds_its_values(values: list[object], type_: Type, shaped: list[object]) -> None:
    rows = [{"c": value} for value in values]

    assert land.shape(TABLE, rows, EMPTY) == Shaped((Column("c", type_, shaped),), len(rows))


@pytest.mark.parametrize(
    ("values", "stored", "arriving"),
    [
        ([1, "a"], "int64", "utf8"),
        ([True, 1], "boolean", "int64"),
        ([1, {}], "int64", "variant"),
        ([1.5, "a"], "float64", "utf8"),
        ([1 << 63], "int64", "wider integer 9223372036854775808"),
        ([(1 << 53) + 1, 0.5], "float64", "int64 9007199254740993"),
    ],
)
def test_values_that_no_type_holds_are_refused(values: list[object], stored: str, arriving: str) -> None:
    with pytest.raises(StoreSchemaIncompatible) as refusal:
        land.shape(TABLE, [{"c": value} for value in values], EMPTY)

    assert vars(refusal.value) == {"table": "orders", "column": "c", "stored": stored, "arriving": arriving}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Type.FLOAT64, "1e400"),
        (Type.INT64, "٣"),
        (Type.FLOAT64, "٣.5"),
        (Type.TIMESTAMP, "2026-03-01T00:00:00.0000000001Z"),
    ],
    ids=["beyond every float", "digits of another script", "a float of theirs", "below a nanosecond"],
)
def test_a_text_that_its_columns_type_does_not_hold_is_refused(kind: Type, text: str) -> None:
    with pytest.raises(StoreSchemaIncompatible) as refusal:
        land.shape(Destined("orders", types={"c": kind}), [{"c": text}], EMPTY)

    assert refusal.value.arriving == f"utf8 {text!r}"


def test_an_instant_keeps_its_nanoseconds() -> None:
    table = Destined("orders", types={"at": Type.TIMESTAMP})

    shaped = land.shape(table, [{"at": "1970-01-01T00:00:01.123456789+00:00"}], EMPTY)

    assert shaped.columns[0].values == [1_123_456_789]


KEYED = Destined("orders", ("id",), order_by=("version",))


@pytest.mark.clause("store.declare.declared-columns")
@pytest.mark.parametrize(
    ("rows", "column"),
    [
        ([{"version": 1}], "id"),
        ([{"id": 1, "version": 1}, {"id": None, "version": 1}], "id"),
        ([{"id": 1, "version": 1}, {"version": 1}], "id"),
        ([{"id": 1}], "version"),
    ],
    ids=["no row has it", "it is null", "a row has none", "nothing to order by"],
)
def test_rows_that_could_not_be_read_by_their_key_are_refused(rows: list[dict[str, Any]], column: str) -> None:
    with pytest.raises(StoreColumnMissing) as refusal:
        land.shape(KEYED, rows, EMPTY)

    assert vars(refusal.value) == {"table": "orders", "column": column}


@pytest.mark.clause("store.declare.declared-columns")
def test_a_batch_may_leave_out_what_rows_are_ordered_by_where_the_table_has_it() -> None:
    assert land.shape(KEYED, [{"id": 1}], Schema({"version": Type.INT64})).row_count == 1


def test_columns_stand_in_the_order_in_which_rows_bring_them() -> None:
    shaped = land.shape(TABLE, [{"b": 1}, {"a": 2, "b": 3}, {}], EMPTY)

    assert shaped == Shaped((Column("b", Type.INT64, [1, 3, None]), Column("a", Type.INT64, [None, 2, None])), 3)


@pytest.mark.parametrize(
    ("standing", "value", "column"),
    [
        (Type.NULL, "a", Column("c", Type.UTF8, ["a"])),
        (Type.UTF8, None, Column("c", Type.UTF8, [None])),
        (Type.FLOAT64, 1, Column("c", Type.FLOAT64, [1.0])),
        (Type.INT64, 1.5, Column("c", Type.FLOAT64, [1.5])),
        (Type.VARIANT, "a", Column("c", Type.VARIANT, ['"a"'])),
    ],
    ids=["nulls then text", "text then nulls", "floats then an integer", "integers then a float", "nested then text"],
)
def test_a_batch_fits_what_stands(standing: Type, value: object, column: Column) -> None:
    assert land.shape(TABLE, [{"c": value}], Schema({"c": standing})) == Shaped((column,), 1)


@pytest.mark.clause("run.own.stage-schema")
def test_a_batch_that_does_not_fit_what_stands_is_refused() -> None:
    with pytest.raises(StoreSchemaIncompatible) as refusal:
        land.shape(TABLE, [{"c": "a"}], Schema({"c": Type.INT64}))

    assert (refusal.value.stored, refusal.value.arriving) == ("int64", "utf8")


def test_a_key_is_not_widened() -> None:
    with pytest.raises(StoreKeyWidened):
        land.shape(Destined("orders", key=("id",)), [{"id": 1.5}], Schema({"id": Type.INT64}))


@pytest.mark.parametrize(
    ("declared", "value", "read"),
    [
        (Type.INT64, "12", 12),
        (Type.INT64, "-7", -7),
        (Type.FLOAT64, "1.5e3", 1500.0),
        (Type.FLOAT64, 2, 2.0),
        (Type.BOOLEAN, "true", True),
        (Type.UTF8, "a", "a"),
        (Type.VARIANT, 1, "1"),
        (Type.TIMESTAMP, "1970-01-01T00:00:01Z", 1_000_000_000),
        (Type.TIMESTAMP, "1970-01-01T01:00:00.000001+01:00", 1_000),
        (Type.TIMESTAMP, None, None),
    ],
)
def test_a_declared_type_reads_its_values(declared: Type, value: object, read: object) -> None:
    table = Destined("orders", types={"c": declared})

    assert land.shape(table, [{"c": value}], EMPTY) == Shaped((Column("c", declared, [read]),), 1)


@pytest.mark.parametrize(
    ("declared", "value", "arriving"),
    [
        (Type.INT64, "1.5", "utf8 '1.5'"),
        (Type.INT64, True, "boolean True"),
        (Type.INT64, "9223372036854775808", "utf8 '9223372036854775808'"),
        (Type.FLOAT64, "nan", "utf8 'nan'"),
        (Type.BOOLEAN, 1, "int64 1"),
        (Type.UTF8, 1, "int64 1"),
        (Type.TIMESTAMP, "2026-03-01T00:00:00", "utf8 '2026-03-01T00:00:00'"),
        (Type.TIMESTAMP, "9999-01-01T00:00:00Z", "utf8 '9999-01-01T00:00:00Z'"),
        (Type.TIMESTAMP, 0, "int64 0"),
    ],
)
def test_a_value_that_a_declared_type_cannot_read_is_refused(declared: Type, value: Any, arriving: str) -> None:
    with pytest.raises(StoreSchemaIncompatible) as refusal:
        land.shape(Destined("orders", types={"c": declared}), [{"c": value}], EMPTY)

    assert vars(refusal.value) == {
        "table": "orders",
        "column": "c",
        "stored": declared.value,
        "arriving": arriving,
    }


@pytest.mark.clause("run.land.typed-pull")
def test_a_pull_says_what_its_columns_are() -> None:
    typed = land.typed(Destined("orders", types={"id": Type.INT64}), {"at": "timestamp"}, EMPTY)

    assert typed == Destined("orders", types={"id": Type.INT64, "at": Type.TIMESTAMP})


@pytest.mark.clause("run.land.typed-pull")
@pytest.mark.parametrize(("spelled", "stored"), [("sometime", "utf8"), ("null", "utf8"), ("Timestamp", "utf8")])
def test_a_type_that_nobody_can_read_does_not_fit(spelled: str, stored: str) -> None:
    with pytest.raises(StoreSchemaIncompatible) as refusal:
        land.typed(TABLE, {"at": spelled}, Schema({"at": Type.UTF8}))

    assert vars(refusal.value) == {"table": "orders", "column": "at", "stored": stored, "arriving": spelled}


def test_a_pull_and_a_manifest_that_disagree_about_a_column_do_not_fit() -> None:
    with pytest.raises(StoreSchemaIncompatible) as refusal:
        land.typed(Destined("orders", types={"at": Type.INT64}), {"at": "timestamp"}, EMPTY)

    assert vars(refusal.value) == {"table": "orders", "column": "at", "stored": "int64", "arriving": "timestamp"}


@pytest.mark.clause("run.land.late-type")
def test_a_type_comes_too_late_for_a_column_that_is_staged_without_one() -> None:
    land.in_time("orders", {"at": "timestamp"}, {"id"})

    with pytest.raises(PipelineTypeDeclaredLate) as refusal:
        land.in_time("orders", {"id": "int64", "at": "timestamp"}, {"at"})

    assert vars(refusal.value) == {"table": "orders", "column": "at"}


@pytest.mark.clause("run.record.schema-diff-shape")
def test_a_map_inside_a_column_lands_in_its_text_and_is_told_of() -> None:
    table = land.typed(Destined("shop_orders", name="orders"), {"payload.items": "map of utf8", "id": "int64"}, EMPTY)

    shaped = land.shape(table, [{"id": 1, "payload": {"items": {"a": "b"}}}], EMPTY)

    (event,) = shaped.downgrades
    told = (event.table, event.path, event.source_type, event.landed_type)
    assert told == ("orders", "payload.items", "map of utf8", "utf8")
    assert shaped.columns[1] == Column("payload", Type.VARIANT, ['{"items":{"a":"b"}}'])
