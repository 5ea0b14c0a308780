"""The store's own table of items: one row an item that has ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from contextful.kernel.shape import to_json
from contextful.store import reserve
from contextful.store.schema import Type
from contextful_contract.shapes import ItemRow

TABLE = reserve.ITEMS
_KINDS = {"int": Type.INT64, "Instant": Type.TIMESTAMP}
TYPES = {field.name: _KINDS.get(str(field.type), Type.UTF8) for field in fields(ItemRow)}


def record(row: ItemRow) -> Mapping[str, Any]:
    """The row as the table takes it."""
    return to_json(row)
