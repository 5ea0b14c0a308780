"""What ends an attempt for good, whatever its body makes of it."""

from __future__ import annotations

from contextvars import ContextVar
from types import TracebackType

from contextful.kernel.signal import Stopped, Suspended

PARKS: ContextVar[bool] = ContextVar("contextful_parks", default=False)  # a wait ends a part of the body, and not all


class Signals:
    """Around every call in which the body may wait: what ends the attempt for good, whatever the body makes of it."""

    def __init__(self) -> None:
        self.left: Stopped | Suspended | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, Suspended) and PARKS.get():
            return
        if isinstance(error, Stopped | Suspended) and not isinstance(self.left, Stopped):
            self.left = error
