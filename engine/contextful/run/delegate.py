"""delegate: what a job's body asks an endpoint outside, a call at a time, and what the endpoint may say.

call 1 --claim--> envelope, key --> answer, recorded     a resume sends only the call that has none, under its first key
"""

from __future__ import annotations

from typing import cast

import msgspec

from contextful.kernel.failure import WAIT_MS_MAX, Failed, Failure, Permanent
from contextful.kernel.shape import to_json
from contextful_contract.shapes import Envelope, Json
from contextful_contract.shapes import Failure as Told

SHOWN_CHARS = 80


def label(ordinal: int) -> str:
    """The label of a call within its row."""
    return f"call/{ordinal}"


def request(envelope: Envelope) -> bytes:
    """What is sent: the call itself, and no handle of anything."""
    return msgspec.json.encode(to_json(envelope))  ##= delegate.bind.engine-bounds


def answered(reply: bytes, *, by: str) -> Json:
    """The value of an answer. Raises the failure that it has in its place, or Permanent where it has neither."""
    match _read(reply):
        case {"value": value, **others} if not others:
            return cast(Json, value)
        case {"failure": failure, **others} if not others:
            raise Failed(_failure(failure, by))  ##= delegate.call.answer
    shown = reply[:SHOWN_CHARS].decode(errors="replace")
    raise Permanent(f"delegate {by} replied what is no answer: {shown!r}")  ##= delegate.call.unreadable-answer


def _read(reply: bytes) -> object:
    try:
        return msgspec.json.decode(reply)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _failure(told: object, by: str) -> Failure:
    try:
        failure = msgspec.convert(told, Told)
    except msgspec.ValidationError as error:
        raise Permanent(f"delegate {by} replied a failure that cannot be read: {error}") from None
    wait_ms = None if failure.retry_after_secs is None else failure.retry_after_secs * 1_000
    if wait_ms is not None and not 0 <= wait_ms <= WAIT_MS_MAX:
        raise Permanent(f"delegate {by} replied a failure that asks to wait for {failure.retry_after_secs} s")
    return Failure(failure.tag, f"delegate {by}: {failure.message}", wait_ms, deterministic=failure.deterministic)
