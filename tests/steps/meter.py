"""Steps of the meter: a limiter, the requests that leave under it, and those that may not."""

from __future__ import annotations

import httpx
import pytest
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.limiters import LocalLimiter, Metered
from contextful.kernel.failure import Failed
from contextful.ports.limiter import Denied, Permits
from contextful.runner.meter import Meter
from tests.steps.shop import Shop
from tests.steps.stage import Stage, returns

DAY_MS = 24 * 3_600_000


class Denies:
    """A limiter that denies so often, and then gives."""

    name = "vendor"

    def __init__(self, wait_ms: int, times: int = 1) -> None:
        self._wait_ms = wait_ms
        self._times = times

    def acquire(self) -> Permits | Denied:
        """No, and later yes."""
        self._times -= 1
        return Denied(self._wait_ms) if self._times >= 0 else Permits(1, 1 << 60)


class Quota:
    """A limiter of this process's own, its meter, and the requests that have left."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.limiter = LocalLimiter("vendor", stage.world, permits=10, every_ms=DAY_MS)
        self.meter = Meter(self.limiter, stage.world)

    def of(self, permits: int) -> None:
        """So many permits a day."""
        self.limiter = LocalLimiter("vendor", self.stage.world, permits=permits, every_ms=DAY_MS)
        self.meter = Meter(self.limiter, self.stage.world)

    def client(self) -> httpx.Client:
        """A client whose requests leave with a permit, to a vendor that answers each."""

        def answer(request: httpx.Request) -> httpx.Response:
            self.stage.sent.append(str(request.url))
            return httpx.Response(200)

        return httpx.Client(transport=Metered(self.meter.leaving, httpx.MockTransport(answer)))


@pytest.fixture
def quota(stage: Stage) -> Quota:
    """A limiter that has given nothing yet."""
    return Quota(stage)


@given(parsers.parse("a limiter with {permits:d} permits"))
def limiter_with(quota: Quota, shop: Shop, permits: int) -> None:
    quota.of(permits)
    shop.listing.meter = quota.meter


@given(parsers.parse("a limiter that denies with a wait of {seconds:d} s"))
def limiter_that_denies(stage: Stage, quota: Quota, seconds: int) -> None:
    quota.meter = Meter(Denies(seconds * 1_000), stage.world)


@given(parsers.parse("its limiter denies the first acquire with a wait of {seconds:d} s"))
def limiter_denies_first(stage: Stage, seconds: int) -> None:
    stage.meter = Meter(Denies(seconds * 1_000), stage.world)


@when(parsers.parse("{count:d} requests leave"))
def requests_leave(quota: Quota, count: int) -> None:
    with quota.client() as client:
        for _ in range(count):
            with quota.meter.permit():
                client.get("https://vendor.example/")


@when("a request is sent around the reservation")
def is_sent_around(stage: Stage, quota: Quota) -> None:
    with quota.client() as client:
        try:
            client.get("https://vendor.example/")
        except contextful.ContextfulError as refusal:
            stage.error = refusal


@when("a request asks for a permit")
def asks_for_a_permit(stage: Stage, quota: Quota) -> None:
    """In a step: the one that the attempt fails in first is what the scenario asks about."""
    stage.meter = quota.meter
    stage.effect().script = [returns("ok")]
    stage.named["began"] = stage.world.now_ms()
    try:
        with quota.meter.permit():
            pytest.fail("it was given")
    except Failed as denial:
        stage.named["denial"] = denial
        stage.named["ended"] = stage.world.now_ms()
    if denial_wait_ms(stage) <= 300_000:
        stage.error = stage.named["denial"]  # type: ignore[assignment]
        return
    stage.meter = Meter(Denies(denial_wait_ms(stage)), stage.world)
    stage.attempt()


@then(parsers.parse("the limiter has {count:d} permits"))
def limiter_has(quota: Quota, count: int) -> None:
    assert quota.limiter.left == count


@then(parsers.parse("{seconds:d} s have passed"))
def have_passed(stage: Stage, seconds: int) -> None:
    began, ended = stage.named["began"], stage.named["ended"]
    assert isinstance(began, int)
    assert isinstance(ended, int)
    assert ended - began == seconds * 1_000


@then(parsers.parse("step `{label}` has sent {calls:d} calls and reserved {permits:d} permits"))
def has_sent_and_reserved(stage: Stage, label: str, calls: int, permits: int) -> None:
    assert (stage.effect(label).count(), stage.effect(label).permits) == (calls, permits)


def denial_wait_ms(stage: Stage) -> int:
    """How long the limiter has asked for."""
    denial = stage.named["denial"]
    assert isinstance(denial, Failed)
    assert denial.failure.retry_after_ms is not None
    return denial.failure.retry_after_ms
