"""Limiters: what they say, in every way in which they say it."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from contextful.adapters.limiters import HttpLimiter, LocalLimiter
from contextful.kernel.failure import Failed
from contextful.ports.limiter import Denied, Permits
from contextful.runner.meter import Meter
from contextful.testing import SkippingWorld
from contextful_contract.errors import ConnectorUnmetered
from contextful_contract.shapes import FailureTag

URL = "https://limits.example/vendor"


def limiter(answer: Callable[[httpx.Request], httpx.Response], world: SkippingWorld) -> HttpLimiter:
    return HttpLimiter(URL, world, client=httpx.Client(transport=httpx.MockTransport(answer)))


def cut(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused", request=request)


def test_permits_come_with_the_instant_up_to_which_they_are_good() -> None:
    world = SkippingWorld()

    answer = limiter(lambda _: httpx.Response(200, json={"permits": 3, "ttl_secs": 1.5}), world).acquire()

    assert answer == Permits(3, world.now_ms() + 1_500)


@pytest.mark.clause("connector.meter.denial-ceiling")
@pytest.mark.parametrize(("says", "wait_ms"), [("40", 40_000), ("", 0), ("soon", 0)], ids=["seconds", "empty", "words"])
def test_a_denial_says_how_long_to_wait(says: str, wait_ms: int) -> None:
    answer = limiter(lambda _: httpx.Response(429, headers={"Retry-After": says}), SkippingWorld()).acquire()

    assert answer == Denied(wait_ms)


@pytest.mark.parametrize(
    ("answer", "tag"),
    [
        (cut, FailureTag.TRANSIENT),
        (lambda _: httpx.Response(503), FailureTag.TRANSIENT),
        (lambda _: httpx.Response(403), FailureTag.AUTH_EXPIRED),
        (lambda _: httpx.Response(200, text="<html>"), FailureTag.PERMANENT),
        (lambda _: httpx.Response(200, json=[]), FailureTag.PERMANENT),
        (lambda _: httpx.Response(200, json={"permits": 0, "ttl_secs": 1}), FailureTag.PERMANENT),
        (lambda _: httpx.Response(200, json={"permits": True, "ttl_secs": 1}), FailureTag.PERMANENT),
        (lambda _: httpx.Response(200, json={"permits": 1, "ttl_secs": -1}), FailureTag.PERMANENT),
    ],
    ids=["nobody", "busy", "forbidden", "no json", "a list", "none", "true", "no time"],
)
def test_a_limiter_that_does_not_answer_well_gives_no_permit(
    answer: Callable[[httpx.Request], httpx.Response], tag: FailureTag
) -> None:
    with pytest.raises(Failed) as failed:
        limiter(answer, SkippingWorld()).acquire()

    assert failed.value.failure.tag is tag


def test_a_batch_of_permits_is_used_up_and_lapses() -> None:
    world = SkippingWorld()
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"permits": 2, "ttl_secs": 10})

    meter = Meter(limiter(answer, world), world)
    for skip_ms in (0, 0, 0, 10_000):
        world.skip(skip_ms)
        with meter.permit():
            meter.leaving("vendor.example")

    assert len(asked) == 3, "one for the first two, one for the third, and one since that has lapsed"


@pytest.mark.clause("connector.meter.unmetered")
def test_a_permit_is_good_for_one_request_and_only_within() -> None:
    world = SkippingWorld()
    meter = Meter(LocalLimiter("vendor", world, permits=5, every_ms=1_000), world)

    with meter.permit():
        meter.leaving("vendor.example")
        with pytest.raises(ConnectorUnmetered):
            meter.leaving("vendor.example")
    with meter.permit():
        pass
    with pytest.raises(ConnectorUnmetered):
        meter.leaving("vendor.example")


def test_a_local_limiter_gives_so_many_an_interval() -> None:
    world = SkippingWorld()
    local = LocalLimiter("vendor", world, permits=1, every_ms=1_000)

    first, second = local.acquire(), local.acquire()
    world.skip(1_000)

    assert isinstance(first, Permits)
    assert second == Denied(1_000)
    assert isinstance(local.acquire(), Permits)
