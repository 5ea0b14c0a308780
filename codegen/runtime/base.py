"""What every refusal of the contract has in common. The one class here that is written by hand."""

from __future__ import annotations

import copyreg
from dataclasses import Field, dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

if TYPE_CHECKING:
    from contextful_contract.shapes import FailureTag


@dataclass_transform(kw_only_default=True, eq_default=False)
class ContextfulError(Exception):
    """A refusal: raised by keyword, its fields are the facts, and `str()` is its sentence about them."""

    clause: ClassVar[str]
    sentence: ClassVar[str]
    http_status: ClassVar[int | None] = None
    exit_code: ClassVar[int] = 1
    tag: FailureTag | None = None

    def __init_subclass__(cls) -> None:
        """Give the refusal its keywords."""
        super().__init_subclass__()
        dataclass(kw_only=True, eq=False)(cls)

    def __str__(self) -> str:
        facts = {field.name: _shown(field, getattr(self, field.name)) for field in _fields(self)}
        return self.sentence.format_map(facts)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by attributes: notes stay, and no constructor is called with positions."""
        return copyreg.__newobj__, (type(self),), vars(self)  # type: ignore[attr-defined]


def _fields(refusal: ContextfulError) -> tuple[Field[Any], ...]:
    return fields(refusal)  # type: ignore[arg-type]


def _shown(field: Field[Any], value: object) -> str:
    """A value as a sentence says it: instants as RFC 3339, several things set apart by commas."""
    if isinstance(value, int) and str(field.type).startswith("Instant"):
        instant = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=value)
        written = instant.isoformat(timespec="milliseconds" if value % 1000 else "seconds")
        return written.replace("+00:00", "Z")
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value)
