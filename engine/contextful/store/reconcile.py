"""store.reconcile: an arriving schema is merged into the one that stands, or its rows are refused."""

from __future__ import annotations

from collections.abc import Collection

from contextful.store import reserve
from contextful.store.schema import Schema, Type
from contextful_contract.errors import StoreKeyWidened, StoreSchemaIncompatible

PROMOTIONS = {
    frozenset({Type.INT64, Type.FLOAT64}): Type.FLOAT64,
    frozenset({Type.VARIANT, Type.UTF8}): Type.VARIANT,
}  ##= store.reconcile.promotion


def merge(table: str, stored: Schema, arriving: Schema, *, key: Collection[str] = ()) -> Schema:
    """The schema that holds both. What one lacks is added; a column that stays away remains."""
    types = dict(stored.types)
    reserve.admit_beside(table, arriving.types, types)
    for column, kind in arriving.types.items():
        ##= store.reconcile.additive
        types[column] = merged(table, column, types.get(column, Type.NULL), kind, key=key)
    return Schema(types, stored.text_before)


def joined(table: str, one: Schema, other: Schema) -> Schema:
    """The schema of a table that two nodes have written to, each by its own."""
    noted = {
        column: max(seq for each in (one, other) if (seq := each.text_before.get(column)) is not None)
        for column in (*one.text_before, *other.text_before)
    }
    return Schema(merge(table, one, other).types, noted)


def committed(stood: Schema, merged: Schema, commit_seq: int) -> Schema:
    """The merged schema as a commit leaves it: it says which commits wrote a column's texts as they were."""
    widened = {
        column: commit_seq
        for column, kind in merged.types.items()
        if kind is Type.VARIANT and stood.types.get(column) is Type.UTF8
    }
    return Schema(merged.types, {**stood.text_before, **widened})  ##= store.reconcile.promotion-exact


def merged(table: str, column: str, stored: Type, arriving: Type, *, key: Collection[str] = ()) -> Type:
    """The type that holds both of a column's types."""
    common = _common(stored, arriving)
    if common is None:
        ##= store.reconcile.incompatible
        raise StoreSchemaIncompatible(table=table, column=column, stored=stored.value, arriving=arriving.value)
    if common is Type.FLOAT64 and stored is not common and stored is not Type.NULL and column in key:
        raise StoreKeyWidened(table=table, column=column)  ##= store.reconcile.key-widening
    return common


def _common(stored: Type, arriving: Type) -> Type | None:
    if stored is arriving or arriving is Type.NULL:
        return stored
    if stored is Type.NULL:
        return arriving
    return PROMOTIONS.get(frozenset({stored, arriving}))
