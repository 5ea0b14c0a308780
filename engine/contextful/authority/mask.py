"""authority.mask: what is made of a value that still joins and no longer tells."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from contextful.kernel.failure import Failed, Failure
from contextful_contract import limits
from contextful_contract.shapes import FailureTag

PEPPER = "CONTEXTFUL_PEPPER"
IDENTITY = b"which pepper this is"


def pepper(environment: Mapping[str, str], *, needed: bool) -> bytes | None:
    """The pepper, which comes from one variable and from nowhere else."""
    held = environment.get(PEPPER, "")
    if needed and not held:
        said = f"values are hashed, and the variable {PEPPER} is not set: no digest would join with those of before"
        raise Failed(Failure(FailureTag.SECRET_NOT_FOUND, said))  ##= authority.mask.pepper
    return held.encode() or None


def digest(value: object, pepper: bytes) -> str:
    """A value's masked digest: the same at write and at query, whatever the column's type was."""
    ##= authority.mask.hash, authority.mask.one-digest
    text = value if isinstance(value, str) else _spelled(value)
    return hmac.new(pepper, text.encode(), hashlib.sha256).hexdigest()[: limits.MASK_HASH_WIDTH_CHARS]


def identity(pepper: bytes | None) -> str:
    """Which pepper it is, to somebody who knows it and to nobody else."""
    return "" if pepper is None else hmac.new(pepper, IDENTITY, hashlib.sha256).hexdigest()


def _spelled(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer() and abs(value) < 1 << 53:
            return str(int(value))  # a column of integers may become one of floats
        case _:
            return str(value)
