"""Sync bodies with `async def` effects: each runs on a private loop, in the thread that called it."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Awaitable, Callable

from contextful.kernel.failure import Permanent
from contextful.runner.token import Token


def called(effect: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object], token: Token) -> object:
    """What the effect returns, once it has, whether it is a plain function or a coroutine.

    A stop cancels a coroutine, as asyncio cancels: at its next await. One that swallows the cancellation is taken
    for stopped all the same, and its value for what a stopped effect had at hand. A plain function runs to its end.
    A cancellation that no stop asked for is a failure like any other, and none of the run.
    """
    try:
        returned = effect(*args, **kwargs)
        return asyncio.run(_awaited(returned, token)) if inspect.isawaitable(returned) else returned
    except asyncio.CancelledError as error:
        raise Permanent("the effect was cancelled, and by no stop") from error


async def _awaited(returned: Awaitable[object], token: Token) -> object:
    loop = asyncio.get_running_loop()
    task = loop.create_task(_value(returned))

    def cancel() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has closed, and with it the effect
            loop.call_soon_threadsafe(task.cancel)

    with token.telling(cancel):
        await asyncio.wait([task])
    if task.cancelling():
        token.check()
    return task.result()


async def _value(returned: Awaitable[object]) -> object:
    return await returned


def refuse_inside_a_loop() -> None:
    """A step waits, and a loop that waits in its own thread stands still for everyone."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("a step cannot be called from a running event loop: call it in asyncio.to_thread(run.step, …)")
