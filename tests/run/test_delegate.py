"""What a delegate may reply, as a table."""

from __future__ import annotations

import pytest

from contextful.kernel.failure import Failed, Failure
from contextful.run import delegate
from contextful_contract.shapes import FailureTag, Json


@pytest.mark.parametrize(
    ("reply", "value"),
    [(b'{"value":null}', None), (b'{"value":{"value":1}}', {"value": 1}), (b' {"value":[]} ', [])],
    ids=["nothing", "an object", "white space around it"],
)
def test_a_value_is_what_the_call_returns(reply: bytes, value: Json) -> None:
    assert delegate.answered(reply, by="reviewer") == value


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"{}",
        b"null",
        b'"value"',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"value":1,"failure":{"tag":"Transient","message":"m"}}',
        b'{"value":1,"cost":2}',
        b'{"value":1e999}',
        b'{"failure":null}',
        b'{"failure":{"tag":"Sometimes","message":"m"}}',
        b'{"failure":{"tag":"Transient"}}',
        b'{"failure":{"tag":"Transient","message":"m","retry_after_secs":-1}}',
        b'{"failure":{"tag":"Transient","message":"m","retry_after_secs":1000000000000000}}',
    ],
)
@pytest.mark.clause("delegate.call.unreadable-answer")
def test_anything_else_is_permanent(reply: bytes) -> None:
    with pytest.raises(Failed) as raised:
        delegate.answered(reply, by="reviewer")

    assert raised.value.failure.tag is FailureTag.PERMANENT


@pytest.mark.clause("delegate.call.answer")
def test_a_failure_has_its_tag_and_its_wait() -> None:
    reply = b'{"failure":{"tag":"RateLimited","message":"busy","retry_after_secs":7}}'

    with pytest.raises(Failed) as raised:
        delegate.answered(reply, by="reviewer")

    assert raised.value.failure == Failure(FailureTag.RATE_LIMITED, "delegate reviewer: busy", 7_000)
