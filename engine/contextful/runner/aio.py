"""Sync bodies with `async def` effects: each runs on a private loop, in the thread that called it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable


def called(effect: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    """What the effect returns, once it has, whether it is a plain function or a coroutine."""
    returned = effect(*args, **kwargs)
    return asyncio.run(_awaited(returned)) if inspect.isawaitable(returned) else returned


async def _awaited(returned: object) -> object:
    assert inspect.isawaitable(returned)
    return await returned


def refuse_inside_a_loop() -> None:
    """A step waits, and a loop that waits in its own thread stands still for everyone."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("a step cannot be called from a running event loop: call it in asyncio.to_thread(run.step, …)")
