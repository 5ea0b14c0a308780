"""The console's files, which anyone may read: what they show is asked for with a credential."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
PAGE = "index.html"
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
        Route("/" if each.name == PAGE else f"/console/{each.name}", _file(each), include_in_schema=False)
        for each in files("contextful.faces").joinpath("console").iterdir()
        if each.name.endswith(tuple(KINDS))
    ]


def _file(file: Traversable) -> Callable[[Request], Awaitable[Response]]:
    content = file.read_bytes()
    kind = KINDS[file.name[file.name.rindex(".") :]]

    async def answer(request: Request) -> Response:  # noqa: ARG001 (a route is given its request)
        return Response(content, headers=HEADERS, media_type=kind)

    return answer
