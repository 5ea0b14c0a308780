"""The stream of a run, over real sockets: whoever watches sees the run move, from this process or from another."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
import uvicorn
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import contextful
from contextful.adapters import jose
from contextful.adapters.memory import MemoryRows
from contextful.adapters.row_blobs import RowBlobs
from contextful.adapters.system import SystemWorld
from contextful.authority.issue import issue
from contextful_contract.shapes import GrantAction

PRIVATE, PUBLIC = jose.keys()
AUDIENCE = "http://here"
WAIT_S = 20


def bearer(*pipelines: str) -> dict[str, str]:
    credential = issue(
        id="credential-1",
        audience=AUDIENCE,
        now_ms=SystemWorld().now_ms(),
        ttl_ms=60_000,
        actions=[GrantAction.READ],
        pipelines=pipelines or ["*"],
        on_behalf_of="svc://test",
    )
    return {"authorization": f"Bearer {jose.sign(credential, jose.private_key(PRIVATE, path='issuer'))}"}


@contextmanager
def serving(engine: contextful.Engine) -> Iterator[str]:
    """The face over a socket of this machine: its address, without a scheme."""
    config = uvicorn.Config(
        engine.served(PUBLIC, audience=AUDIENCE), port=0, log_level="error", http="h11", ws="websockets-sansio"
    )
    with config.bind_socket() as listening:
        listening.listen()
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[contextful.Engine]:
    with contextful.Engine.open(tmp_path) as opened:
        yield opened


def test_a_socket_is_sent_snapshots_up_to_the_end_of_the_run(engine: contextful.Engine) -> None:
    engine.live()
    with serving(engine) as at, engine.execution("scope", "plan", run_id="r-1") as run:
        run.step("fetch", lambda: 1)

        with connect(f"ws://{at}/runs/r-1/stream", additional_headers=bearer(), open_timeout=WAIT_S) as socket:
            first = json.loads(socket.recv(WAIT_S))
            run.step("parse", lambda: 2)
            run.leave(None)
            last = [json.loads(text) for text in socket][-1]

    assert [step["label"] for step in first["steps"]] == ["fetch"]
    assert (last["status"], [step["status"] for step in last["steps"]]) == ("success", ["completed", "completed"])


def test_a_run_of_another_process_is_followed_through_the_record(engine: contextful.Engine, tmp_path: Path) -> None:
    with contextful.Engine.open(tmp_path) as other, serving(engine) as at:
        run = other.execution("scope", "plan", run_id="r-1")
        run.step("fetch", lambda: 1)

        with httpx.stream("GET", f"http://{at}/runs/r-1/stream", headers=bearer(), timeout=WAIT_S) as answer:
            events = (json.loads(line[6:]) for line in answer.iter_lines() if line.startswith("data: "))
            first = next(events)
            run.step("parse", lambda: 2)
            run.leave(None)
            last = list(events)[-1]

    assert (first["status"], [step["label"] for step in first["steps"]]) == ("running", ["fetch"])
    assert last["status"] == "success"


def test_a_snapshot_of_more_than_a_mebibyte_is_sent_whole() -> None:
    def refused() -> None:
        raise contextful.Permanent("no luck " * 300)

    rows, steps = MemoryRows(), [f"step-{number}" for number in range(600)]
    engine = contextful.Engine(rows, RowBlobs(rows), SystemWorld())
    engine.live()
    with engine, serving(engine) as at, engine.execution("scope", "plan", run_id="r-1") as run:
        for label in steps:
            with suppress(contextful.StepFailed):
                run.step(label, refused)
        run.leave(None)

        with connect(f"ws://{at}/runs/r-1/stream", additional_headers=bearer(), max_size=None) as socket:
            down_a_socket = list(socket)[-1]
        answer = httpx.get(f"http://{at}/runs/r-1/stream", headers=bearer(), timeout=WAIT_S)
        as_an_event = answer.text.strip().rpartition("data: ")[2]

    assert len(as_an_event) > 1 << 20
    assert json.loads(as_an_event) == json.loads(str(down_a_socket))
    assert [step["label"] for step in json.loads(as_an_event)["steps"]] == steps


@pytest.mark.parametrize(("pipelines", "status"), [(["other"], 404), (["*"], 404)], ids=["uncovered", "unknown"])
def test_a_run_that_is_not_covered_is_answered_as_one_that_never_was(
    engine: contextful.Engine, pipelines: list[str], status: int
) -> None:
    run_id = "r-1" if pipelines == ["other"] else "r-9"
    with engine.execution("scope", "plan", run_id="r-1"), serving(engine) as at:
        answer = httpx.get(f"http://{at}/runs/{run_id}/stream", headers=bearer(*pipelines))
        with pytest.raises(InvalidStatus) as refused:
            connect(f"ws://{at}/runs/{run_id}/stream", additional_headers=bearer(*pipelines))

    assert (answer.status_code, answer.json()["refusal"]) == (status, "NotServed")
    assert refused.value.response.status_code == status
