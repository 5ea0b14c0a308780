"""A function of the project's own as a source: asked at a position, it answers rows and the position after them."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import msgspec

from contextful.kernel.failure import Failed, Failure, Permanent
from contextful.pipeline import pull
from contextful.pipeline.pull import Ask, Batch, Inventory
from contextful.pipeline.spec import PythonSource
from contextful.store.lay_out import position
from contextful_contract.shapes import FailureTag

JOURNALED = True  # what a function answers may be paid for, and may be another answer the next time
PULLS_MAX = 1_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """What a source function is asked: for which table, from which position on, and where a poll's clock begins.

    `position` is the one that it answered last; none at the beginning. `key` is the same however often this page is
    asked for, so that a vendor who honors it bills once. A chunk of a backfill asks for what is at `floor` or after it,
    and before `until`.
    """

    table: str
    position: Any
    floor: int | float | str | None
    key: str
    until: int | float | str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """What a source function answers: rows, the position after them, and whether there are more.

    `complete` says of the last page of a snapshot that the pages were all there is.
    """

    rows: Sequence[Mapping[str, Any]]
    position: Any = None
    more: bool = False
    types: Mapping[str, str] = field(default_factory=dict)
    skipped: int = 0
    complete: bool = False


class Pages(Protocol):
    """A function that is a source."""

    def __call__(self, asked: Asked) -> Page:
        """The page that is asked for."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A source function, and what it says of its positions."""

    pages: Pages
    position_addressed: bool
    journaled: bool

    def __call__(self, asked: Asked) -> Page:
        """The page, for whoever calls the function himself."""
        return self.pages(asked)


def source(*, position_addressed: bool = True, unjournaled: str = "") -> Callable[[Pages], Declared]:
    """Make a function a source, which a manifest names as `module:function`.

    It is `position_addressed` if each position names a stable place, so that a long run may commit on its way. Its
    pages are recorded, unless `unjournaled` says why they may be read again, as after a death they are.
    """
    return lambda pages: Declared(pages, position_addressed, not unjournaled)


class PythonPages:
    """One table's pages out of a function."""

    pulls_max = PULLS_MAX
    host = None

    def __init__(self, spec: PythonSource, table: str, folder: Path) -> None:
        self._declared = _found(spec.function, folder)
        self._table = table
        self.journaled = self._declared.journaled
        self.position_addressed = self._declared.position_addressed

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        """The page at the position."""
        held = None if ask.position is None else json.loads(ask.position)
        page = self._declared(Asked(self._table, held, ask.floor, idempotency_key, ask.until))
        if not isinstance(page, Page):
            raise Permanent(f"the source function answered {page!r:.80}, and must answer a contextful.Page")
        try:
            rows = [msgspec.to_builtins(row, str_keys=True) for row in page.rows]
        except (TypeError, ValueError, RecursionError) as error:
            raise Permanent(f"the source function answered rows that are no JSON: {error}") from error
        for row in rows:
            if not isinstance(row, dict):
                raise Permanent(f"the source function answered {row!r:.80} for a row, and not names with values")
        return pull.batch(
            rows,
            position=None if page.position is None else position(page.position),
            more=page.more,
            skipped=page.skipped,
            types=page.types,
            inventory=Inventory.COMPLETE if page.complete else None,
        )

    def close(self) -> None:
        """Nothing is held open between pulls."""


def code(spec: PythonSource, folder: Path) -> bytes:
    """The module that the function stands in."""
    path = Path(str(sys.modules[_found(spec.function, folder).pages.__module__].__file__))
    return path.read_bytes()


def _found(function: str, folder: Path) -> Declared:
    module, _, name = function.partition(":")
    here = str(folder.absolute())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise Failed(Failure(FailureTag.CONFIG, f"there is no source function {function}: {error}")) from error
    if not isinstance(found, Declared):
        said = f"{function} is no source: put @contextful.source() above it"
        raise Failed(Failure(FailureTag.CONFIG, said))
    return found
