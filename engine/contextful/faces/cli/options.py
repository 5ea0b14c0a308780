"""Options that several commands take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from contextful.adapters.system import SystemWorld
from contextful.kernel import instant
from contextful.kernel.failure import Failed, Failure
from contextful.store import bound_time
from contextful_contract.shapes import FailureTag


def _instant(text: str) -> int:
    read = instant.read(text)
    if read is None:
        raise typer.BadParameter(f"{text!r} is no UTC instant such as 2026-03-01T00:00:00Z")
    return read


def _bound(text: str) -> int:
    read = bound_time.bound_ms(text)
    if read is None:
        raise typer.BadParameter(f"{text!r} is no day, and no UTC instant such as 2026-03-01T00:00:00Z")
    return read


Folder = Annotated[
    Path, typer.Option("--project", "-p", help="The project's folder, which holds contextful.toml.", file_okay=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for a program to read.")]
Now = Annotated[
    int | None,
    typer.Option(
        "--now", parser=_instant, metavar="INSTANT", help="Stand the clock still at this instant, for all but leases."
    ),
]
AsOf = Annotated[
    int | None,
    typer.Option("--as-of", parser=_bound, metavar="INSTANT", help="Of the store as it stood then; a day is its end."),
]
AvailableAsOf = Annotated[
    int | None,
    typer.Option(
        parser=_bound, metavar="INSTANT", help="Of what could be known then, in tables that have available_time."
    ),
]
HERE = Path()


@contextmanager
def extra(name: str) -> Iterator[None]:
    """What is imported here comes with an extra, which is named where it was not installed."""
    try:
        yield
    except ImportError as error:
        said = f"this takes the extra {name}: pip install 'contextful[{name}]' ({error})"
        raise Failed(Failure(FailureTag.CONFIG, said)) from error


def world(now_ms: int | None) -> SystemWorld:
    """The real world, its clock standing still where the command line says so."""
    return SystemWorld(now_ms=now_ms)
