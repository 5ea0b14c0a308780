"""The world: now, waiting, chance, threads, children, and who this process is. Real here, simulated in the tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


class Event(Protocol):
    """Something that happens once."""

    def set(self) -> None:
        """It has happened; whoever waits goes on."""

    def is_set(self) -> bool:
        """Whether it has happened."""


class Task(Protocol):
    """A thread of work that was started."""

    def join(self) -> None:
        """Wait until it has ended."""


class Child(Protocol):
    """A process that was started, and all that it starts in turn: one group."""

    pid: int  # of the process itself

    def ended(self) -> bool:
        """Whether the process itself has ended."""

    def gone(self) -> bool:
        """Whether nothing of the group is left."""

    def end(self, *, force: bool) -> None:
        """Ask the group to end; with `force`, end it."""

    def outcome(self) -> ChildOutcome:
        """What became of the process, once it has ended."""

    def close(self) -> None:
        """Let go of what it wrote."""


@dataclass(frozen=True, slots=True)
class ChildOutcome:
    """How a process ended: its exit code, the negative of a signal's number, and what it wrote."""

    code: int
    output: bytes
    errors: bytes


class World(Protocol):
    """The outside that decisions are told about and never ask."""

    def now_ms(self) -> int:
        """Milliseconds since 1970 in UTC."""

    def event(self) -> Event:
        """An event that has not happened yet."""

    def wait(self, event: Event, timeout_ms: int) -> bool:
        """Wait for the event, up to the timeout. True: it happened."""

    def draw(self, bits: int) -> int:
        """A number of that many bits that nobody could have guessed."""

    def start(self, name: str, work: Callable[[], None]) -> Task:
        """Begin the work on a thread of its own."""

    def aside(self, name: str, work: Callable[[], None]) -> None:
        """Begin work that ends by itself on a thread of its own, which nobody has to wait for."""

    def child(self, command: Sequence[str], given: bytes, told: Callable[[], None]) -> Child:
        """Start a process in a group of its own, `given` as its standard input; `told` is called once it has ended."""

    def pid(self) -> int:
        """This process's id, unique only within a machine's boot and its container."""

    def boot_id(self) -> str:
        """The machine's boot, shared by every container on it."""
