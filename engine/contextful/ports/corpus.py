"""The files of a store on this node's disk, as far as other nodes may have them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from contextful.store.fold import History


class Corpus(Protocol):
    """What this node has committed, and what it has taken in of others."""

    @property
    def node_id(self) -> str:
        """The node."""

    def tables(self) -> Sequence[str]:
        """The tables that stand here."""

    def history(self, table: str) -> History:
        """All that the table has kept."""

    def paths(self) -> Sequence[str]:
        """The paths of all files."""

    def stands(self, path: str) -> bool:
        """Whether the file is here."""

    def read(self, path: str) -> bytes | None:
        """A file's content, if it is here."""

    def take(self, path: str, content: bytes) -> None:
        """The file holds the content, whole, and survives a power loss."""

    def point(self, table: str, snapshot_id: str) -> None:
        """The snapshot is the table's current one."""

    def turn(self, table: str) -> AbstractContextManager[None]:
        """Meanwhile nobody else commits to the table, or folds it."""

    def pushing(self, *, until_ms: int) -> AbstractContextManager[None]:
        """Meanwhile nobody else on this machine pushes. Raises SyncPushInFlight where somebody does at the instant."""
