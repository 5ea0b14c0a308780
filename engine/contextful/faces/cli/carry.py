"""What a command does about the project's bucket before it reads, and after its runs have closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from contextful.faces.carrying import Carrying
from contextful.kernel.failure import said


def before(carrying: Carrying | None) -> None:
    """Bring the store up to what its bucket has, where that is asked for."""
    if carrying is not None:
        carrying.before_run()


@contextmanager
def carried(carrying: Carrying | None) -> Iterator[None]:
    """The same, and then the work, whose commits are pushed whether it went well or not, where that is asked for."""
    before(carrying)
    try:
        yield
    except BaseException:
        try:
            _after(carrying)  ##= run.record.failure-publishes
        except Exception as error:  # noqa: BLE001 (the command fails already, and says with what)
            typer.echo(f"{type(error).__name__}: nothing was pushed: {said(error)}", err=True)
        raise
    _after(carrying)


def _after(carrying: Carrying | None) -> None:
    if carrying is not None:
        carrying.after_run()
