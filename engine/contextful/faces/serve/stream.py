"""The stream of a run: its snapshots as they are broadcast, down a socket or as server-sent events.

A browser opens no socket with a credential in a header, so it asks for the same address without an upgrade. Either way
the request is admitted first (run.project.unauthenticated-upgrade), and what is sent down a socket counts for nothing.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from contextful.faces.serve import gate, openapi
from contextful.kernel.shape import to_json
from contextful.runner.hub import Subscription
from contextful.runner.live import Live
from contextful_contract.base import ContextfulError
from contextful_contract.errors import RunStreamUnauthorized
from contextful_contract.shapes import Snapshot, StepView

ALIVE_S = 15.0  # how often a stream that has nothing to say shows that it is there
STEPS_SHORT = 2_000  # a run of no more is told of every broadcast
STEPS_SPELLED = 1 << 17
REST = 9.0
TEXTS_MAX = 16  # snapshots kept as texts: every subscriber of a run is sent the same one
Covers = Callable[[Mapping[str, str], gate.Request, str], bool]  # admits a request; whether it may read the run


class Streams:
    """The streams of the runs that a live view shows."""

    def __init__(self, live: Callable[[], Live], covers: Covers) -> None:
        self._live = live
        self._covers = covers
        self._turn = threading.Lock()
        self._texts: OrderedDict[tuple[str, int, int], str] = OrderedDict()

    async def socket(self, websocket: WebSocket) -> None:
        """`GET /runs/:run_id/stream`, upgraded."""
        come = _Come()
        opened = await run_in_threadpool(self._opened, websocket, come)
        if isinstance(opened, Response):
            await websocket.send_denial_response(opened)
            return
        await websocket.accept()
        reading = asyncio.ensure_future(_ignored(websocket))
        writing = asyncio.ensure_future(self._written(websocket, opened, come))
        try:
            await asyncio.wait((reading, writing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            opened.close()
            for task in (reading, writing):
                task.cancel()
            await asyncio.gather(reading, writing, return_exceptions=True)

    async def events(self, request: Request) -> Response:
        """The same, as server-sent events."""
        come = _Come()
        opened = await run_in_threadpool(self._opened, request, come)
        if isinstance(opened, Response):
            return opened
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(self._sent(opened, come), media_type="text/event-stream", headers=headers)

    def _opened(self, asked: HTTPConnection, come: _Come) -> Subscription | Response:
        run_id = asked.path_params["run_id"]
        target = str(asked.url).replace("ws", "http", 1) if asked.scope["type"] == "websocket" else str(asked.url)
        try:
            covered = self._covers(asked.headers, gate.Request("GET", target, b""), run_id)
        except (gate.Unauthenticated, ContextfulError):
            refusal = RunStreamUnauthorized(run_id=run_id)
            ##= run.project.unauthenticated-upgrade
            told = {"refusal": type(refusal).__name__, "message": str(refusal), "run_id": run_id}
            return JSONResponse(told, 401, {"WWW-Authenticate": "Bearer"})
        if misasked := openapi.misasked("/runs/:run_id/stream", asked.query_params):
            return JSONResponse({"refusal": "BadRequest", "message": misasked}, 400)
        oldest = asked.query_params.get("from") == "oldest"
        opened = self._live().subscribe(run_id, come.tell, oldest=oldest) if covered else None
        if opened is None:
            return JSONResponse({"refusal": "NotServed", "message": "no such run is in view"}, 404)
        return opened

    async def _written(self, websocket: WebSocket, opened: Subscription, come: _Come) -> None:
        async for text in self._snapshots(opened, come):
            if text is not None:  # an idle socket is kept by the server's own pings
                await websocket.send_text(text)
        await websocket.close()

    async def _sent(self, opened: Subscription, come: _Come) -> AsyncIterator[str]:
        try:
            async for text in self._snapshots(opened, come):
                yield ": alive\n\n" if text is None else f"data: {text}\n\n"
        finally:
            opened.close()

    async def _snapshots(self, opened: Subscription, come: _Come) -> AsyncIterator[str | None]:
        """Each snapshot as a text, up to the last of a run that ends; none now and then, where nothing comes."""
        while True:  # ends: with the run, or with its reader
            come_now = opened.take()
            for snapshot in come_now if _short(come_now) else come_now[-1:]:
                began_s = asyncio.get_running_loop().time()
                yield await run_in_threadpool(self._text, snapshot)
                if snapshot.status.terminal:
                    return
                if not _short([snapshot]):  # what takes long to spell is spelled as rarely as leaves time for others
                    await asyncio.sleep(REST * (asyncio.get_running_loop().time() - began_s))
            if not await come.within(ALIVE_S):
                yield None

    def _text(self, snapshot: Snapshot) -> str:
        key = (snapshot.run_id, snapshot.version.epoch, snapshot.version.counter)
        with self._turn:
            if key not in self._texts:
                self._texts[key] = _spelled(snapshot)
                if len(self._texts) > TEXTS_MAX:
                    self._texts.popitem(last=False)
            return self._texts[key]


def _short(snapshots: Sequence[Snapshot]) -> bool:
    return all(len(snapshot.steps) <= STEPS_SHORT for snapshot in snapshots)


def _spelled(snapshot: Snapshot) -> str:
    """The snapshot as JSON; a step that has not moved is spelled once."""
    told = to_json(replace(snapshot, steps=()))
    steps = ",".join(map(_step, snapshot.steps))
    spelled = (f'"{key}":' + (f"[{steps}]" if key == "steps" else _json(value)) for key, value in told.items())
    return f"{{{','.join(spelled)}}}"


@lru_cache(STEPS_SPELLED)
def _step(step: StepView) -> str:
    return _json(to_json(step))


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


class _Come:
    """Told from any thread that more has come; waited for on the loop that it was made on."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._event = asyncio.Event()

    def tell(self) -> None:
        """More has come, or the loop is gone."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._event.set)

    async def within(self, timeout_s: float) -> bool:
        """Whether more has come, by then at the latest."""
        try:
            await asyncio.wait_for(self._event.wait(), timeout_s)
        except TimeoutError:
            return False
        self._event.clear()
        return True


async def _ignored(websocket: WebSocket) -> None:
    """Whatever a reader sends: its right is to read, and a stop has a route of its own."""
    ##= run.project.read-only-socket
    try:
        while True:  # ends: with the socket
            await websocket.receive()
    except (WebSocketDisconnect, RuntimeError):
        return
