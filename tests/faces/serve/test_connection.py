"""The served face before clients that send slowly, stop half-way, or send what is no request."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.applications import Starlette

import contextful
from contextful.adapters import jose
from contextful.faces.cli.serve import listen

Address = tuple[str, int]
PATIENCE_S = 30
# Headers that do not come are waited for 10 s, and 5 s after a request; here, for less.
SERVES = """
import sys
from contextful.faces.serve import connection
from contextful.faces.cli import run
connection.HEADERS_S = 0.3
sys.modules["contextful.faces.cli.serve"].IDLE_S = 1
sys.exit(run(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """A face that listens."""
    folder = tmp_path_factory.mktemp("served")
    contextful.Engine.open(folder).close()
    _, public = jose.keys()
    (folder / "issuer.pub").write_bytes(public)
    options = [
        "--public-key",
        str(folder / "issuer.pub"),
        "--audience",
        "here",
        "--project",
        str(folder),
        "--port",
        "0",
    ]
    with subprocess.Popen(
        [sys.executable, "-c", SERVES, "serve", *options], stderr=subprocess.PIPE, text=True
    ) as serving:
        assert serving.stderr is not None
        found = re.search(r"http://(.*):(\d+)", serving.stderr.readline())
        assert found is not None
        yield found[1], int(found[2])
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(PATIENCE_S) == 0


def sent(address: Address, content: bytes, *, ends: bool = False) -> bytes:
    """All that is answered to these bytes, up to where the face closes; `ends` says that no more are to come."""
    with socket.create_connection(address, timeout=PATIENCE_S) as client:
        client.sendall(content)
        if ends:
            client.shutdown(socket.SHUT_WR)
        answer = b""
        while received := client.recv(1 << 16):  # ends: the face closes
            answer += received
    return answer


def posted(address: Address, *headers: str, body: bytes = b"", ends: bool = False) -> bytes:
    head = "\r\n".join(("POST /awake/token HTTP/1.1", "host: here", "connection: close", *headers, "", ""))
    return sent(address, head.encode() + body, ends=ends)


def test_a_request_without_a_credential_is_answered_before_its_body_comes(address: Address) -> None:
    answer = posted(address, "content-length: 4000000")

    assert answer.startswith(b"HTTP/1.1 401 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["refusal"] == "Unauthenticated"


def test_a_connection_whose_headers_do_not_come_is_closed(address: Address) -> None:
    assert sent(address, b"GET /health HTTP/1.1\r\nhost: here\r\nx-slow: ") == b""


def test_a_connection_that_says_nothing_is_closed(address: Address) -> None:
    assert sent(address, b"") == b""


def test_a_second_request_whose_headers_do_not_come_is_not_waited_for(address: Address) -> None:
    answer = sent(address, b"GET /health HTTP/1.1\r\nhost: here\r\n\r\nGET /health HT")

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.count(b"HTTP/1.1 200 ") == 1


@pytest.mark.parametrize(
    "content",
    [
        b"no request\r\n\r\n",
        b"GET /health HTTP/1.1\r\nhost: here\r\nx: " + b"y" * (1 << 16),
        b"POST /awake/token HTTP/1.1\r\nhost: here\r\ncontent-length: -1\r\n\r\n",
        b"POST /awake/token HTTP/1.1\r\nhost: here\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
    ids=["no request", "headers without end", "a negative length", "two lengths", "a handshake of TLS"],
)
def test_what_is_no_request_is_answered_400(address: Address, content: bytes) -> None:
    answer = sent(address, content, ends=True)

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"Traceback" not in answer


@pytest.mark.parametrize("framing", ["content-length: 10", "transfer-encoding: chunked"], ids=["a length", "chunks"])
def test_a_body_that_ends_half_way_harms_nobody(address: Address, framing: str) -> None:
    assert b" 200 " not in posted(address, framing, body=b'5\r\n"ye', ends=True)

    assert sent(address, b"GET /health HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n").endswith(
        b'{"status":"ok"}'
    )


def test_an_answer_s_body_does_not_wait_until_its_head_is_acknowledged(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once: list[int] = []

    def run(_: uvicorn.Server, sockets: list[socket.socket]) -> None:
        with socket.create_connection(sockets[0].getsockname()), sockets[0].accept()[0] as accepted:
            at_once.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(uvicorn.Server, "run", run)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    listen(Starlette(), "127.0.0.1", 0, str)

    assert at_once != [0]
