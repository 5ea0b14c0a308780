"""Many pieces of work, so many at a time, in the order in which they are given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from contextful.kernel.signal import Stopped
from contextful.ports.world import World
from contextful.runner import ending


def through(world: World, name: str, pieces: Sequence[Callable[[], None]], slots: int) -> None:
    """Do all pieces of work, or raise what one has raised: after that none begins, and those under way come out."""
    ahead = count()
    ended: list[BaseException] = []

    def work() -> None:
        while not ended and (ordinal := next(ahead)) < len(pieces):
            try:
                pieces[ordinal]()
            except BaseException as error:  # noqa: BLE001 (whatever it is, everything ends with it)
                ended.append(error)

    for task in [world.start(f"{name}-{slot}", work) for slot in range(min(slots, len(pieces)))]:
        task.join()
    if ended:
        raise first(ended)


def first(ended: Sequence[BaseException]) -> BaseException:
    """A stop; or the failure that came first, which stands for the others too."""
    for error in ended:
        if isinstance(error, Stopped):
            return error
    ending.refuse(ended[0], [entry for each in ended for entry in ending.entries(each)])
    return ended[0]
