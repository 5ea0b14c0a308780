"""Child processes within a step, and what a stop makes of them."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import contextful
from contextful.adapters.system import SystemWorld
from contextful.runner import child
from contextful_contract.shapes import RunStatus

STUBBORN = """
import os, signal, subprocess, sys, time
ignores = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)"
grandchild = subprocess.Popen([sys.executable, "-c", ignores])
signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open(sys.argv[1], "w") as file:
    file.write(f"{os.getpid()} {grandchild.pid}")
time.sleep(60)
"""


@pytest.fixture
def engine(tmp_path: Path) -> contextful.Engine:
    return contextful.Engine.open(tmp_path / "engine")


def python(program: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", program, *arguments]


def lives(pid: int) -> bool:
    """Whether the process does anything: one that nobody has asked after is dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except FileNotFoundError:
        return False


def begun(pids: Path) -> list[int]:
    """The child and the grandchild, once they are at work."""
    while not pids.exists() or not pids.read_text():  # ends: the child writes it as it begins
        time.sleep(0.01)
    return [int(pid) for pid in pids.read_text().split()]


def test_a_child_is_given_its_input_and_its_output_is_recorded(engine: contextful.Engine) -> None:
    with engine, engine.execution("scope", "plan") as run:
        command = python("import sys; print(sys.stdin.read().upper(), end='')")
        said = run.step("shout", lambda: run.child(command, given=b"hello"))

    assert said == b"HELLO"


def test_a_child_may_write_more_than_a_pipe_holds(engine: contextful.Engine) -> None:
    with engine, engine.execution("scope", "plan") as run:
        said = run.step("much", run.child, python("import sys; sys.stderr.write('e' * 300_000); print('x' * 300_000)"))

    assert len(said) == 300_001


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("import sys; print('no such table', file=sys.stderr); sys.exit(3)", "left with 3: no such table"),
        ("import os; os.kill(os.getpid(), 9)", "was ended by signal 9"),
    ],
)
def test_a_child_that_fails_fails_its_step_and_says_what_it_said(
    engine: contextful.Engine, program: str, says: str
) -> None:
    with engine, pytest.raises(contextful.StepFailed, match=says), engine.execution("scope", "plan") as run:
        run.step("fail", run.child, python(program))


def test_a_command_that_is_none_fails_its_step_by_its_name(engine: contextful.Engine) -> None:
    with engine, pytest.raises(contextful.StepFailed, match="nowhere"), engine.execution("scope", "plan") as run:
        run.step("fail", run.child, ["nowhere/at/all"])


@pytest.mark.parametrize("command", ["echo", b"echo", ["echo", 1]])
def test_a_command_that_is_no_list_of_words_is_refused(engine: contextful.Engine, command: Any) -> None:
    with engine, engine.execution("scope", "plan") as run, pytest.raises(TypeError, match="a list of words"):
        run.child(command)


@pytest.mark.clause("run.cancel.child-reaped")
def test_a_stop_ends_children_that_ignore_it_and_theirs_before_the_run_is_canceled(
    engine: contextful.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "GRACE_MS", 200)
    pids = tmp_path / "pids"
    seen: list[bool] = []

    def status() -> RunStatus:
        run = engine.run("run-1")
        assert run is not None
        return run.status

    def stop() -> None:
        started = begun(pids)
        engine.stop("run-1")
        while status() is RunStatus.RUNNING:  # ends: the run is canceled
            time.sleep(0.005)
        seen.extend(lives(pid) for pid in started)

    person = threading.Thread(target=stop)
    person.start()
    with pytest.raises(contextful.Stopped), engine.execution("scope", "plan", run_id="run-1") as run:
        run.step("train", run.child, python(STUBBORN, str(pids)))
    person.join()

    assert seen == [False, False]
    assert status() is RunStatus.CANCELED
    engine.close()


def test_an_interrupted_wait_leaves_no_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "GRACE_MS", 200)
    engine = contextful.Engine.open(tmp_path / "still", world=SystemWorld(now_ms=0))  # whose clock does not move
    pids = tmp_path / "pids"

    def press() -> None:
        begun(pids)
        os.kill(os.getpid(), 2)

    person = threading.Thread(target=press)
    person.start()
    with pytest.raises(KeyboardInterrupt), engine.execution("scope", "plan") as run:
        run.step("train", run.child, python(STUBBORN, str(pids)))
    person.join()

    assert not any(lives(pid) for pid in begun(pids))
    engine.close()
