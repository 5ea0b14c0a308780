"""`contextful run watch`: the live view of a run in the terminal, as the console shows it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from contextful.faces import profile
from contextful.faces.cli.options import HERE, Folder
from contextful.faces.cli.shown import counted, spelled
from contextful.kernel import instant
from contextful.kernel.failure import Failed, Failure
from contextful.runner.hub import Subscription
from contextful_contract.shapes import FailureTag, RunStatus, Snapshot, StepStatus, StepView

STEPS_SHOWN = 15  # on a terminal: the last
STYLES = {StepStatus.COMPLETED: "green", StepStatus.FAILED: "red", StepStatus.RETRYING: "yellow"}
FAILED = 1


def watch(
    run_id: Annotated[str, typer.Argument(help="The run's id, as history lists it.")], project: Folder = HERE
) -> None:
    """Show a run as it moves, in whichever process, until it ends or waits; leave with 1 where it has ended badly."""
    come = threading.Event()
    with profile.Engine.at(project) as engine:
        subscription = engine.live().subscribe(run_id, come.set)
        if subscription is None:
            raise Failed(Failure(FailureTag.CONFIG, f"no run is called {run_id}: `contextful run history` lists them"))
        last = _watched(_snapshots(subscription, come))
    if last.status not in (RunStatus.SUCCESS, RunStatus.WAITING):
        raise typer.Exit(FAILED)


def _snapshots(subscription: Subscription, come: threading.Event) -> Iterator[Snapshot]:
    """Each as it comes, up to the one in which the run is no more at work."""
    while True:  # ends: with the run, or with whoever interrupts it
        come.clear()
        for snapshot in subscription.take():
            yield snapshot
            if snapshot.status.terminal or snapshot.status is RunStatus.WAITING:
                return  # what goes on once it has waited is a run of its own
        come.wait()


def _watched(snapshots: Iterator[Snapshot]) -> Snapshot:
    console = Console()
    if not console.is_terminal:
        return _told(snapshots, print)
    with Live(console=console, auto_refresh=False) as live:
        for snapshot in snapshots:
            live.update(_drawn(snapshot), refresh=True)
    return snapshot


def _told(snapshots: Iterator[Snapshot], say: Callable[[str], object]) -> Snapshot:
    """A line for everything that has moved since the last."""
    status, steps = None, dict[str, StepView]()
    for snapshot in snapshots:
        for step in snapshot.steps:
            if steps.get(step.label) != step:
                say(spelled(f"{step.label}: {_said(step)}"))
        steps = {step.label: step for step in snapshot.steps}
        if snapshot.status is not status:
            status = snapshot.status
            say(spelled(_ending(snapshot)))
    return snapshot


def _drawn(snapshot: Snapshot) -> Group:
    table = Table(box=None, pad_edge=False, show_header=False)
    for step in snapshot.steps[-STEPS_SHOWN:]:
        table.add_row(Text(spelled(step.label)), Text(spelled(_said(step)), STYLES.get(step.status, "")))
    return Group(Text(spelled(_ending(snapshot)), "bold"), Text(counted(len(snapshot.steps), "step")), table)


def _said(step: StepView) -> str:
    attempts = f", attempt {step.attempts}" if step.attempts > 1 else ""
    output = "" if step.output is None else f", {counted(step.output.bytes, 'byte')}"
    failure = "" if step.failure is None else f": {step.failure.tag}: {step.failure.message}"
    return f"{step.status}{attempts}{output}{failure}"


def _ending(snapshot: Snapshot) -> str:
    ended = "" if snapshot.ended_at is None else f" at {instant.spell(snapshot.ended_at)}"
    error = "" if snapshot.error is None else f": {snapshot.error.tag}: {snapshot.error.message}"
    return f"{snapshot.run_id}: {snapshot.status}{ended}{error}"
