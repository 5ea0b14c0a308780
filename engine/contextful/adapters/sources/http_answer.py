"""What a server answers over HTTP, of bounded size and in bounded time; what its status means is said once."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import NamedTuple

import httpx

from contextful.adapters.sources import http_class
from contextful.kernel.failure import Failed, Permanent, Transient
from contextful.ports.world import World

IDEMPOTENCY_KEY = "Idempotency-Key"


class Overlong(Exception):
    """There was more of it than may be."""


class Overdue(Exception):
    """It was not there in time; the text says what was missing."""


class Answered(NamedTuple):
    """What a server answers."""

    content: bytes
    headers: httpx.Headers


def answered(
    sent: AbstractContextManager[httpx.Response], address: str, world: World, *, bytes_max: int, timeout_ms: int
) -> Answered:
    """All of the answer. Raises Failed as its status says, Overlong and Overdue."""
    began_ms = world.now_ms()
    read = bytearray()
    try:
        with sent as answer:
            refusal = http_class.failure(
                answer.status_code, address, retry_after=answer.headers.get("Retry-After"), now_ms=world.now_ms()
            )
            if refusal is not None:
                raise Failed(refusal)  ##= run.retry.one-layer
            for chunk in answer.iter_bytes():
                read += chunk
                if len(read) > bytes_max:
                    raise Overlong
                if world.now_ms() - began_ms > timeout_ms:
                    raise Overdue(f"was still answering after {timeout_ms} ms")
    except httpx.DecodingError as error:
        raise Permanent(f"{address} answered bytes that cannot be decoded: {error}") from error
    except httpx.TimeoutException as error:
        raise Overdue(f"did not answer: {type(error).__name__}") from error
    except httpx.TransportError as error:
        raise Transient(f"{address} did not answer: {type(error).__name__} {error}".rstrip()) from error
    return Answered(bytes(read), answer.headers)
