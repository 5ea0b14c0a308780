"""How a command is told to end."""

from __future__ import annotations


class Terminated(BaseException):
    """The process was asked to end, as by a supervisor: what is under way closes as it does at an interrupt."""
