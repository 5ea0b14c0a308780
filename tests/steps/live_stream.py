"""Steps of a run's stream over HTTP: who is let in, and what a socket can do."""

from __future__ import annotations

import asyncio
from typing import Any

from httpx import Response
from pytest_bdd import parsers, then, when

from tests.steps.live import RUN, Watched
from tests.steps.served import AUDIENCE, ISSUER_PUBLIC, Served
from tests.steps.stage import Stage


@when("`blob-1` is fetched with a credential for the stream alone")
def is_fetched(watched: Watched, served: Served) -> None:
    served.made_out("read", pipelines=["*"])
    served.send("GET", f"/runs/{RUN}/output?reference=blob-1")


@when(parsers.re(r"`GET /runs/(?P<run_id>\S+)/stream` is sent with `(?P<which>no|an expired|a valid)` credential"))
def stream_is_asked_for(watched: Watched, served: Served, run_id: str, which: str) -> None:
    headers = []
    if which != "no":
        served.made_out("read", pipelines=["*"], ttl_ms=60_000)
        if which == "an expired":
            served.stage.world.skip(120_000)
        headers = [(b"authorization", f"Bearer {served.token()}".encode())]
    sent = asyncio.run(_dialled(served, f"/runs/{run_id}/stream", headers))
    served.stage.seen["socket"] = [each["type"] for each in sent]
    body = b"".join(each.get("body", b"") for each in sent)
    (status,) = [each["status"] for each in sent if each["type"] == "websocket.http.response.start"]
    served.answer = Response(status, content=body)


@when(parsers.parse("it sends `{text}` down its socket"))
def sends_down_its_socket(watched: Watched, served: Served, text: str) -> None:
    served.made_out("read", "execute", pipelines=["*"])
    headers = [(b"authorization", f"Bearer {served.token()}".encode())]
    sent = asyncio.run(_dialled(served, f"/runs/{RUN}/stream", headers, says=text))
    assert sent[0]["type"] == "websocket.accept"


@then("the connection is not upgraded")
def is_not_upgraded(stage: Stage) -> None:
    assert stage.seen["socket"]
    assert "websocket.accept" not in stage.seen["socket"]


async def _dialled(
    served: Served, path: str, headers: list[tuple[bytes, bytes]], *, says: str | None = None
) -> list[dict[str, Any]]:
    """What a server is sent by the face, when a client opens a socket, says that much, and leaves."""
    application = served.engine.served(ISSUER_PUBLIC, audience=AUDIENCE)
    scope = {
        "type": "websocket",
        "scheme": "wss",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"contextful.example"), *headers],
        "subprotocols": [],
        "extensions": {"websocket.http.response": {}},
    }
    says_next = [{"type": "websocket.connect"}]
    says_next += [] if says is None else [{"type": "websocket.receive", "text": says}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return says_next.pop(0) if says_next else {"type": "websocket.disconnect", "code": 1_000}

    async def send(message: Any) -> None:
        sent.append(message)

    await application(scope, receive, send)
    return sent
