"""authority.mask: what is made of a value that still joins and no longer tells."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import assert_never

from contextful.kernel.failure import Failed, Failure
from contextful_contract import limits
from contextful_contract.shapes import ColumnPolicy, FailureTag, MaskStrategy

PEPPER = "CONTEXTFUL_PEPPER"
IDENTITY = b"which pepper this is"


@dataclass(frozen=True, slots=True)
class Mask:
    """What is made of a column's values as they are read: of one that may not be null, and of one of JSON texts."""

    strategy: MaskStrategy
    required: bool = False
    nested: bool = False

    @property
    def text(self) -> bool:
        """Whether what is left of a value is a text, whatever the column's type was."""
        return self.strategy is MaskStrategy.HASH or self.required

    def of(self, pepper: bytes | None) -> Callable[[object], str | None]:
        """What becomes of each value that is not null."""
        match self.strategy:
            case MaskStrategy.HASH:
                assert pepper is not None, "nothing opens that hashes, and has no pepper"
                return partial(_digest_of_json if self.nested else digest, pepper=pepper)
            case MaskStrategy.DROP:
                return lambda _: "" if self.required else None  ##= authority.mask.drop
            case _:
                assert_never(self.strategy)


def pepper(environment: Mapping[str, str], *, needed: bool) -> bytes | None:
    """The pepper, which comes from one variable and from nowhere else."""
    held = environment.get(PEPPER, "")
    if needed and not held:
        said = f"values are hashed, and the variable {PEPPER} is not set: no digest would join with those of before"
        raise Failed(Failure(FailureTag.SECRET_NOT_FOUND, said))  ##= authority.mask.pepper
    return held.encode() or None


def hashes(policy: Mapping[str, ColumnPolicy]) -> bool:
    """Whether a pepper is needed."""
    return any(column.strategy is MaskStrategy.HASH for column in policy.values())


def digest(value: object, pepper: bytes) -> str:
    """A value's masked digest: the same at write and at query, whatever the column's type was."""
    ##= authority.mask.hash, authority.mask.one-digest
    text = value if isinstance(value, str) else _spelled(value)
    return hmac.new(pepper, text.encode(), hashlib.sha256).hexdigest()[: limits.MASK_HASH_WIDTH_CHARS]


def identity(pepper: bytes | None) -> str:
    """Which pepper it is, to somebody who knows it and to nobody else."""
    return "" if pepper is None else hmac.new(pepper, IDENTITY, hashlib.sha256).hexdigest()


def _digest_of_json(value: object, pepper: bytes) -> str:
    assert isinstance(value, str), "a nested column holds JSON texts"
    return digest(json.loads(value), pepper)


def _spelled(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer() and abs(value) < 1 << 53:
            return str(int(value))  # a column of integers may become one of floats
        case datetime():
            whole, _, fraction = value.astimezone(UTC).replace(tzinfo=None).isoformat().partition(".")
            return f"{whole}.{fraction.rstrip('0')}Z" if fraction else f"{whole}Z"  # as the engine spells instants
        case dict() | list():
            return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        case _:
            return str(value)
