"""The routes of the served face. Each admits the credential of its request first; a refusal is answered by name."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields
from typing import Any, NamedTuple, TypeVar

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute

from contextful.authority import grant
from contextful.authority.credential import Credential
from contextful.faces.allowed import Allowed, Landed, NoTables, named
from contextful.faces.serve import console, gate, openapi
from contextful.faces.serve.metrics import Metrics
from contextful.faces.serve.stream import Streams
from contextful.faces.shapes import history_page, parts_page, read_answer, standing
from contextful.kernel import json_text
from contextful.kernel.failure import Failed, said
from contextful.kernel.shape import to_json
from contextful.kernel.text import storable
from contextful.ports.world import World
from contextful.run.history import since_ms
from contextful.run.journal.steps import to_json as step_json
from contextful.run.parts import Kind
from contextful.runner.engine import Engine
from contextful.runner.live import Live
from contextful.store import bound_time
from contextful_contract.base import ContextfulError
from contextful_contract.shapes import FailureTag, GrantAction, RunStatus
from contextful_contract.statements import STATEMENTS

BODY_BYTES_MAX = 4 << 20
REASON = "reason is a text without NUL and lone surrogates"
BODY_S = 10.0  # how long a body may take to come
JSON = "application/json"
ROWS_DEFAULT = 100
PARTS_MAX = 1_000
Named = TypeVar("Named", FailureTag, RunStatus, Kind)
Answer = Callable[["Asked"], Response]


class Asked(NamedTuple):
    """A request whose credential has been admitted, and what came with it."""

    credential: Credential
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes


class Face:
    """The served face over one engine."""

    def __init__(self, engine: Engine, gatekeeper: gate.Gate, world: World, *, tables: Landed | None = None) -> None:
        self._engine = engine
        self._tables = tables
        self._gate = gatekeeper
        self._world = world
        self._live: Live | None = None  # once somebody has asked for it
        self._streams = Streams(self._watched, self._covers)
        self._metrics = Metrics(engine.in_flight, world.now_ms, self._subscribers)
        engine.watch(self._metrics)

    def app(self) -> Starlette:
        """The application, as an ASGI server takes it."""
        routes = [
            Route("/awake/{token}", self._guarded("/awake/:token", self._resolve), methods=["POST"]),
            Route("/awake/{token}", self._guarded("/awake/:token", self._look), methods=["GET"]),
            Route("/runs/{run_id}/stop", self._guarded("/runs/:run_id/stop", self._stop), methods=["POST"]),
            Route("/runs", self._guarded("/runs", self._runs), methods=["GET"]),
            Route("/runs/{run_id}/stream", self._streams.events, methods=["GET"]),
            WebSocketRoute("/runs/{run_id}/stream", self._streams.socket),
            Route("/runs/{run_id}/output", self._guarded("/runs/:run_id/output", self._output), methods=["GET"]),
            Route("/runs/{run_id}/awakeables", self._guarded("/runs/:run_id/awakeables", self._waits), methods=["GET"]),
            Route("/runs/{run_id}/rewind", self._guarded("/runs/:run_id/rewind", self._rewind), methods=["POST"]),
            Route("/runs/{run_id}/steps", self._guarded("/runs/:run_id/steps", self._steps), methods=["GET"]),
            Route("/runs/{run_id}/parts", self._guarded("/runs/:run_id/parts", self._parts), methods=["GET"]),
            Route("/runs/{run_id}", self._guarded("/runs/:run_id", self._run), methods=["GET"]),
            Route("/query", self._guarded("/query", self._query), methods=["POST"]),
            Route("/metrics", self._guarded("/metrics", self._figures), methods=["GET"]),
            Route("/clauses/{clause}", _clause, methods=["GET"]),
            *console.routes(),
            Route("/health", _health, methods=["GET"]),
            Route("/openapi.json", _openapi, methods=["GET"]),
        ]
        return Starlette(routes=routes, exception_handlers={HTTPException: _unserved})

    def _resolve(self, asked: Asked) -> Response:
        """Answer an awakeable, on behalf of whom the credential was issued for."""
        ##= run.suspend.resume-authenticates
        payload = self._engine.resolve(asked.path["token"], _read(asked.body), caller=asked.credential.on_behalf_of)
        return Response(json_text.spelled(payload), media_type=JSON)  ##= run.suspend.resume-route

    def _look(self, asked: Asked) -> Response:
        """Where an awakeable stands; looking resumes nothing."""
        awakeable = self._engine.awakeable(asked.path["token"], caller=asked.credential.on_behalf_of)
        return JSONResponse(standing(awakeable))

    def _stop(self, asked: Asked) -> Response:
        """Mark runs to be stopped."""
        scope, reason = _stop_of(asked.body)
        marked = self._allowed(asked).stop(asked.path["run_id"], scope=scope, reason=reason)
        return JSONResponse({"run_ids": list(marked)})  ##= run.cancel.stop-route

    def _runs(self, asked: Asked) -> Response:
        """The latest runs of the pipelines that the credential covers."""
        since = asked.query.get("since")
        page = self._allowed(asked).runs(
            pipeline=asked.query.get("pipeline"),
            since_ms=None if since is None else since_ms(since),
            limit=_limit(asked.query.get("limit")),
            status=_one_of(RunStatus, asked.query, "status"),
            error=_one_of(FailureTag, asked.query, "error"),
            before=asked.query.get("before"),
            whole=_truth(asked.query, "whole"),
        )
        return JSONResponse(to_json(history_page(page)))

    def _run(self, asked: Asked) -> Response:
        return JSONResponse(self._allowed(asked).described(asked.path["run_id"]))

    def _steps(self, asked: Asked) -> Response:
        return JSONResponse({"steps": [step_json(step) for step in self._allowed(asked).steps(asked.path["run_id"])]})

    def _parts(self, asked: Asked) -> Response:
        """A job's items, a sweep's origins: how many stand how, and the first of those that are asked for."""
        kind, status = _one_of(Kind, asked.query, "kind"), _one_of(RunStatus, asked.query, "status")
        limit = min(_limit(asked.query.get("limit")) or ROWS_DEFAULT, PARTS_MAX)
        allowed, last = self._allowed(asked), asked.query.get("after")
        after = None if last is None else allowed.run(last)
        found = allowed.parts(asked.path["run_id"])
        page = parts_page(found, kind=kind, status=status, after=after, limit=limit, item=allowed.item)
        return JSONResponse(page)

    def _waits(self, asked: Asked) -> Response:
        pending = self._allowed(asked).awaited(asked.path["run_id"])
        return JSONResponse({"awakeables": [{**standing(each), "label": each.step_label} for each in pending]})

    def _rewind(self, asked: Asked) -> Response:
        """Give up the pending work that the run was at."""
        reason, force = _rewind_of(asked.body)
        owner = self._allowed(asked).rewind(asked.path["run_id"], reason=reason, force=force)
        return JSONResponse({"execution_id": owner.execution_id})

    def _output(self, asked: Asked) -> Response:
        content = self._allowed(asked).output(asked.path["run_id"], asked.query.get("reference", ""))
        if content is None:
            return _refused(404, "NotServed", "no such output is recorded")
        return Response(content, media_type=JSON)

    def _allowed(self, asked: Asked) -> Allowed:
        """The engine, as the credential of the request lets it be seen."""
        return Allowed(self._engine, self._tables, asked.credential)

    def _covers(self, headers: Mapping[str, str], sent: gate.Request, run_id: str) -> bool:
        """Whether whoever sends the request may read the run. Raises what its credential is refused with."""
        credential = self._gate.admit(headers, sent)
        run = self._engine.run(run_id)
        return grant.may(credential.grants, GrantAction.READ, pipeline="" if run is None else named(run))

    def _query(self, asked: Asked) -> Response:
        """What one SELECT answers, of the tables that the credential covers."""
        question = _question_of(asked.body)
        bounds = {"as_of_ms": question.as_of_ms, "available_as_of_ms": question.available_as_of_ms}
        try:
            answer = self._allowed(asked).query(question.sql, rows_max=question.rows_max, **bounds)
        except NoTables as none:
            return _refused(404, "NotServed", said(none))
        return JSONResponse(to_json(read_answer(answer, **bounds)))

    def _figures(self, asked: Asked) -> Response:  # noqa: ARG002 (whoever has a credential may read what names nobody)
        return Response(self._metrics.text(), media_type=CONTENT_TYPE_LATEST)

    def _watched(self) -> Live:
        self._live = self._engine.live()
        return self._live

    def _subscribers(self) -> int:
        return 0 if self._live is None else self._live.hub.subscriber_count()

    def _guarded(self, route: str, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            began_ms = self._world.now_ms()
            response = await self._answered(route, request, answer)
            self._metrics.answered(route, response.status_code, took_ms=self._world.now_ms() - began_ms)
            return response

        return endpoint

    async def _answered(self, route: str, request: Request, answer: Answer) -> Response:
        """What a request is answered: its token counts before a byte of its body is read, and a proof after that."""
        try:
            credential = await run_in_threadpool(self._gate.present, request.headers)
            if misasked := openapi.misasked(route, request.query_params):
                raise _BadRequest(misasked)
            body = await _body(request)
            return await run_in_threadpool(self._answer, request, credential, body, answer)
        except gate.Unauthenticated:
            ##= authority.verify.status
            return _refused(401, "Unauthenticated", "this route takes a credential: Authorization: Bearer <token>")
        except _BadRequest as fault:
            return _refused(fault.status, "BadRequest", str(fault))
        except ContextfulError as refusal:
            return _refused(refusal.http_status or 409, type(refusal).__name__, str(refusal), _facts(refusal))
        except Failed as failure:
            status = 503 if failure.failure.tag is FailureTag.STORAGE else 400
            return _refused(status, failure.failure.tag.value, said(failure))

    def _answer(self, request: Request, credential: Credential, body: bytes, answer: Answer) -> Response:
        """What a thread of its own makes of a request: the stores wait for the disk, and the loop may not."""
        self._gate.prove(credential, request.headers, gate.Request(request.method, str(request.url), body))
        return answer(Asked(credential, request.path_params, request.query_params, body))


class _BadRequest(Exception):
    """The request is not what the route takes."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


async def _body(request: Request) -> bytes:
    """The body, if it is of bounded size and comes in time."""
    content = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                content += chunk
                if len(content) > BODY_BYTES_MAX:
                    raise _BadRequest(f"the body has more than {BODY_BYTES_MAX} bytes", 413)
    except TimeoutError:
        raise _BadRequest(f"the body took longer than {BODY_S:.0f} s", 408) from None
    except ClientDisconnect:
        raise _BadRequest("the body ended before it was whole") from None
    return bytes(content)


def _read(body: bytes) -> object:
    try:
        return json_text.parsed(body)
    except json_text.NotJson as why:
        raise _BadRequest(f"the body is no JSON: {why}") from None


def _stop_of(body: bytes) -> tuple[str, str | None]:
    """The scope and the reason that a stop's body names. What else it names counts for nothing."""
    asked = _read(body) if body.strip() else {}
    if not isinstance(asked, dict):
        raise _BadRequest("the body is a JSON object with scope and reason, or absent")
    scope, reason = asked.get("scope", "run"), asked.get("reason")
    if scope not in ("run", "pipeline"):
        raise _BadRequest("scope is `run` or `pipeline`")
    if not isinstance(reason, str | None) or not storable(reason or ""):
        raise _BadRequest(REASON)
    return scope, reason


class _Question(NamedTuple):
    sql: str
    rows_max: int
    as_of_ms: int | None
    available_as_of_ms: int | None


def _rewind_of(body: bytes) -> tuple[str, bool]:
    """The reason that a rewind's body gives, and whether it is forced."""
    asked = _read(body)
    if not isinstance(asked, dict) or not isinstance(asked.get("reason"), str):
        raise _BadRequest("the body is a JSON object with reason, and where it is wanted force")
    if not storable(asked["reason"]):
        raise _BadRequest(REASON)
    if type(force := asked.get("force", False)) is not bool:
        raise _BadRequest("force is true or false")
    return asked["reason"], force


def _limit(given: str | None) -> int | None:
    """How many runs are asked for, if that is said."""
    if given is None:
        return None
    if not given.isascii() or not given.isdigit() or not 1 <= len(given) <= 9 or int(given) < 1:
        raise _BadRequest("limit is a whole number of runs")
    return int(given)


def _truth(query: Mapping[str, str], name: str) -> bool:
    """Whether the query says so."""
    given = query.get(name, "false")
    if given not in ("true", "false"):
        raise _BadRequest(f"{name} is true or false")
    return given == "true"


def _one_of(kind: type[Named], query: Mapping[str, str], name: str) -> Named | None:
    """The member of an enumeration that the query names, if it names one."""
    given = query.get(name)
    try:
        return None if given is None else kind(given)
    except ValueError:
        raise _BadRequest(f"{name} is one of {', '.join(each.value for each in kind)}") from None


def _question_of(body: bytes) -> _Question:
    """The statement that a question's body holds, its ceiling and its bounds."""
    asked = _read(body)
    if not isinstance(asked, dict) or not isinstance(asked.get("sql"), str):
        raise _BadRequest("the body is a JSON object with sql, and where they are wanted limit, as_of, available_as_of")
    limit = asked.get("limit", ROWS_DEFAULT)
    if type(limit) is not int or limit < 1:
        raise _BadRequest("limit is a whole number of rows")
    return _Question(asked["sql"], limit, _bound_of(asked, "as_of"), _bound_of(asked, "available_as_of"))


def _bound_of(asked: dict[str, Any], name: str) -> int | None:
    bound = asked.get(name)
    at_ms = bound_time.bound_ms(bound) if isinstance(bound, str) else None
    if bound is not None and at_ms is None:
        raise _BadRequest(f"{name} is a day, or a UTC instant such as 2026-03-01T00:00:00Z")
    return at_ms


def _refused(status: int, name: str, message: str, facts: Mapping[str, Any] | None = None) -> JSONResponse:
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({"refusal": name, "message": message, **(facts or {})}, status, headers)


def _facts(refusal: ContextfulError) -> dict[str, Any]:
    """What a refusal knows, as JSON has it; what it has no text for goes unsaid."""
    facts = {"clause": refusal.clause, **{field.name: getattr(refusal, field.name) for field in fields(refusal)}}
    return {name: fact for name, fact in facts.items() if isinstance(fact, str | int | bool | None)}


async def _clause(request: Request) -> Response:
    """What a clause of the contract states; the contract is nobody's secret."""
    clause = request.path_params["clause"]
    if clause not in STATEMENTS:
        return _refused(404, "NotServed", "the contract has no such clause")
    return JSONResponse({"id": clause, "statement": STATEMENTS[clause]})


async def _health(request: Request) -> Response:  # noqa: ARG001 (a route is given its request)
    return JSONResponse({"status": "ok"})


async def _openapi(request: Request) -> Response:  # noqa: ARG001 (as above)
    return JSONResponse(openapi.PAGE)


async def _unserved(request: Request, error: Exception) -> Response:  # noqa: ARG001 (as above)
    assert isinstance(error, HTTPException)
    return _refused(error.status_code, "NotServed", error.detail)
