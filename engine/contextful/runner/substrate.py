"""Performs run.journal.substrate-port: the execution interface, over the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from contextful.kernel import text
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful.run import advance
from contextful.run.own import own
from contextful.run.retry import DEFAULT, Schedule
from contextful.runner.advance import Cursors
from contextful.runner.engine import Engine
from contextful.runner.execution import Execution


class EngineWork:
    """An execution of the engine."""

    def __init__(self, run: Execution, scope: own.HostScope, cursors: Cursors, world: World) -> None:
        self._run = run
        self._scope = scope
        self._cursors = cursors
        self._world = world
        self._schedules: dict[str, Schedule] = {}

    def attach_schedule(self, label: str, schedule: Schedule) -> None:
        """Have the step of this label retried so, from its next call on."""
        self._schedules[label] = schedule

    def record(self, label: str, effect: Callable[..., Any], *args: object) -> Any:
        """What the step returned, now or at the attempt that recorded it."""
        return self._run.step(label, effect, *args, retry=self._schedules.get(label, DEFAULT))

    def suspend(self, label: str, *, ttl: str) -> Any:
        """What a party outside answers, until its time is up."""
        return self._run.wait(label, ttl=ttl)

    def commit_cursor(self, position: str) -> None:
        """Move the scope's position, and let go of the steps that led to it, in one commit."""
        marker = advance.Marker(self._run.run_id, self._world.now_ms(), text.admitted("position", position))
        self._run.collect(advance.cached(self._cursors.cursor(self._scope), marker))

    def cursor(self) -> str | None:
        """The position that was committed last."""
        return self._cursors.cursor(self._scope).position


class EngineSubstrate:
    """The reference: the engine, over its storage ports."""

    def __init__(self, engine: Engine, rows: Rows, world: World) -> None:
        self._engine = engine
        self._cursors = Cursors(rows, world)
        self._world = world

    @contextmanager
    def open_or_resume(self, scope: str, plan_ref: str, *, run_id: str | None = None) -> Iterator[EngineWork]:
        """The scope's pending work, or a fresh piece of it, pinned to the content hash of its plan."""
        with self._engine.execution(scope, plan_ref, run_id=run_id) as run:
            yield EngineWork(run, own.HostScope(scope), self._cursors, self._world)  ##= run.journal.substrate-port

    def capabilities(self) -> Sequence[str]:
        """What the profile at hand wires, by name."""
        return self._engine.capabilities()
