"""What every refusal of the contract has in common: the one module here that is written by hand."""

from __future__ import annotations

from collections.abc import Mapping
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

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        """Give the refusal its keywords."""
        super().__init_subclass__()
        dataclass(kw_only=True, eq=False)(cls)

    def __str__(self) -> str:
        facts = {field.name: self._shown(field) for field in fields(self)}
        for name in facts:
            if f"{{{name}}}." in self.sentence:  # which ends there, whether the fact is a sentence itself or not
                facts[name] = facts[name].removesuffix(".")
        return self.sentence.format_map(facts)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by attributes: no constructor is called with positions, and notes stay."""
        return _blank, (type(self),), vars(self)

    def _shown(self, field: Field[Any]) -> str:
        """A fact as a sentence says it: instants as RFC 3339, several things set apart by commas."""
        fact = getattr(self, field.name)
        if isinstance(fact, Mapping):
            others = [other for other in vars(self).values() if isinstance(other, Mapping) and other is not fact]
            return _told(fact, others)
        if isinstance(fact, int) and str(field.type).startswith("Instant"):
            return _rfc3339(fact)
        return ", ".join(map(str, fact)) if isinstance(fact, tuple) else str(fact)


def _told(facts: Mapping[str, Any], others: list[Mapping[str, Any]]) -> str:
    """What one map has and the others do not, a long value cut: a sentence is about how they differ."""
    differs = {name: fact for name, fact in facts.items() if any(other.get(name) != fact for other in others)}
    shown = {name: str(fact) for name, fact in (differs or facts).items()}
    return ", ".join(f"{name} {text if len(text) <= 40 else f'{text[:12]}…'}" for name, text in shown.items())


def _blank(kind: type[ContextfulError]) -> ContextfulError:
    return kind.__new__(kind)


def _rfc3339(instant_ms: int) -> str:
    try:
        instant = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=instant_ms)
    except OverflowError:
        return f"{instant_ms} ms"
    precision = "milliseconds" if instant_ms % 1000 else "seconds"
    return instant.isoformat(timespec=precision).replace("+00:00", "Z")
