"""Signals leave a body without being errors: no `except Exception` of the body can keep one."""

from __future__ import annotations


class Signal(BaseException):
    """The attempt ends here, and the body has no say in it."""


class Suspended(Signal):
    """The attempt closes and waits; the next one resumes at or after `until_ms`."""

    def __init__(self, *, label: str, until_ms: int) -> None:
        super().__init__(label, until_ms)
        self.label = label
        self.until_ms = until_ms


class Stopped(Signal):
    """The attempt may not go on: somebody asked for that, or somebody else owns the execution now."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unrecorded(Signal):
    """A step's effect has an answer that the journal is not to keep: the claim goes, and the answer with it."""

    def __init__(self, answer: object) -> None:
        super().__init__(answer)
        self.answer = answer
