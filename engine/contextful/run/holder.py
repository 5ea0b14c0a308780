"""run.callback-guard, of holders: an engine's identity, and whether its process has ended for sure.

at work --its own stop, or whoever reaped its process--> exited: on record, for good
"""

from __future__ import annotations

from contextful.kernel.change import Change, Insert
from contextful.kernel.table import Kind, Table
from contextful.run.record import Process

EXIT = Table("holder_exit", key=("holder",), columns={"holder": Kind.TEXT, "exited_ms": Kind.INTEGER})


def identity(process: Process) -> str:
    """The engine's, of which each of its attempts draws its own."""
    return process.holder.rpartition("-")[0]


def exited(holder: str, now_ms: int) -> Change:
    """It has ended."""
    return Insert(EXIT, {"holder": holder, "exited_ms": now_ms})
