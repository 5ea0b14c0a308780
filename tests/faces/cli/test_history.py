"""`contextful run`: what it lists, by status, by error and page by page; and a run's steps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import contextful
from contextful.faces.cli import run
from contextful.testing import SkippingWorld
from contextful.testing.clock import START_MS

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which r-0 and r-2 succeeded, and r-1 failed after a step."""
    world = SkippingWorld()
    with contextful.Engine.open(tmp_path, world=world) as engine:
        for number in range(3):
            world.skip(1_000)
            try:
                with engine.execution(f"scope-{number}", "plan", run_id=f"r-{number}") as opened:
                    opened.step("fetch", lambda: "page")
                    if number == 1:
                        raise contextful.Permanent("no luck")
            except contextful.Permanent:
                pass
    return tmp_path


def listed(folder: Path, capsys: Captured, *options: str) -> list[str]:
    """The ids of the runs that the command lists."""
    assert run(["run", "history", "--json", "--project", str(folder), *options]) == 0
    return [each["run_id"] for each in json.loads(capsys.readouterr().out)["runs"]]


def test_history_is_asked_by_status_by_error_and_behind_a_run(folder: Path, capsys: Captured) -> None:
    assert listed(folder, capsys, "--status", "failed") == ["r-1"]
    assert listed(folder, capsys, "--error", "Permanent") == ["r-1"]
    assert listed(folder, capsys, "--before", "r-2", "--limit", "1") == ["r-1"]


def test_what_is_a_part_of_another_run_is_left_out_where_that_is_asked_for(folder: Path, capsys: Captured) -> None:
    with contextful.Engine.open(folder, world=SkippingWorld(now_ms=START_MS + 60_000)) as engine:
        engine.execution("scope-a", "plan", run_id="r-0.a").leave(None)

    assert listed(folder, capsys) == ["r-0.a", "r-2", "r-1", "r-0"]
    assert listed(folder, capsys, "--whole") == ["r-2", "r-1", "r-0"]


def test_a_listing_that_is_cut_says_how_it_goes_on(folder: Path, capsys: Captured) -> None:
    assert run(["run", "history", "--limit", "2", "--project", str(folder)]) == 0

    assert "--before r-1" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options", ["--status done", "--error Nope", "--before r-9", "--status failed --error Auth"], ids=lambda text: text
)
def test_a_question_that_cannot_be_asked_is_refused_in_a_line(folder: Path, capsys: Captured, options: str) -> None:
    assert run(["run", "history", "--project", str(folder), *options.split()]) in (1, 2)

    assert len(capsys.readouterr().err.splitlines()) == 1


def test_steps_are_listed_until_their_run_has_succeeded(folder: Path, capsys: Captured) -> None:
    assert run(["run", "steps", "r-1", "--json", "--project", str(folder)]) == 0
    (step,) = json.loads(capsys.readouterr().out)["steps"]
    assert run(["run", "steps", "r-2", "--json", "--project", str(folder)]) == 0

    assert (step["label"], step["state"], step["content_bytes"]) == ("fetch", "recorded", 6)
    assert json.loads(capsys.readouterr().out)["steps"] == []
