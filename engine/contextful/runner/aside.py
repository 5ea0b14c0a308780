"""Waits for work on a thread of its own, and for a stop: whichever comes first."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar, cast

from contextful.ports.world import World
from contextful.runner import join
from contextful.runner.join import Raised, Returned
from contextful.runner.token import Token

Value = TypeVar("Value")
LOOK_MS = 60_000


def awaited(world: World, token: Token, name: str, work: Callable[[], Value]) -> Value:
    """What the work returns. A stop abandons it: it goes on where nobody listens, until it ends by itself."""
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
        while not world.wait(woken, LOOK_MS):  # ends: with the work, which has a timeout of its own, or with a stop
            pass
    if not ends:
        token.check()
    return cast(Value, join.value(ends[0]))
