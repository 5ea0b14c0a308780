"""Destinations: where a run's rows are staged part by part, and become readable in one commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from contextful.pipeline.land import Destined, Shaped
from contextful.store.lay_out import Manifest
from contextful.store.ledger import Request
from contextful.store.schema import Schema
from contextful_contract.shapes import CursorKind


@dataclass(frozen=True, slots=True)
class Lot:
    """Whose rows a stage holds: the table, the run, where they come from, and how its position and table change."""

    table: Destined
    run_id: str
    pipeline_id: str
    site_id: str
    cursor: CursorKind = CursorKind.OPAQUE_TOKEN
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Landed:
    """A commit: its manifest, the rows and bytes of its parts, and whether another attempt had made it before."""

    manifest: Manifest
    rows: int
    bytes: int


class Stage(Protocol):
    """A run's own parts, which no read sees until they are committed."""

    @property
    def schema(self) -> Schema:
        """The table's columns, and those staged so far."""

    @property
    def staged_bytes(self) -> int:
        """The bytes of the parts staged so far."""

    def add(self, batch: Shaped) -> int:
        """Stage the batch as one part; its bytes."""

    def commit(
        self,
        position: str | None,
        *,
        known: str | None,
        attempts: tuple[str, ...],
        admit: Callable[[], None],
        complete: bool = False,
    ) -> Landed:
        """Publish the staged parts and the position together, or learn that one of the attempts has meanwhile.

        They are all that the source has if that is `complete`.

        `known` is the run id of the pipeline's newest commit that the caller has seen. `admit` is called when nothing
        but the marker is missing, and raises where the run may not publish.
        """

    def discard(self) -> None:
        """Remove what was staged."""


class Ledger(Protocol):
    """A run's requests to the world outside."""

    def append(self, request: Request) -> None:
        """Note a request durably."""


class Destination(Protocol):
    """Tables of committed runs."""

    def ledger(self, table: str, run_id: str) -> Ledger:
        """The ledger of a run's requests for the table."""

    def stage(self, lot: Lot) -> Stage:
        """A stage for a run's rows."""

    def newest(self, table: str, pipeline_id: str) -> Manifest | None:
        """The pipeline's newest commit in the table."""

    def collect(self, table: str, run_ids: Sequence[str]) -> None:
        """Remove what these runs wrote and never committed, and never will."""
