"""The page that describes the served face's routes, as OpenAPI has it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

Page = dict[str, Any]


REFUSAL: Page = {"$ref": "#/components/responses/Refusal"}
ANYWHERE = (400, 401, 408, 413, 503)


def _answers(*statuses: int, ok: str) -> Page:
    """The answers of a route: what it gives, and the refusals that it may give instead."""
    refusals = {str(status): REFUSAL for status in (*ANYWHERE, *statuses)}
    return {"200": {"description": ok, "content": {"application/json": {}}}, **refusals}


def _anyone(summary: str) -> Page:
    """A route that takes no credential."""
    return {"get": {"summary": summary, "security": [], "responses": {"200": {"description": summary}}}}


def _path(name: str) -> Page:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _body(schema: Page, *, required: bool) -> Page:
    return {"required": required, "content": {"application/json": {"schema": schema}}}


STOP = {
    "type": "object",
    "properties": {
        "scope": {"type": "string", "enum": ["run", "pipeline"]},
        "reason": {"type": ["string", "null"]},
    },
}
QUESTION = {
    "type": "object",
    "required": ["sql"],
    "properties": {
        "sql": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1},
        "as_of": {"type": ["string", "null"]},
        "available_as_of": {"type": ["string", "null"]},
    },
}
REWIND = {
    "type": "object",
    "required": ["reason"],
    "properties": {"reason": {"type": "string"}, "force": {"type": "boolean"}},
}
PAGE: Page = {
    "openapi": "3.1.0",
    "info": {"title": "contextful", "version": "1", "description": "The runs that a store holds, over HTTP."},
    "security": [{"bearer": []}],
    "paths": {
        "/awake/{token}": {
            "parameters": [_path("token")],
            "post": {
                "summary": "Answer the run that waits under the token.",
                "requestBody": _body({}, required=True),
                "responses": _answers(404, 409, 410, ok="The payload that is on record."),
            },
            "get": {
                "summary": "Where the awakeable of the token stands.",
                "responses": _answers(404, ok="Its state, and its deadline."),
            },
        },
        "/runs": {
            "get": {
                "summary": "The latest runs of the pipelines that the credential covers.",
                "parameters": [
                    {"name": "pipeline", "in": "query", "schema": {"type": "string"}},
                    {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1}},
                    {"name": "since", "in": "query", "schema": {"type": "string"}},
                    {"name": "before", "in": "query", "schema": {"type": "string"}, "description": "A run's id."},
                    {"name": "status", "in": "query", "schema": {"type": "string"}},
                    {"name": "error", "in": "query", "schema": {"type": "string"}},
                    {
                        "name": "whole",
                        "in": "query",
                        "schema": {"type": "boolean"},
                        "description": "Only runs that are no part of another, as an item is of its job's fire.",
                    },
                ],
                "responses": _answers(403, ok="The runs, newest first."),
            }
        },
        "/runs/{run_id}": {
            "parameters": [_path("run_id")],
            "get": {"summary": "One run.", "responses": _answers(403, ok="The run.")},
        },
        "/runs/{run_id}/steps": {
            "parameters": [_path("run_id")],
            "get": {
                "summary": "What the run's execution has recorded so far, without the values.",
                "responses": _answers(403, ok="Each step's label, state and size."),
            },
        },
        "/runs/{run_id}/parts": {
            "parameters": [_path("run_id")],
            "get": {
                "summary": "What the run's execution is made of: the items of a job, the origins of a sweep, landings.",
                "parameters": [
                    {"name": "kind", "in": "query", "schema": {"type": "string"}},
                    {"name": "status", "in": "query", "schema": {"type": "string"}},
                    {"name": "after", "in": "query", "schema": {"type": "string"}},
                    {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1}},
                ],
                "responses": _answers(403, ok="How many of each kind stand how, and each by its last attempt."),
            },
        },
        "/runs/{run_id}/stream": {
            "parameters": [
                _path("run_id"),
                {"name": "from", "in": "query", "schema": {"type": "string", "enum": ["oldest"]}},
            ],
            "get": {
                "summary": "The run's snapshots as server-sent events; down a socket, where it is upgraded.",
                "responses": {
                    "200": {"description": "Snapshots, up to the run's end.", "content": {"text/event-stream": {}}},
                    "401": REFUSAL,
                    "404": REFUSAL,
                },
            },
        },
        "/runs/{run_id}/output": {
            "parameters": [
                _path("run_id"),
                {"name": "reference", "in": "query", "required": True, "schema": {"type": "string"}},
            ],
            "get": {
                "summary": "What a step returned, by the reference that the stream shows.",
                "responses": _answers(403, 404, ok="The output, as it is recorded."),
            },
        },
        "/runs/{run_id}/awakeables": {
            "parameters": [_path("run_id")],
            "get": {
                "summary": "What the run waits for, with the tokens that answer it.",
                "responses": _answers(403, ok="Each by its label, its token, and its deadline."),
            },
        },
        "/runs/{run_id}/rewind": {
            "parameters": [_path("run_id")],
            "post": {
                "summary": "Give up the pending work that the run was at.",
                "requestBody": _body(REWIND, required=True),
                "responses": _answers(403, 409, ok="The id of the execution that is no more."),
            },
        },
        "/runs/{run_id}/stop": {
            "parameters": [_path("run_id")],
            "post": {
                "summary": "Ask a run, or all that its pipeline has in flight, to stop.",
                "requestBody": _body(STOP, required=False),
                "responses": _answers(403, 409, ok="The ids of the runs that were marked."),
            },
        },
        "/query": {
            "post": {
                "summary": "What one SELECT answers, of the tables that the credential covers.",
                "requestBody": _body(QUESTION, required=True),
                "responses": _answers(404, ok="The columns, the rows, and whether there are more."),
            }
        },
        "/metrics": {
            "get": {
                "summary": "Counters in the text format of Prometheus.",
                "responses": {**_answers(ok="The counters."), "200": {"description": "The counters."}},
            }
        },
        "/clauses/{clause}": {
            "parameters": [_path("clause")],
            "get": {
                "summary": "What a clause of the contract states.",
                "security": [],
                "responses": {"200": {"description": "Its statement."}, "404": REFUSAL},
            },
        },
        "/health": _anyone("Whether this face answers."),
        "/openapi.json": _anyone("This page."),
    },
    "components": {
        "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        "responses": {
            "Refusal": {
                "description": "A refusal: its name, its sentence, and the facts that it is about.",
                "content": {
                    "application/json": {
                        "schema": {
                            "type": "object",
                            "required": ["refusal", "message"],
                            "properties": {"refusal": {"type": "string"}, "message": {"type": "string"}},
                        }
                    }
                },
            }
        },
    },
}


def misasked(route: str, names: Iterable[str]) -> str | None:
    """What is wrong with a question of these names behind a route's `?`: the route takes what its description has."""
    takes = _takes(route)
    for name in names:
        if name not in takes:
            told = f"it takes {', '.join(takes)}" if takes else "it takes none"
            return f"{route} takes no parameter {name[:80]!r}: {told}"
    return None


@cache
def _takes(route: str) -> tuple[str, ...]:
    """The names that a route takes behind its `?`; the route as the contract spells it."""
    path = PAGE["paths"][re.sub(r":(\w+)", r"{\1}", route)]
    described = [path, *(each for each in path.values() if isinstance(each, dict))]
    parameters = [parameter for each in described for parameter in each.get("parameters", ())]
    return tuple(parameter["name"] for parameter in parameters if parameter["in"] == "query")
