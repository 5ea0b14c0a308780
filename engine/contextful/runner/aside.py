"""Waits for a connector's call on a thread of its own, for a stop, and for the call's deadline: what comes first."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar, cast

from contextful.kernel.failure import CALL_DEADLINE, LINEAR_MEMORY, Struck
from contextful.ports.world import World
from contextful.runner import join
from contextful.runner.join import Raised, Returned
from contextful.runner.token import Token

Value = TypeVar("Value")


def awaited(world: World, token: Token, name: str, work: Callable[[], Value], *, deadline_ms: int) -> Value:
    """What the call returns. A stop and the deadline abandon it: it goes on where nobody listens, until it ends."""
    token.check()
    ends: list[Returned | Raised] = []
    woken = world.event()
    context = copy_context()

    def perform() -> None:
        try:
            ends.append(Returned(context.run(work)))
        except BaseException as error:  # noqa: BLE001 (raised where the work is waited for)
            ends.append(Raised(error))
        finally:
            woken.set()

    world.aside(name, perform)
    with token.telling(woken.set):
        world.wait(woken, deadline_ms)
    if not ends:
        token.check()
        raise Struck(
            CALL_DEADLINE, f"a call was still running after {deadline_ms} ms"
        )  ##= connector.package.call-deadline
    if isinstance(ends[0], Raised) and isinstance(ends[0].error, MemoryError):
        raise Struck(LINEAR_MEMORY, "there is no more memory for a call") from ends[0].error
    return cast(Value, join.value(ends[0]))
