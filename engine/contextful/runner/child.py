"""Waits for a child process, and for a stop: whichever comes first. A stop ends all that the child has started.

runs --ends by itself--> its output
  +--a stop--> asked to end --gone--> canceled
                 +---10 s---> ended by force --gone--> canceled
"""

from __future__ import annotations

from collections.abc import Sequence

from contextful.kernel.failure import Permanent
from contextful.ports.world import Child, World
from contextful.runner.token import Token
from contextful_contract import limits

LOOK_MS = 60_000
GRACE_MS = limits.CHILD_GRACE_MS  # how long a group that was asked to end may take
REAPED_LOOK_MS = 20
ERROR_BYTES_MAX = 2_000  # of what a child writes to standard error, its last is told


def awaited(world: World, token: Token, command: Sequence[str], given: bytes) -> bytes:
    """What the command writes to standard output. Raises Permanent where it fails, Stopped once it was stopped."""
    token.check()
    woken = world.event()
    child = world.child(command, given, woken.set)
    try:
        with token.telling(woken.set):
            while not child.ended() and not token.stopped.is_set():  # ends: with the child, or with a stop
                world.wait(woken, LOOK_MS)
        if not child.ended():
            token.check()
        outcome = child.outcome()
    except BaseException:
        reaped(world, [child])
        raise
    finally:
        child.close()
    if outcome.code:
        ended = f"left with {outcome.code}" if outcome.code > 0 else f"was ended by signal {-outcome.code}"
        said = outcome.errors[-ERROR_BYTES_MAX:].decode(errors="replace").strip()
        raise Permanent(f"{command[0]} {ended}: {said}" if said else f"{command[0]} {ended}")
    return outcome.output


def reaped(world: World, children: Sequence[Child]) -> None:
    """End the groups, and wait until nothing of them is left. It counts looks: a clock may jump, or stand still."""
    never = world.event()
    for child in children:
        child.end(force=False)
    looks = 0
    ##= run.cancel.child-reaped
    while left := [child for child in children if not child.gone()]:  # ends: nothing outlives force
        if looks == GRACE_MS // REAPED_LOOK_MS:
            for child in left:
                child.end(force=True)
        looks += 1
        world.wait(never, REAPED_LOOK_MS)
