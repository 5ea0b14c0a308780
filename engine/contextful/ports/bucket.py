"""A bucket: objects under keys, each written whole, and only over what its writer has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Object:
    """An object's bytes, and the version that they are."""

    content: bytes
    version: str


class Bucket(Protocol):
    """What several machines keep in one place, beyond every disk of theirs."""

    def get(self, key: str) -> Object | None:
        """The object under the key."""

    def put(self, key: str, content: bytes, *, over: str | None = None) -> str | None:
        """Write where no object stands, or over the version given; the version it has now, none if another stands."""

    def keys(self, prefix: str, *, after: str = "", limit: int = 1_000) -> Sequence[str]:
        """The keys that begin so and come after that one, in the order of their code points."""

    def delete(self, key: str) -> None:
        """Drop the object, if there is one."""
