"""Steps of delegates: an endpoint with a script, the machine that binds it, and the calls that have come to it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, cast

import pytest
from pytest_bdd import given, parsers, then, when

from contextful.faces import binding
from contextful.ports.delegate import Delegate
from contextful.ports.observer import Progress, StepRecorded, StepRefused, StepStarted
from contextful.run.journal import journal, store_driven_input
from contextful.runner.delegate import Bound
from contextful.testing import Crash, Crashes
from contextful_contract.shapes import EntryKey
from tests.steps.shift import Shift
from tests.steps.stage import LEASE_LAPSED_MS

NAME = "reviewer"
ANSWER = '{"value":1}'


class Vendor:
    """An endpoint: what it replies, the last reply for ever, and each request that has come."""

    def __init__(self) -> None:
        self.replies = [ANSWER]
        self.statuses: list[tuple[int, dict[str, str]]] = [(200, {})]
        self.requests: list[dict[str, Any]] = []
        self.secrets: set[str | None] = set()
        vendor = self

        class Answers(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                vendor.requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                vendor.secrets.add(self.headers["authorization"])
                reply = vendor.replies[min(len(vendor.requests), len(vendor.replies)) - 1].encode()
                status, headers = vendor.statuses[min(len(vendor.requests), len(vendor.statuses)) - 1]
                self.send_response(status)
                for name, value in {**headers, "content-length": str(len(reply))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/ask"
        Thread(target=lambda: self._server.serve_forever(poll_interval=0.01), daemon=True).start()

    def calls(self, row: str, ordinal: int) -> list[dict[str, Any]]:
        """The requests of one call."""
        return [each for each in self.requests if (each["row"], each["ordinal"]) == (_key(row), ordinal)]

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()


class Machine:
    """What this machine binds, of which one thing may change."""

    def __init__(self, shift: Shift, vendor: Vendor) -> None:
        self.shift = shift
        self.told = binding.Delegate(vendor.address, model="m-1", secret="s3cret")
        self._open = ExitStack()

    def bind(self, **changed: Any) -> None:
        """Bind the name, as it is configured from now on."""
        for key, value in changed.items():
            setattr(self.told, key, value)
        bound: AbstractContextManager[Mapping[str, Bound]] = binding.opened(
            {NAME: self.told}, self.shift.spec.delegate, self.shift.stage.world
        )
        self.shift.delegates = self._open.enter_context(bound)

    def close(self) -> None:
        """Let go of the connections."""
        self._open.close()


class Dies:
    """An endpoint of which a process does not live to hear the answer to one call."""

    def __init__(self, endpoint: Delegate, shift: Shift, ordinal: int) -> None:
        self.deadline_ms = endpoint.deadline_ms
        self._endpoint = endpoint
        self._shift = shift
        self._ordinal = ordinal

    def ask(self, request: bytes, *, idempotency_key: str) -> bytes:
        """The answer, to who is alive."""
        reply = self._endpoint.ask(request, idempotency_key=idempotency_key)
        if json.loads(request)["ordinal"] == self._ordinal:
            self._ordinal = 0
            self._shift.stage.crashes.die()
        return reply

    def close(self) -> None:
        """Let go of the connections."""
        self._endpoint.close()


@pytest.fixture
def vendor() -> Iterator[Vendor]:
    made = Vendor()
    yield made
    made.close()


@pytest.fixture
def machine(shift: Shift, vendor: Vendor) -> Iterator[Machine]:
    made = Machine(shift, vendor)
    yield made
    made.close()


@given("a job `score` with the binding `reviewer`")
def job_with_the_binding(shift: Shift) -> None:
    shift.spec = replace(shift.spec, delegate=NAME)
    shift.asks = 1


@given("the machine binds `reviewer` to an endpoint")
def machine_binds(machine: Machine) -> None:
    machine.bind()


@given("its owner is pending")
def owner_is_pending(shift: Shift, machine: Machine) -> None:
    """An attempt at it has ended with work on record, in a process that died."""
    machine.bind()
    shift.reads.rows = 1
    shift.delegates = _dying(shift, 1)
    shift.fire()
    assert isinstance(shift.stage.error, Crash)
    owner = shift.stage.owner()
    assert owner is not None
    shift.stage.named["pending"] = owner.execution_id
    shift.stage.world.skip(LEASE_LAPSED_MS)


@given(parsers.parse("a delegated body that asks {count:d} calls per row"))
def delegated_body(shift: Shift, machine: Machine, count: int) -> None:
    job_with_the_binding(shift)
    shift.asks = count
    machine.bind()


@given("a job `score` without a body")
def job_without_a_body(shift: Shift, machine: Machine) -> None:
    shift.spec = replace(shift.spec, body="", delegate=NAME)
    machine.bind()


@given(parsers.re(r"the delegate replies `(?P<reply>.+)` once"))
def delegate_replies_once(vendor: Vendor, reply: str) -> None:
    vendor.replies = [reply, ANSWER]


@given(parsers.re(r"the delegate replies `(?P<reply>[^`]+)`"))
def delegate_replies(vendor: Vendor, reply: str) -> None:
    vendor.replies = [reply]


@given(parsers.parse("the process dies while call {ordinal:d} of row `a` is unanswered"))
def process_dies_while(shift: Shift, ordinal: int) -> None:
    shift.delegates = _dying(shift, ordinal)


@given("the owner of row `a` is superseded before its call")
def owner_is_superseded(shift: Shift) -> None:
    """Between the claim and the effect: somebody else has opened the work, for this one's lease had lapsed."""
    stage, tell = shift.stage, shift.stage.tell

    def superseding(progress: Progress) -> None:
        tell(progress)
        if isinstance(progress, StepStarted) and progress.label == _label("a", 1):
            stage.world.skip(LEASE_LAPSED_MS)
            owner = stage.owner()
            assert owner is not None
            stage.opened["other"] = stage.onlooker().attempt(owner.scope, owner.pins, run_id="other")

    stage.tell = superseding  # type: ignore[method-assign]


@when(parsers.re(r"(its job|job `score`) fires over the input rows `(?P<rows>[^`]+)`"))
def fires_over(shift: Shift, rows: str) -> None:
    shift.reads.rows = len(rows.split(", "))
    shift.stage.crashes = Crashes()
    shift.fire()
    if isinstance(shift.stage.error, Crash):
        shift.again()


@when(parsers.parse("the `{what}` of `reviewer` changes"))
def binding_changes(machine: Machine, what: str) -> None:
    machine.bind(**{what: "another"})


@then(parsers.parse("the endpoint of `reviewer` gets {count:d} requests"))
def endpoint_gets(vendor: Vendor, count: int) -> None:
    assert len(vendor.requests) == count


@then("no execution is admitted")
def none_is_admitted(shift: Shift) -> None:
    assert not shift.stage.onlooker().history()


@then("its owner resumes")
def owner_resumes(shift: Shift) -> None:
    assert shift.stage.error is None
    assert shift.stage.run().execution_id == shift.stage.named["pending"]


@then(parsers.parse("the request has exactly the keys `{keys}`"))
def request_has_the_keys(vendor: Vendor, keys: str) -> None:
    (request,) = vendor.requests
    assert set(request) == set(keys.split(", "))


@then(parsers.parse("row `{row}` has recorded the ordinals `{ordinals}`"))
def row_has_recorded(shift: Shift, row: str, ordinals: str) -> None:
    labels = [progress.label for progress in shift.stage.told if isinstance(progress, StepRecorded)]
    assert [label for label in labels if label.startswith(f"row/{_key(row)}/call/")] == [
        _label(row, int(ordinal)) for ordinal in ordinals.split(", ")
    ]


@then("the request's `idempotency_key` is that of its step")
def key_is_that_of_its_step(shift: Shift, vendor: Vendor) -> None:
    (step,) = _recorded(shift, _label("a", 1))
    entry = EntryKey(
        execution_id=shift.stage.run().execution_id, step_label=step.label, input_hash=str(step.input_hash)
    )
    assert [request["idempotency_key"] for request in vendor.requests] == [journal.idempotency_key(entry)]


@then(parsers.re(r"the request's `(?P<key>ordinal|input)` is `(?P<value>[^`]+)`"))
def request_says(vendor: Vendor, key: str, value: str) -> None:
    (request,) = vendor.requests
    assert request[key] == json.loads(value)


@then(parsers.parse("call {ordinal:d} of row `{row}` is recorded as `{value}`"))
def call_is_recorded_as(shift: Shift, ordinal: int, row: str, value: str) -> None:
    assert len(_recorded(shift, _label(row, ordinal))) == 1
    assert shift.stage.seen["answers"][ordinal - 1] == json.loads(value)


@then(parsers.parse("call {ordinal:d} of row `{row}` is sent {count:d} times"))
def call_is_sent(vendor: Vendor, ordinal: int, row: str, count: int) -> None:
    assert len(vendor.calls(row, ordinal)) == count


@then(parsers.parse("call {ordinal:d} of row `{row}` fails `{tag}`"))
def call_fails(shift: Shift, ordinal: int, row: str, tag: str) -> None:
    refused = [progress for progress in shift.stage.told if isinstance(progress, StepRefused)]
    (failure,) = [each.failure for each in refused if each.label == _label(row, ordinal)]
    assert failure is not None
    assert failure.tag == tag
    assert not _recorded(shift, _label(row, ordinal))


@then(parsers.parse("call {ordinal:d} of row `{row}` has one idempotency key"))
def call_has_one_key(vendor: Vendor, ordinal: int, row: str) -> None:
    assert len({call["idempotency_key"] for call in vendor.calls(row, ordinal)}) == 1


@then(parsers.parse("table `{table}` gets {count:d} rows"))
def table_gets_rows(shift: Shift, table: str, count: int) -> None:
    assert shift.landed(table) == count


def _key(row: str) -> str:
    """The key of a row that pages call by a letter."""
    return str(ord(row) - ord("a"))


def _label(row: str, ordinal: int) -> str:
    return store_driven_input.row_label(int(_key(row)), f"call/{ordinal}")


def _recorded(shift: Shift, label: str) -> list[StepRecorded]:
    told = [progress for progress in shift.stage.told if isinstance(progress, StepRecorded)]
    return [cast(StepRecorded, progress) for progress in told if progress.label == label]


def _dying(shift: Shift, ordinal: int) -> Mapping[str, Bound]:
    bound = shift.delegates[NAME]
    return {NAME: Bound(bound.binding, Dies(bound.endpoint, shift, ordinal))}
