"""The console's files, which anyone may read: what they show is asked for with a credential."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
FILES = ("index.html", "console.css", "main.js", "api.js", "view.js", "runs.js", "run.js", "parts.js")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


def routes() -> list[Route]:
    """The page at `/`, and what it loads."""
    return [
        Route("/" if name == "index.html" else f"/console/{name}", _file(name), include_in_schema=False)
        for name in FILES
    ]


def _file(name: str) -> Callable[[Request], Awaitable[Response]]:
    content = files("contextful.faces").joinpath("console", name).read_bytes()
    kind = KINDS[name[name.rindex(".") :]]

    async def answer(request: Request) -> Response:  # noqa: ARG001 (a route is given its request)
        return Response(content, headers=HEADERS, media_type=kind)

    return answer
