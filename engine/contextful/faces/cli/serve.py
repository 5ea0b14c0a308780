"""`contextful serve`: the served face over a project's stores."""

from __future__ import annotations

import signal
import socket  # noqa: TID251 (for the one option of the socket that is served)
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextful.faces import embedded, manifest, profile
from contextful.faces.cli.carry import before
from contextful.faces.cli.options import HERE, Folder, Now, extra, world
from contextful.kernel.failure import Failed, Failure
from contextful_contract.shapes import FailureTag

if TYPE_CHECKING:
    from starlette.applications import Starlette

HEADERS_BYTES_MAX = 16 << 10
IDLE_S = 5


def serve(
    public_key: Annotated[
        Path,
        typer.Option("--public-key", help="The issuer's public key, from `contextful token keygen`.", dir_okay=False),
    ],
    audience: Annotated[str, typer.Option(help="Whom credentials have to be made out to: this face's address, say.")],
    project: Folder = HERE,
    host: Annotated[
        str, typer.Option(help="The address to listen at; another machine reaches no loopback.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 takes one that is free.")] = 8787,
    result_cache_bytes: Annotated[
        int, typer.Option(min=0, help="How many bytes of answers to keep, about tables that declare `result_cache`.")
    ] = 0,
    now: Now = None,
) -> None:
    """Serve a folder's runs, and the tables of its project, over HTTP, to whoever holds a credential."""
    with extra("serve"):
        import uvicorn  # noqa: F401 (so that what is missing is said before anything is opened)

    issuer = read(public_key)
    with current(project, now) as served:
        if isinstance(served, profile.Project):
            served.tables.keep_answers(result_cache_bytes)
        application = served.served(issuer, audience=audience, path=str(public_key))
        listen(application, host, port, lambda at: f"serving {project.absolute()} at {at}")


def listen(application: Starlette, host: str, port: int, says: Callable[[str], str]) -> None:
    """Serve until the process is told to stop; what is said of the address goes to standard error."""
    import uvicorn

    from contextful.faces.serve.connection import Connection

    config = uvicorn.Config(
        application,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        h11_max_incomplete_event_size=HEADERS_BYTES_MAX,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=IDLE_S,
        http=Connection,
        ws="websockets-sansio",
        ws_max_size=HEADERS_BYTES_MAX,
    )
    for stops in (signal.SIGINT, signal.SIGTERM):  # the server hears them, and hands them on as it ends
        signal.signal(stops, signal.SIG_IGN)
    try:
        listening = config.bind_socket()
        # Head and body leave as they are written: else the body waits 40 ms for the client to acknowledge the head.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.listen(config.backlog)  # so that whoever reads the next line can connect
    except (OSError, SystemExit) as error:
        raise Failed(Failure(FailureTag.CONFIG, f"nobody can listen at {host}:{port}")) from error
    with listening:
        at, bound_port = listening.getsockname()[:2]
        typer.echo(says(f"http://{at}:{bound_port}"), err=True)
        uvicorn.Server(config).run(sockets=[listening])


def opened(folder: Path, now: int | None) -> profile.Project | embedded.Engine:
    """The folder's project; where it declares none, the executions that it holds."""
    if (folder / manifest.MANIFEST).exists():
        return profile.Project.open(folder, world=world(now))
    return embedded.Engine.at(folder, world=world(now))


def current(folder: Path, now: int | None) -> profile.Project | embedded.Engine:
    """The same, its store brought up to what its bucket has, where that is asked for."""
    found = opened(folder, now)
    try:
        before(found.carrying() if isinstance(found, profile.Project) else None)
    except BaseException:
        found.close()
        raise
    return found


def read(path: Path) -> bytes:
    """A key's file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise Failed(Failure(FailureTag.CONFIG, f"{path} cannot be read: {error.strerror}")) from None
