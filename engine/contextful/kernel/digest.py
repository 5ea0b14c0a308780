"""Digests: one canonical form feeds every one of them."""

from __future__ import annotations

import hashlib

from contextful.kernel import codec


def of(value: object, *, root: str = "value") -> str:
    """Lowercase hexadecimal SHA-256 of the value's canonical form."""
    return of_bytes(codec.canonical(value, root=root))


def of_bytes(content: bytes) -> str:
    """Lowercase hexadecimal SHA-256 of the bytes as they stand."""
    return hashlib.sha256(content).hexdigest()
