"""Stops, as an `async def` effect meets them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

import contextful
from contextful.adapters.system import SystemWorld
from contextful.runner import aio
from contextful.runner.token import Token
from contextful_contract.shapes import StopScope


class Stopping:
    """An `async def` effect that is stopped on its way, and its token."""

    def __init__(self) -> None:
        self.token = Token(SystemWorld())
        self.ended: list[str] = []

    def stop(self) -> None:
        """The keeper has read the mark."""
        self.token.stop("a person said so", scope=StopScope.RUN)

    def called(self, effect: Callable[[], Coroutine[Any, Any, object]]) -> object:
        """What the engine makes of the effect."""
        return aio.called(effect, (), {}, self.token)

    async def sleeps(self) -> str:
        """A call that takes its time."""
        self.stop()
        await asyncio.sleep(3_600)
        return "late"

    async def shields(self) -> str:
        """A call that would not be cancelled."""
        self.stop()
        await asyncio.shield(asyncio.sleep(3_600))
        return "late"

    async def swallows(self) -> str:
        """A call that takes a cancellation for an answer."""
        with contextlib.suppress(asyncio.CancelledError):
            await self.sleeps()
        return "garbage"

    async def translates(self) -> str:
        """A call that takes a cancellation for an error."""
        try:
            return await self.sleeps()
        except asyncio.CancelledError:
            raise ValueError("no answer") from None

    async def groups(self) -> str:
        """A call of several."""
        async with asyncio.TaskGroup() as group:
            group.create_task(asyncio.sleep(3_600))
            group.create_task(self.sleeps())
        return "late"

    async def bounds(self) -> str:
        """A call with a timeout of its own."""
        async with asyncio.timeout(3_600):
            return await self.sleeps()

    async def cleans_up(self) -> str:
        """A call that leaves in order."""
        try:
            return await self.sleeps()
        finally:
            await asyncio.sleep(0)
            self.ended.append("in order")


@pytest.mark.clause("run.cancel.one-token")
@pytest.mark.parametrize("name", ["sleeps", "shields", "swallows", "translates", "groups", "bounds", "cleans_up"])
def test_no_coroutine_keeps_a_stop_waiting(name: str) -> None:
    stopping = Stopping()

    with pytest.raises(contextful.Stopped, match="a person said so"):
        stopping.called(getattr(stopping, name))

    assert stopping.ended == ["in order"] * (name == "cleans_up")


def test_a_coroutine_that_was_done_by_the_time_has_its_answer() -> None:
    """It was paid for, and nothing of it was cut."""
    stopping = Stopping()

    async def just_in_time() -> str:
        stopping.stop()
        return "answer"

    assert stopping.called(just_in_time) == "answer"


def test_a_coroutine_may_say_that_it_has_dealt_with_a_cancellation() -> None:
    stopping = Stopping()

    async def finishes() -> str:
        with contextlib.suppress(asyncio.CancelledError):
            await stopping.sleeps()
        task = asyncio.current_task()
        assert task is not None
        task.uncancel()
        return "finished all the same"

    assert stopping.called(finishes) == "finished all the same"


@pytest.mark.parametrize("own", [True, False], ids=["async", "sync"])
def test_a_cancellation_that_no_stop_asked_for_is_a_failure(own: bool) -> None:
    async def cancels() -> object:
        raise asyncio.CancelledError

    def raises() -> object:
        raise asyncio.CancelledError

    with pytest.raises(contextful.Permanent, match="by no stop"):
        aio.called(cancels if own else raises, (), {}, Token(SystemWorld()))
