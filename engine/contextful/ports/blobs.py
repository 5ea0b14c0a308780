"""Blobs: bytes named by their SHA-256. A blob is written ahead of the row that names it, and outlives that row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Put:
    """A blob that is held, and when it was last put."""

    sha256: str
    put_ms: int


class Blobs(Protocol):
    """Content-addressed bytes."""

    def put(self, sha256: str, content: bytes, *, now_ms: int) -> None:
        """Keep the content, or note that it was asked for again at `now_ms`."""

    def get(self, sha256: str) -> bytes | None:
        """The content, or none where nothing holds it."""

    def older_than(self, instant_ms: int, *, limit: int) -> Sequence[Put]:
        """Blobs last put before the instant, oldest first."""

    def delete(self, sha256: str, *, put_before_ms: int) -> bool:
        """Drop the blob unless it was put again at or after the instant. True: it is gone."""
