"""What a command does about the project's bucket before it reads, and after its runs have closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from contextful.faces.carrying import Carried, Carrying
from contextful.faces.cli.ending import Terminated
from contextful.kernel.failure import said
from contextful.ports.world import Event
from contextful.runner.schedule import Scheduler


def before(carrying: Carrying | None) -> None:
    """Bring the store up to what its bucket has, where that is asked for."""
    if carrying is not None:
        tell(carrying.before_run())


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
        tell(carrying.after_run())


def tell(carried: Carried | None) -> None:
    """Name the runs that a push has found lost."""
    for run_id in () if carried is None else carried.lost:
        typer.echo(f"{run_id}: lost: no push has carried it, and it is not on this disk", err=True)


def kept(scheduler: Scheduler, stopped: Event, carrying: Carrying | None) -> NoReturn:
    """Beat until the process is told to stop, which ends the children; then push what they have left on this disk."""
    try:
        scheduler.keep(stopped)
    except (KeyboardInterrupt, Terminated):
        if carrying is None or not carrying.sync.push_after_run:
            raise
    left = () if carrying is None else carrying.drained()
    for run_id in left:
        typer.echo(f"{run_id}: not pushed: it is on this disk alone", err=True)
    raise typer.Exit(1 if left else 0)  ##= store.drain.unfinished
