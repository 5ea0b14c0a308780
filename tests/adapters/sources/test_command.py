"""A command as a source: what it is asked, and every way in which it does not answer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from contextful.adapters.sources.command import CommandRows
from contextful.adapters.system import SystemWorld
from contextful.kernel.failure import Failed
from contextful.pipeline.pull import Ask, Inventory
from contextful.pipeline.spec import CommandSource
from contextful_contract.shapes import FailureTag


def source(code: str, *, timeout_ms: int = 30_000) -> CommandRows:
    """A command that is this program."""
    spec = CommandSource((sys.executable, "-c", f"import json, sys\n{code}"), timeout_ms)
    return CommandRows(spec, "orders", Path(), SystemWorld())


def test_it_is_asked_in_one_line_and_answers_in_one() -> None:
    code = 'print(json.dumps({"rows": [json.loads(sys.stdin.readline())], "complete": True, "types": {"key": "utf8"}}))'

    answer = source(code).pull(Ask('{"page":3}', 7), idempotency_key="key-1")

    assert answer.records() == [{"table": "orders", "position": {"page": 3}, "floor": 7, "key": "key-1"}]
    assert (answer.position, answer.more, answer.inventory) == (None, False, Inventory.COMPLETE)
    assert answer.types == {"key": "utf8"}


@pytest.mark.clause("run.backfill.chunk-plan")
def test_a_chunk_asks_up_to_its_end() -> None:
    code = 'print(json.dumps({"rows": [json.loads(sys.stdin.readline())]}))'

    answer = source(code).pull(Ask(None, 10, 20), idempotency_key="key-1")

    asked = {"table": "orders", "position": None, "floor": 10, "until": 20, "key": "key-1"}
    assert answer.records() == [asked]


@pytest.mark.parametrize(
    ("code", "tag", "says"),
    [
        ('print(json.dumps({"error": {"tag": "RateLimited", "message": "slow"}})); sys.exit(1)', "RateLimited", "slow"),
        ('print("{}"); print("no luck", file=sys.stderr); sys.exit(3)', "Permanent", "left with 3: no luck"),
        ('print("no")', "Permanent", "no answer"),
        ('print(json.dumps({"prepared": []}))', "Permanent", "prepared"),
        ('print(json.dumps({"rows": [1]}))', "Permanent", "no answer"),
    ],
)
def test_what_does_not_answer_fails_with_its_reason(code: str, tag: str, says: str) -> None:
    with pytest.raises(Failed, match=says) as failed:
        source(code).pull(Ask(), idempotency_key="key")

    assert failed.value.failure.tag is FailureTag(tag)


def test_a_command_that_takes_too_long_is_ended() -> None:
    with pytest.raises(Failed, match="still at work") as failed:
        source("sys.stdin.read(); import signal; signal.pause()", timeout_ms=200).pull(Ask(), idempotency_key="key")

    assert failed.value.failure.tag is FailureTag.TRANSIENT


def test_a_program_that_is_not_there_is_named() -> None:
    missing = CommandRows(CommandSource(("./nowhere",)), "orders", Path(), SystemWorld())

    with pytest.raises(Failed, match="nowhere cannot be run") as failed:
        missing.pull(Ask(), idempotency_key="key")

    assert failed.value.failure.tag is FailureTag.CONFIG
