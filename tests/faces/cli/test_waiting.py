"""Runs that are answered and stopped from another terminal."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import contextful
from contextful.faces.cli import run
from contextful.testing import SkippingWorld
from contextful.testing.clock import START_MS
from contextful_contract.shapes import RunStatus

Captured = pytest.CaptureFixture[str]
PATIENCE_S = 60


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that an engine keeps its state in."""
    return tmp_path / "desk"


def suspended(folder: Path, *, ttl: str = "24h") -> str:
    """The token of a run that has closed to wait for an approval."""
    with contextful.Engine.open(folder, world=SkippingWorld()) as engine:
        run = engine.execution("order-7", "plan", run_id="run-a")
        approval = run.awakeable("approve", ttl=ttl)
        with pytest.raises(contextful.Suspended), run:
            approval.wait()
    return approval.token


def awake(folder: Path, token: str, *, answer: str, now: str = "2026-03-01T08:00:00Z") -> int:
    """The exit code of the command, given this answer in a file."""
    payload = folder / "answer.json"
    payload.write_text(answer)
    return run(["run", "awake", token, "--payload", str(payload), "--now", now, "--project", str(folder)])


@pytest.mark.clause("run.suspend.awakeable")
def test_an_answer_is_posted_and_the_one_on_record_is_printed(folder: Path, capsys: Captured) -> None:
    token = suspended(folder)

    assert awake(folder, token, answer='{"approved": true, "by": "Zoë"}') == 0

    assert capsys.readouterr().out == '{"approved": true, "by": "Zoë"}\n'
    with contextful.Engine.open(folder, world=SkippingWorld(now_ms=START_MS + 1)) as engine:
        assert engine.execution("order-7", "plan").wait("approve") == {"approved": True, "by": "Zoë"}


def test_an_answer_may_come_from_standard_input(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = suspended(folder, ttl="3650d")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'"yes"')))

    assert run(["run", "awake", token, "--payload", "-", "--project", str(folder)]) == 0

    assert capsys.readouterr().out == '"yes"\n'


def test_what_is_read_as_json_is_no_object_of_ours(folder: Path) -> None:
    """A payload comes from outside: it names no class that reading it would import."""
    token = suspended(folder)
    answer = {"$dataclass": ["subprocess:Popen", {"args": "true"}]}

    assert awake(folder, token, answer=json.dumps(answer)) == 0

    with contextful.Engine.open(folder, world=SkippingWorld(now_ms=START_MS + 1)) as engine:
        assert engine.execution("order-7", "plan").wait("approve") == answer


REFUSED = {
    "a token that nobody minted": ("awk-0", '"yes"', "2026-03-01T08:00:00Z", "AwakeableUnknown: "),
    "a deadline that has passed": (None, '"yes"', "2026-03-02T00:00:01Z", "AwakeableTimedOut: "),
    "what is no JSON": (None, "yes", "2026-03-01T08:00:00Z", "Config: "),
}


@pytest.mark.parametrize(("token", "answer", "now", "says"), REFUSED.values(), ids=REFUSED.keys())
def test_an_answer_that_is_not_taken_says_why(
    folder: Path, capsys: Captured, token: str | None, answer: str, now: str, says: str
) -> None:
    minted = suspended(folder)

    assert awake(folder, token or minted, answer=answer, now=now) == 1

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(says)


@pytest.mark.clause("run.suspend.conflicting-resolution")
def test_another_answer_is_not_taken(folder: Path, capsys: Captured) -> None:
    token = suspended(folder)
    awake(folder, token, answer='"yes"')

    assert awake(folder, token, answer='"no"') == 1
    assert capsys.readouterr().err.startswith("AwakeableAlreadyResolved: ")
    assert awake(folder, token, answer='"yes"', now="2026-03-09T00:00:00Z") == 0


@pytest.mark.clause("run.cancel.not-in-flight")
def test_a_stop_says_what_it_was_asked_of_or_that_there_is_nothing_to_stop(folder: Path, capsys: Captured) -> None:
    suspended(folder)
    command = ["run", "cancel", "run-a", "--reason", "enough", "--project", str(folder)]

    assert run(command) == 0
    assert capsys.readouterr().out == "run-a: stop requested\n"
    assert run(command) == 1
    assert capsys.readouterr().err.startswith("CancelTargetNotInFlight: Run run-a is not in flight")
    run(["run", "show", "run-a", "--project", str(folder)])
    shown = json.loads(capsys.readouterr().out)
    assert (shown["status"], shown["stop"]["scope"], shown["stop"]["reason"]) == ("canceled", "run", "enough")


class Hanging(BaseHTTPRequestHandler):
    """Answers page 1, and leaves whoever asks for page 2 waiting until the server says so."""

    server: Server

    def do_GET(self) -> None:
        """Serve a page."""
        page = int(self.path.rpartition("page=")[2])
        self.server.asked.append(page)
        if page == 2:
            self.server.reached.set()
            self.server.goes_on.wait(PATIENCE_S)
        body = json.dumps([{"id": page}] if page < 3 else []).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


class Server(ThreadingHTTPServer):
    """A server of three pages."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Hanging)
        self.asked: list[int] = []
        self.reached = threading.Event()
        self.goes_on = threading.Event()


@pytest.fixture
def server() -> Iterator[Server]:
    """The server, which hangs at page 2."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.goes_on.set()
    server.shutdown()
    server.server_close()
    thread.join()


MANIFEST = """\
site_id = "here"

[project]
name = "shop"

[[pipeline]]
id = "shop"
source.name = "http"

[pipeline.source.config]
endpoint = "http://127.0.0.1:{port}/orders"
pagination = {{ by = "page", param = "page" }}

[[pipeline.tables]]
name = "orders"
"""


@pytest.mark.clause("run.cancel.one-token")
@pytest.mark.clause("run.cancel.resumable-remains")
def test_a_pull_that_hangs_is_abandoned_and_the_next_run_goes_on_from_what_was_recorded(
    tmp_path: Path, server: Server, capsys: Captured
) -> None:
    (tmp_path / "contextful.toml").write_text(MANIFEST.format(port=server.server_port))
    project = ["--project", str(tmp_path)]
    at_work = subprocess.Popen(
        [sys.executable, "-m", "contextful", "pipeline", "run", "shop", "--run-id", "run-1", *project],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert server.reached.wait(PATIENCE_S)

    assert run(["run", "cancel", "run-1", "--reason", "too slow", *project]) == 0
    said, _ = at_work.communicate(timeout=PATIENCE_S)

    assert (at_work.returncode, said.startswith("run-1: canceled, a stop of scope run was asked at")) == (1, True)
    with contextful.Engine.open(tmp_path) as engine:
        stopped = engine.run("run-1")
    assert stopped is not None
    assert stopped.status is RunStatus.CANCELED
    server.goes_on.set()
    capsys.readouterr()
    assert run(["pipeline", "run", "shop", "--run-id", "run-2", *project]) == 0
    assert capsys.readouterr().out.startswith("run-2: success, 2 rows")
    assert server.asked == [1, 2, 2, 3]


@pytest.mark.clause("run.cancel.abandoned-work")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)], ids=["SIGTERM", "SIGINT"])
def test_a_process_that_is_asked_to_end_closes_its_run_and_frees_its_scope(
    tmp_path: Path, server: Server, capsys: Captured, sent: signal.Signals, code: int
) -> None:
    (tmp_path / "contextful.toml").write_text(MANIFEST.format(port=server.server_port))
    project = ["--project", str(tmp_path)]
    at_work = subprocess.Popen(
        [sys.executable, "-m", "contextful", "pipeline", "run", "shop", "--run-id", "run-1", *project],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert server.reached.wait(PATIENCE_S)

    at_work.send_signal(sent)
    _, said = at_work.communicate(timeout=PATIENCE_S)

    assert (at_work.returncode, "Canceled: " in said) == (code, True)
    server.goes_on.set()
    assert run(["pipeline", "run", "shop", "--run-id", "run-2", *project]) == 0
    capsys.readouterr()
    assert run(["run", "show", "run-1", *project]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "canceled"


BUSY = """site_id = "local"

[project]
name = "shop"

[[pipeline]]
id = "shop"
source.name = "command"
source.config = { command = ["sh", "-c", "cat answer.json"] }

[[pipeline.tables]]
name = "orders"
"""


@pytest.mark.clause("run.retry.waiting-state")
def test_a_run_that_waits_leaves_neither_well_nor_badly_and_says_until_when(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "contextful.toml").write_text(BUSY)
    failure = {"tag": "RateLimited", "message": "slow down", "retry_after_ms": 900_000}
    (tmp_path / "answer.json").write_text(json.dumps({"error": failure}))
    command = ["pipeline", "run", "shop", "--run-id", "run-1"]

    left = run([*command, "--now", "2026-03-01T08:00:00Z"])

    said = capsys.readouterr().out

    assert (left, said.startswith("run-1: waiting for its next attempt at 2026-03-01T08:15:00Z")) == (75, True)


def test_a_run_goes_on_when_nobody_reads_its_progress_any_more(tmp_path: Path, server: Server) -> None:
    (tmp_path / "contextful.toml").write_text(MANIFEST.format(port=server.server_port))
    server.goes_on.set()
    unread, written = os.pipe()
    os.close(unread)

    ended = subprocess.run(
        [sys.executable, "-m", "contextful", "pipeline", "run", "shop", "--run-id", "run-1", "--project", tmp_path],
        stdout=written, stderr=written, env={"PYTHONPATH": ":".join(sys.path)}, check=False, timeout=PATIENCE_S,
    )  # fmt: skip
    os.close(written)

    with contextful.Engine.open(tmp_path) as engine:
        landed = engine.run("run-1")
    assert landed is not None
    assert (ended.returncode, landed.status) == (1, RunStatus.SUCCESS)
