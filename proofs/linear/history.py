"""What callers of the journal saw, in the order of one log, and whether the sequential journal could have shown it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Key(NamedTuple):
    """What a value is recorded under."""

    execution_id: str
    step_label: str


class Called(NamedTuple):
    """A caller asks for the step. Logged before it does."""

    key: Key
    run_id: str


class Began(NamedTuple):
    """A run entered the effect, which will return this value if it lives. Logged within the effect."""

    key: Key
    run_id: str
    value: int


class Given(NamedTuple):
    """A caller was given this value. Logged once it had it."""

    key: Key
    run_id: str
    value: int


Event = Called | Began | Given


def faults(history: Sequence[Event]) -> Iterator[str]:
    """What no order of calls, one at a time, explains; nothing where the history is linear.

    An effect is logged some time after its claim, so it may stand behind the value of whoever took that claim over; a
    run that had not even called by then claimed what was recorded.
    """
    began: set[tuple[Key, int]] = set()
    recorded: dict[Key, int] = {}
    entered: set[tuple[Key, str]] = set()
    may_enter: set[tuple[Key, str]] = set()
    for at, event in enumerate(history):
        key, run_id = event.key, event.run_id
        match event:
            case Called():
                if key not in recorded:
                    may_enter.add((key, run_id))
            case Began():
                if (key, run_id) not in may_enter:
                    yield f"{at}: {run_id} entered {key} and had not called before its value was given"
                if (key, run_id) in entered:
                    yield f"{at}: {run_id} entered {key} twice"
                entered.add((key, run_id))
                began.add((key, event.value))
            case Given():
                if (key, event.value) not in began:
                    yield f"{at}: {run_id} was given {event.value} for {key}, which no effect had returned"
                if recorded.setdefault(key, event.value) != event.value:
                    yield f"{at}: {run_id} was given {event.value} for {key}, after {recorded[key]}"
