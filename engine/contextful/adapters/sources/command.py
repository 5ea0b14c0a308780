"""A command as a source: one line of JSON in, one line of JSON out, a process a pull.

in   {"table": "orders", "position": {"page": 3}, "floor": null, "key": "…"}
out  {"rows": [{"id": 7}], "cursor": {"page": 4}, "more": true}          types, skipped and complete where wanted
out  {"error": {"tag": "RateLimited", "message": "slow down", "retry_after_ms": 900}}         and it leaves with 1
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from contextful.kernel.failure import Failed, Failure, Permanent, Transient
from contextful.pipeline import pull
from contextful.pipeline.pull import Ask, Batch, Inventory
from contextful.pipeline.spec import CommandSource
from contextful.ports.world import Child, ChildOutcome, World
from contextful.store.lay_out import position
from contextful_contract.shapes import FailureTag

JOURNALED = True  # what a command answers may be paid for, and may be another answer the next time
PULLS_MAX = 1_000_000
SAID_CHARS_MAX = 400  # of what it writes to standard error


class _Error(msgspec.Struct, forbid_unknown_fields=True):
    tag: FailureTag
    message: str
    retry_after_ms: int | None = None


class _Answer(msgspec.Struct, forbid_unknown_fields=True):
    rows: list[dict[str, Any]] = msgspec.field(default_factory=list)
    cursor: Any = None
    more: bool = False
    types: dict[str, str] = msgspec.field(default_factory=dict)
    skipped: int = 0
    complete: bool = False
    error: _Error | None = None


_ANSWER = msgspec.json.Decoder(_Answer)


class CommandRows:
    """One table's rows, as a command tells them."""

    journaled = JOURNALED
    pulls_max = PULLS_MAX
    host = None

    def __init__(self, spec: CommandSource, table: str, folder: Path, world: World) -> None:
        self._command = _placed(spec.command, folder)
        self._table = table
        self._timeout_ms = spec.timeout_ms
        self._world = world
        self.position_addressed = spec.position_addressed

    def pull(self, ask: Ask, *, idempotency_key: str) -> Batch:
        """What the command answers at the position."""
        held = None if ask.position is None else json.loads(ask.position)
        asked = {"table": self._table, "position": held, "floor": ask.floor, "key": idempotency_key}
        if ask.until is not None:
            asked["until"] = ask.until
        outcome = self._ran(json.dumps(asked).encode() + b"\n")
        try:
            answer = _ANSWER.decode(outcome.output)
        except (msgspec.DecodeError, RecursionError) as error:
            raise Permanent(f"{self._command[0]} answered what is no answer: {error}{_said(outcome)}") from None
        if answer.error is not None:
            failure = answer.error
            raise Failed(Failure(failure.tag, failure.message, failure.retry_after_ms))
        if outcome.code:
            raise Permanent(f"{self._command[0]} left with {outcome.code}{_said(outcome)}")
        return pull.batch(
            answer.rows,
            position=None if answer.cursor is None else position(answer.cursor),
            more=answer.more,
            skipped=answer.skipped,
            types=answer.types,
            inventory=Inventory.COMPLETE if answer.complete else None,
        )

    def close(self) -> None:
        """Nothing runs between pulls."""

    def _ran(self, given: bytes) -> ChildOutcome:
        ended = self._world.event()
        try:
            child = self._world.child(self._command, given, ended.set)
        except OSError as error:
            raise Failed(Failure(FailureTag.CONFIG, f"{self._command[0]} cannot be run: {error.strerror}")) from error
        try:
            self._world.wait(ended, self._timeout_ms)
            if not child.ended():
                self._kill(child)
                raise Transient(f"{self._command[0]} was still at work after {self._timeout_ms} ms")
            return child.outcome()
        finally:
            child.close()

    def _kill(self, child: Child) -> None:
        child.end(force=True)


def _placed(command: Sequence[str], folder: Path) -> Sequence[str]:
    """The command; a program that is named by a path is found from the project's folder."""
    program, *rest = command
    return [str(folder / program) if "/" in program else program, *rest]


def _said(outcome: ChildOutcome) -> str:
    said = outcome.errors.decode(errors="replace").strip()[-SAID_CHARS_MAX:]
    return f": {said}" if said else ""
