"""`contextful run watch`: the live view of a run in the terminal, as the console shows it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Annotated, NamedTuple

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from contextful.faces import embedded
from contextful.faces.cli.options import HERE, Folder
from contextful.faces.cli.shown import counted, spelled
from contextful.kernel import instant
from contextful.kernel.failure import Failed, Failure
from contextful.run.parts import Kind
from contextful.run.record import Run
from contextful.runner.engine import Engine
from contextful.runner.hub import Subscription
from contextful_contract.shapes import FailureTag, RunStatus, Snapshot, StepStatus, StepView

STEPS_SHOWN = 15  # on a terminal: the last
STYLES = {StepStatus.COMPLETED: "green", StepStatus.FAILED: "red", StepStatus.RETRYING: "yellow"}
FAILED = 1
PARTS_S = 1.0  # how often a run's items are counted


class View(NamedTuple):
    """A snapshot, and how what the run is made of stood then."""

    snapshot: Snapshot
    parts: str


def watch(
    run_id: Annotated[str, typer.Argument(help="The run's id, as history lists it.")], project: Folder = HERE
) -> None:
    """Show a run as it moves, in whichever process, until it ends or waits; leave with 1 where it has ended badly."""
    come = threading.Event()
    with embedded.Engine.at(project) as engine:
        run, subscription = engine.run(run_id), engine.live().subscribe(run_id, come.set)
        if run is None or subscription is None:
            raise Failed(Failure(FailureTag.CONFIG, f"no run is called {run_id}: `contextful run history` lists them"))
        views = (View(snapshot, _parts(engine, run)) for snapshot in _snapshots(subscription, come))
        last = _watched(views)
    if last.status not in (RunStatus.SUCCESS, RunStatus.WAITING):
        raise typer.Exit(FAILED)


def _snapshots(subscription: Subscription, come: threading.Event) -> Iterator[Snapshot]:
    """Each as it comes, and the last again each second, up to the one in which the run is no more at work."""
    last: Snapshot | None = None
    while True:  # ends: with the run, or with whoever interrupts it
        come.clear()
        for snapshot in subscription.take() or ([] if last is None else [last]):
            last = snapshot
            yield snapshot
            if snapshot.status.terminal or snapshot.status is RunStatus.WAITING:
                return  # what goes on once it has waited is a run of its own
        come.wait(PARTS_S)


def _parts(engine: Engine, run: Run) -> str:
    """How many items and origins the run's execution has by now, and how they stand."""
    counts = engine.parts(run.execution_id).counts()
    told = {kind: ", ".join(f"{count:,} {status}" for status, count in each.items()) for kind, each in counts.items()}
    return "; ".join(f"{kind}s: {said}" for kind, said in told.items() if kind is not Kind.LANDING)


def _watched(views: Iterator[View]) -> Snapshot:
    console = Console()
    if not console.is_terminal:
        return _told(views, print)
    with Live(console=console, auto_refresh=False) as live:
        for view in views:
            live.update(_drawn(view), refresh=True)
    return view.snapshot


def _told(views: Iterator[View], say: Callable[[str], object]) -> Snapshot:
    """A line for everything that has moved since the last."""
    status, parts, steps = None, "", dict[str, StepView]()
    for snapshot, made_of in views:
        for step in snapshot.steps:
            if steps.get(step.label) != step:
                say(spelled(f"{step.label}: {_said(step)}"))
        steps = {step.label: step for step in snapshot.steps}
        if made_of != parts:
            parts = made_of
            say(parts)
        if snapshot.status is not status:
            status = snapshot.status
            say(spelled(_ending(snapshot)))
    return snapshot


def _drawn(view: View) -> Group:
    snapshot, parts = view
    table = Table(box=None, pad_edge=False, show_header=False)
    for step in snapshot.steps[-STEPS_SHOWN:]:
        table.add_row(Text(spelled(step.label)), Text(spelled(_said(step)), STYLES.get(step.status, "")))
    head = "; ".join(filter(None, (counted(len(snapshot.steps), "step"), parts)))
    return Group(Text(spelled(_ending(snapshot)), "bold"), Text(head), table)


def _said(step: StepView) -> str:
    attempts = f", attempt {step.attempts}" if step.attempts > 1 else ""
    output = "" if step.output is None else f", {counted(step.output.bytes, 'byte')}"
    failure = "" if step.failure is None else f": {step.failure.tag}: {step.failure.message}"
    return f"{step.status}{attempts}{output}{failure}"


def _ending(snapshot: Snapshot) -> str:
    ended = "" if snapshot.ended_at is None else f" at {instant.spell(snapshot.ended_at)}"
    error = "" if snapshot.error is None else f": {snapshot.error.tag}: {snapshot.error.message}"
    return f"{snapshot.run_id}: {snapshot.status}{ended}{error}"
