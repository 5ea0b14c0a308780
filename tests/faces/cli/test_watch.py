"""A run that is watched from another terminal."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import contextful
from contextful.faces.cli import run

Captured = pytest.CaptureFixture[str]


def watch(folder: Path, run_id: str) -> int:
    return run(["run", "watch", run_id, "--project", str(folder)])


def test_a_run_is_watched_to_its_end(tmp_path: Path, capsys: Captured) -> None:
    with contextful.Engine.open(tmp_path) as engine:
        body = engine.execution("scope", "plan", run_id="r-1")
        body.step("fetch", lambda: 1)
        codes: list[int] = []
        watching = threading.Thread(target=lambda: codes.append(watch(tmp_path, "r-1")))
        watching.start()
        body.step("parse", lambda: "x" * 40)
        body.leave(None)
        watching.join()

    told = capsys.readouterr().out
    assert codes == [0]
    assert "r-1: success at " in told.splitlines()[-1]


@pytest.mark.parametrize(
    ("ending", "code", "says"),
    [
        (contextful.Permanent("no\x1b[31m luck"), 1, "r-1: failed"),
        (contextful.Stopped("enough"), 1, "r-1: canceled"),
        (contextful.Suspended(label="fetch", until_ms=1), 0, "r-1: waiting"),
    ],
    ids=["failed", "canceled", "waiting"],
)
def test_a_run_that_has_ended_is_told_from_the_record(
    tmp_path: Path, capsys: Captured, ending: BaseException, code: int, says: str
) -> None:
    with contextful.Engine.open(tmp_path) as engine:
        body = engine.execution("scope", "plan", run_id="r-1")
        body.step("fetch", lambda: 1)
        body.leave(ending)

    assert watch(tmp_path, "r-1") == code

    told = capsys.readouterr().out
    assert "fetch: completed, 1 byte" in told
    assert says in told
    assert "\x1b" not in told


def test_a_run_that_never_was_is_refused_by_name(tmp_path: Path, capsys: Captured) -> None:
    contextful.Engine.open(tmp_path).close()

    assert watch(tmp_path, "r-9") == 1

    assert "no run is called r-9" in capsys.readouterr().err
