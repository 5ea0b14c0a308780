"""`contextful pipeline serve`: pipelines that fire by their schedules, each in a process of its own."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from contextful.faces import profile

PIPELINE = """
[[pipeline]]
id = "{id}"
{schedule}
[pipeline.source]
name = "{source}"
config = {config}
[[pipeline.tables]]
name = "orders"
"""
FILES = '{ path = "data/*.ndjson", format = "ndjson" }'
PATIENCE_S = 30


def project(folder: Path, *pipelines: str) -> Path:
    """A folder whose manifest declares these pipelines, and the file that they read."""
    (folder / "data").mkdir()
    (folder / "data" / "it.ndjson").write_text('{"id": 1}\n')
    text = 'site_id = "here"\n[project]\nname = "shop"\n' + "".join(pipelines)
    (folder / "contextful.toml").write_text(text)
    return folder


def pipeline(name: str, schedule: str = "", source: str = "file", config: str = FILES) -> str:
    """A block of the manifest."""
    written = f'schedule = "{schedule}"' if schedule else ""
    return PIPELINE.format(id=name, schedule=written, source=source, config=config)


def cycle(folder: Path) -> tuple[int, dict[str, object], str]:
    """How one cycle leaves, what it answers, and what it says to people."""
    command = [sys.executable, "-m", "contextful", "pipeline", "serve", "--cycle", "--project", str(folder)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    return ended.returncode, json.loads(ended.stdout), ended.stderr


def test_a_cycle_fires_what_is_due_and_says_when_the_next_is(tmp_path: Path) -> None:
    folder = project(tmp_path, pipeline("shop", "every 1h"), pipeline("books"))

    first, second = cycle(folder), cycle(folder)

    assert (first[0], first[1]["fired"], first[1]["failed"], first[1]["unarmed"]) == (0, ["shop"], [], ["books"])
    assert (second[0], second[1]["fired"], second[1]["next_due"]) == (0, [], first[1]["next_due"])
    with profile.Project.open(folder) as opened:
        assert [run.pipeline_id for run in opened.engine.history()] == ["shop"]


def test_a_job_with_a_schedule_is_fired_by_its_kind(tmp_path: Path) -> None:
    jobs = """
[[job]]
name = "count"
body = "count"
statement = "SELECT 1 AS id"
max_in_flight = 1
schedule = "every 1h"
tables = ["counts"]
[[job]]
name = "check"
kind = "validate"
schedule = "every 1h"
"""
    folder = project(tmp_path, jobs)
    (folder / "bodies.py").write_text(
        "import contextful\n\n@contextful.body('count')\ndef count(row):\n    row.emit('counts', {'id': row['id']})\n"
    )

    first, second = cycle(folder), cycle(folder)

    assert (first[0], first[1]["fired"], first[1]["failed"]) == (0, ["job:check", "job:count"], [])
    assert second[1]["fired"] == ["job:check"], "of which no run is on record: it is due as it is armed"


def test_a_schedule_that_cannot_be_read_is_named_and_the_others_fire(tmp_path: Path) -> None:
    folder = project(tmp_path, pipeline("shop", "every 1h"), pipeline("books", "@hourly"))

    code, answer, said = cycle(folder)

    assert (code, answer["fired"], answer["armed"]) == (1, ["shop"], 1)
    assert "ScheduleUnreadable: The schedule @hourly of books cannot be read" in said


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


def test_a_served_project_that_is_told_to_end_ends_the_runs_that_it_fired(tmp_path: Path, silent: str) -> None:
    config = f'{{ endpoint = "{silent}" }}'
    folder = project(tmp_path, pipeline("slow", "every 1h", "http", config))
    command = [sys.executable, "-m", "contextful", "pipeline", "serve", "--project", str(folder)]
    serving = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    with profile.Project.open(folder) as opened:
        for _ in range(PATIENCE_S * 50):  # until the run is in its pull: before that, a signal may be as good as a kill
            if any(opened.engine.steps(run.execution_id) for run in opened.engine.history()):
                break
            time.sleep(0.02)

        serving.send_signal(signal.SIGTERM)
        said = serving.communicate(timeout=PATIENCE_S)[1]

        assert serving.returncode == 143
        assert [run.status for run in opened.engine.history()] == ["canceled"]
        assert "slow: left with 143" in said
