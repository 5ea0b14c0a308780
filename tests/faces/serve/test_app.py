"""The served face before hostile requests: each is answered by name, and none of them leaves anything behind."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient, Response
from starlette.routing import Route
from starlette.types import Message

import contextful
from contextful.adapters import jose
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.authority import verify
from contextful.authority.issue import issue
from contextful.faces.serve import app as served
from contextful.kernel.table import Select
from contextful.run.own.own import HostScope, Pins
from contextful.runner.engine import TABLES
from contextful.testing import SkippingWorld
from contextful_contract.errors import AwakeableUnknown
from contextful_contract.shapes import GrantAction

PRIVATE, PUBLIC = jose.keys()
AUDIENCE = "http://here"


@pytest.fixture
def engine() -> Iterator[contextful.Engine]:
    rows = MemoryRows()
    with contextful.Engine(rows, RowBlobs(rows), SkippingWorld()) as opened:
        yield opened


def bearer(engine: contextful.Engine, *actions: GrantAction) -> dict[str, str]:
    credential = issue(
        id="credential-1",
        audience=AUDIENCE,
        now_ms=engine._world.now_ms(),
        ttl_ms=60_000,
        actions=actions,
        pipelines=["*"],
        on_behalf_of="svc://test",
    )
    return {"authorization": f"Bearer {jose.sign(credential, jose.private_key(PRIVATE, path='issuer'))}"}


def ask(engine: contextful.Engine, method: str, path: str, **sent: Any) -> Response:
    async def asked() -> Response:
        application = ASGITransport(engine.served(PUBLIC, audience=AUDIENCE))
        async with AsyncClient(transport=application, base_url=AUDIENCE) as client:
            return await client.request(method, path, **sent)

    return asyncio.run(asked())


def approval(engine: contextful.Engine) -> str:
    """The token of a run that waits."""
    tokens: list[str] = []

    def body(run: contextful.Execution) -> None:
        awaited = run.awakeable("approve")
        tokens.append(awaited.token)
        awaited.wait()

    with pytest.raises(contextful.Suspended), engine.execution("scope", "plan") as run:
        body(run)
    return tokens[0]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff", b"NaN", b"Infinity", b"[" * 100_000, b"1" * 5_000, b'"\x00"'],
    ids=["absent", "torn", "no text", "nan", "infinity", "deep", "long number", "control"],
)
def test_a_payload_that_is_no_json_is_refused_and_answers_nobody(engine: contextful.Engine, body: bytes) -> None:
    token = approval(engine)

    answer = ask(engine, "POST", f"/awake/{token}", content=body, headers=bearer(engine))

    assert (answer.status_code, answer.json()["refusal"]) == (400, "BadRequest")
    assert engine.awakeable(token).state == "pending"


def test_a_body_longer_than_a_body_may_be_is_refused_before_it_has_all_come(engine: contextful.Engine) -> None:
    sent: list[int] = []

    async def endless() -> AsyncIterator[bytes]:
        while len(sent) < 100:  # far more than is taken
            sent.append(1)
            yield b"x" * (1 << 20)

    answer = ask(engine, "POST", "/awake/token", content=endless(), headers=bearer(engine))

    assert answer.status_code == 413
    assert len(sent) < 10


@pytest.mark.clause("run.suspend.resume-authenticates")
@pytest.mark.parametrize("authorization", ["", "Bearer forged"])
def test_no_byte_of_a_body_is_taken_from_whoever_has_no_credential(
    engine: contextful.Engine, authorization: str
) -> None:
    taken: list[int] = []

    async def endless() -> AsyncIterator[bytes]:
        while True:
            taken.append(1)
            yield b"x"

    application = engine.served(PUBLIC, audience=AUDIENCE)
    answers: list[Message] = []

    async def asked() -> None:
        body = endless()

        async def receive() -> Message:
            return {"type": "http.request", "body": await anext(body), "more_body": True}

        async def send(message: Message) -> None:
            answers.append(message)

        headers = [(b"authorization", authorization.encode())]
        scope = {"type": "http", "method": "POST", "path": "/awake/token", "query_string": b"", "headers": headers}
        await application(scope, receive, send)

    asyncio.run(asked())

    assert answers[0]["status"] == 401
    assert not taken


@pytest.mark.clause("run.suspend.unknown-token")
def test_ten_thousand_wrong_tokens_leave_nothing_behind(engine: contextful.Engine) -> None:
    gate = engine.gate(PUBLIC, audience=AUDIENCE, path="issuer.pub")
    held = None
    for number in range(10_000):
        if number == 100:  # what is made once has been made by then
            gc.collect()
            held = len(gc.get_objects())
        with pytest.raises(contextful.ContextfulError):
            gate.present({"authorization": f"Bearer forged.{number}.x"})
        with pytest.raises(AwakeableUnknown):
            engine.resolve(f"awk-{number:032x}", "yes")
    gc.collect()

    assert held is not None
    assert len(gc.get_objects()) < held + 100
    assert not any(engine._rows.select(Select(table, {}, limit=1)) for table in (*TABLES, *verify.TABLES))


def test_a_body_that_does_not_come_is_not_waited_for(
    engine: contextful.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served, "BODY_S", 0.05)

    async def slow() -> AsyncIterator[bytes]:
        yield b'"'
        await asyncio.sleep(60)

    assert ask(engine, "POST", "/awake/token", content=slow(), headers=bearer(engine)).status_code == 408


@pytest.mark.parametrize("body", ["[]", '{"scope": "all"}', '{"scope": 1}', '{"reason": 7}', "{"])
def test_a_stop_that_says_something_else_is_refused(engine: contextful.Engine, body: str) -> None:
    run = engine.execution("scope", "plan", run_id="run-1")

    answer = ask(engine, "POST", "/runs/run-1/stop", content=body, headers=bearer(engine, GrantAction.EXECUTE))
    stopped = engine.run("run-1")

    assert answer.status_code == 400
    assert stopped is not None
    assert stopped.stop is None
    run.drop()


@pytest.mark.clause("run.cancel.stop-unauthorized")
def test_a_run_that_is_not_covered_and_one_that_never_was_are_answered_alike(engine: contextful.Engine) -> None:
    run = engine.execution("scope", "plan", run_id="run-1")
    headers = bearer(engine, GrantAction.READ)

    known, unknown = (ask(engine, "POST", f"/runs/{run_id}/stop", headers=headers) for run_id in ("run-1", "run-2"))

    assert known.status_code == unknown.status_code == 403
    assert known.content.replace(b"run-1", b"run-2") == unknown.content
    run.drop()


@pytest.mark.parametrize("path", ["/awake/", "/awake/a/b", "/awake/%2e%2e", "/awake/%00", "/nowhere", "/runs/x/y"])
def test_a_path_that_is_no_route_reaches_nothing(engine: contextful.Engine, path: str) -> None:
    assert ask(engine, "GET", path, headers=bearer(engine)).status_code in (404, 405)


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Bearer ", "Basic eA==", "Bearer x", "DPoP x", "bearer \x80", "Token " + "x" * 10_000],
)
def test_a_request_without_a_credential_is_answered_401_and_leaves_no_row(
    engine: contextful.Engine, authorization: str
) -> None:
    headers = {"authorization": authorization.encode("latin-1")}

    answer = ask(engine, "GET", "/runs", headers=headers)

    assert answer.status_code == 401
    assert not engine._rows.select(Select(verify.NONCE, {}, order="at_ms"))


def test_whoever_asks_for_health_needs_no_credential(engine: contextful.Engine) -> None:
    assert ask(engine, "GET", "/health").json() == {"status": "ok"}


def test_every_route_is_on_the_page_that_describes_them(engine: contextful.Engine) -> None:
    application: Any = engine.served(PUBLIC, audience=AUDIENCE)
    requests = [route for route in application.routes if isinstance(route, Route) and route.include_in_schema]
    routes = {(route.path, method) for route in requests for method in (route.methods or set()) - {"HEAD"}}

    page = ask(engine, "GET", "/openapi.json").json()["paths"]

    described = {(path, method.upper()) for path, item in page.items() for method in item if method != "parameters"}
    assert described == routes


def test_the_metrics_count_answers_by_route_and_status(engine: contextful.Engine) -> None:
    application = engine.served(PUBLIC, audience=AUDIENCE)

    async def asked() -> Response:
        async with AsyncClient(transport=ASGITransport(application), base_url=AUDIENCE) as client:
            await client.get("/awake/unknown", headers=bearer(engine))
            return await client.get("/metrics", headers=bearer(engine))

    assert 'contextful_http_answers_total{route="/awake/:token",status="404"} 1.0' in asyncio.run(asked()).text


def test_runs_are_asked_for_by_status_behind_a_run_and_with_their_steps(engine: contextful.Engine) -> None:
    approval(engine)
    (waits,) = engine.history()
    reads = bearer(engine, GrantAction.READ)

    by_status = ask(engine, "GET", "/runs?status=waiting&since=2026-01-01", headers=reads)
    behind = ask(engine, "GET", f"/runs?before={waits.run_id}", headers=reads)
    steps = ask(engine, "GET", f"/runs/{waits.run_id}/steps", headers=reads)

    assert [run["run_id"] for run in by_status.json()["runs"]] == [waits.run_id]
    assert behind.json()["runs"] == steps.json()["steps"] == []


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("status=done", 400),
        ("error=nope", 400),
        ("before=r-9", 403),
        ("since=yesterday", 400),
        ("stauts=failed", 400),
        ("whole=yes", 400),
    ],
)
def test_a_question_about_runs_that_nobody_can_answer_is_refused(
    engine: contextful.Engine, query: str, status: int
) -> None:
    assert ask(engine, "GET", f"/runs?{query}", headers=bearer(engine, GrantAction.READ)).status_code == status


def test_the_parts_of_a_run_are_told_with_it_and_left_out_among_whole_runs(engine: contextful.Engine) -> None:
    of_all = engine.execution("order-7", "v1", run_id="r-1")
    engine.attempt(HostScope("order-7/item/a"), Pins("v1", {}), run_id="r-1.a", within=of_all).leave(None)
    of_all.leave(None)
    reads = bearer(engine, GrantAction.READ)

    parts = ask(engine, "GET", "/runs/r-1/parts?kind=item&status=success", headers=reads).json()
    listed = ask(engine, "GET", "/runs", headers=reads).json()
    whole = ask(engine, "GET", "/runs?whole=true", headers=reads).json()

    assert parts["counts"] == {"item": {"success": 1}}
    assert [(part["run"]["run_id"], part["attempts"]) for part in parts["parts"]] == [("r-1.a", 1)]
    assert [each["run_id"] for each in listed["runs"]] == ["r-1.a", "r-1"]
    assert [each["run_id"] for each in whole["runs"]] == ["r-1"]


def test_the_parts_of_a_run_are_paged_and_a_page_repeats_and_misses_nothing(engine: contextful.Engine) -> None:
    of_all = engine.execution("order-7", "v1", run_id="r-1")
    for name in "abcde":
        engine.attempt(HostScope(f"order-7/item/{name}"), Pins("v1", {}), run_id=f"r-1.{name}", within=of_all).leave(
            None
        )
    of_all.leave(None)
    read, after = [], ""

    for _ in range(3):
        path = f"/runs/r-1/parts?kind=item&limit=2{after and f'&after={after}'}"
        page = ask(engine, "GET", path, headers=bearer(engine, GrantAction.READ)).json()
        read.append(([part["run"]["run_id"] for part in page["parts"]], page["truncated"]))
        after = page["parts"][-1]["run"]["run_id"]

    assert read == [(["r-1.a", "r-1.b"], True), (["r-1.c", "r-1.d"], True), (["r-1.e"], False)]
    unknown = ask(engine, "GET", "/runs/r-1/parts?after=nobody", headers=bearer(engine, GrantAction.READ))
    assert (unknown.status_code, unknown.json()["refusal"]) == (403, "GrantRunTraceDenied")


@pytest.mark.parametrize("path", ["/runs/r-1", "/runs/r-1/output?reference=a", "/runs/r-1/stream?from=oldest"])
def test_a_parameter_that_a_route_does_not_take_is_refused_by_name(engine: contextful.Engine, path: str) -> None:
    with engine.execution("order-7", "v1", run_id="r-1") as run:
        run.step("quote", int)
    misasked = f"{path}{'&' if '?' in path else '?'}bogus=1"

    answer = ask(engine, "GET", misasked, headers=bearer(engine, GrantAction.READ))

    assert (answer.status_code, "'bogus'" in answer.json()["message"]) == (400, True)


def test_the_figures_are_told_to_whoever_has_a_credential_and_name_nobody(engine: contextful.Engine) -> None:
    approval(engine)

    answer = ask(engine, "GET", "/metrics", headers=bearer(engine))

    assert answer.headers["content-type"].startswith("text/plain")
    assert 'contextful_runs_in_flight{status="waiting"} 1.0' in answer.text
    assert "contextful_stream_subscribers 0.0" in answer.text
    assert "scope" not in answer.text


@pytest.mark.parametrize("action", ["stop", "rewind"])
def test_a_reason_that_no_store_can_hold_is_refused(engine: contextful.Engine, action: str) -> None:
    with engine.execution("order-7", "v1", run_id="r-1"):
        headers = bearer(engine, GrantAction.EXECUTE, GrantAction.ADMIN)
        answer = ask(engine, "POST", f"/runs/r-1/{action}", headers=headers, content=b'{"reason": "a\\u0000b"}')

    assert (answer.status_code, "without NUL" in answer.json()["message"]) == (400, True)
