"""Steps of run.record about what leaves the machine: descriptions and exports, as the terminal prints them."""

from __future__ import annotations

import json
import socket

import pytest
from pytest_bdd import given, parsers, then, when

from contextful.faces import cli
from contextful.kernel.change import Update
from contextful.kernel.shape import to_json
from contextful.run import record
from contextful.run.shown import run_row
from contextful_contract.shapes import RunStatus
from tests.steps.stage import Stage

AT_ONCE = 500
Captured = pytest.CaptureFixture[str]


@given(parsers.re(r"pipeline `(?P<pipeline>\w+)` has (?P<count>\d+) (?:later )?runs"), converters={"count": int})
def has_runs(stage: Stage, pipeline: str, count: int) -> None:
    """Each of them starts after all that were there before."""
    rows = []
    for number in range(count):
        stage.world.skip(1_000)
        run_id, now_ms = f"{pipeline}-{number}", stage.world.now_ms()
        run = record.Run(run_id, f"exec-{run_id}", "plan", "here", RunStatus.SUCCESS, now_ms, pipeline_id=pipeline)
        rows.append(record.opened(run, record.Process(1, "boot-1", "holder"), now_ms))
    for start in range(0, count, AT_ONCE):
        assert stage.rows.commit(*rows[start : start + AT_ONCE])


@given("its bucket cannot be resolved")
def bucket_cannot_be_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever tries is told so."""

    def unresolved(*_: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(socket, "getaddrinfo", unresolved)
    monkeypatch.setattr(socket.socket, "connect", unresolved)


@when(parsers.parse("pipeline `{pipeline}` is described"))
def is_described(stage: Stage, capsys: Captured, pipeline: str) -> None:
    _described(stage, capsys, "--pipeline", pipeline)


@when(parsers.parse("pipeline `{pipeline}` is described with a ceiling of {ceiling:d} rows"))
def is_described_with_a_ceiling(stage: Stage, capsys: Captured, pipeline: str, ceiling: int) -> None:
    _described(stage, capsys, "--pipeline", pipeline, "--limit", str(ceiling))


@when("history is exported")
def is_exported(stage: Stage, capsys: Captured) -> None:
    _exported(stage, capsys)


@when(parsers.parse("history is exported with a ceiling of {ceiling:d} rows"))
def is_exported_with_a_ceiling(stage: Stage, capsys: Captured, ceiling: int) -> None:
    _exported(stage, capsys, "--limit", str(ceiling))


@when("the statuses are listed")
def statuses_are_listed(stage: Stage) -> None:
    stage.named["statuses"] = [status.value for status in RunStatus]


@then(parsers.parse("it lists {count:d} runs"))
def lists_runs(stage: Stage, count: int) -> None:
    assert len(_runs(stage)) == count


@then(parsers.parse("all of them are of pipeline `{pipeline}`"))
def all_are_of_pipeline(stage: Stage, pipeline: str) -> None:
    assert {run["pipeline_id"] for run in _runs(stage)} == {pipeline}


@then(parsers.parse("it has {count:d} lines"))
def has_lines(stage: Stage, count: int) -> None:
    assert len(_runs(stage)) + 1 == count


@then("its other lines equal the runs of the listing")
def other_lines_equal_the_listing(stage: Stage, capsys: Captured) -> None:
    exported = _runs(stage)
    _described(stage, capsys, "--limit", str(len(exported)))
    assert exported == _runs(stage)


@then(parsers.parse("they are `{statuses}`"))
def statuses_are(stage: Stage, statuses: str) -> None:
    assert stage.named["statuses"] == statuses.split(", ")


@then("the record and the wire snapshot spell each of them alike")
def spelled_alike(stage: Stage) -> None:
    for status in RunStatus:
        has_runs(stage, status.value, 1)
        key = {"run_id": f"{status.value}-0"}
        assert stage.rows.commit(Update(record.RUN, key, {}, {"status": status.value}))
        run = stage.onlooker().run(key["run_id"])
        assert run is not None
        assert to_json(run_row(run))["status"] == run.status == status


def _described(stage: Stage, capsys: Captured, *options: str) -> None:
    (document,) = _printed(stage, capsys, "history", "--json", *options)
    assert isinstance(document, dict)
    stage.shown = document


def _exported(stage: Stage, capsys: Captured, *options: str) -> None:
    first, *others = _printed(stage, capsys, "export", *options)
    stage.shown = {"first line": first, "runs": others}


def _printed(stage: Stage, capsys: Captured, command: str, *options: str) -> list[object]:
    """The documents that the command prints, one a line but for a listing."""
    capsys.readouterr()
    assert cli.run(["run", command, "--project", str(stage.folder), *options]) == 0
    printed = capsys.readouterr().out
    return [json.loads(printed)] if command == "history" else [json.loads(line) for line in printed.splitlines()]


def _runs(stage: Stage) -> list[dict[str, object]]:
    assert isinstance(stage.shown, dict)
    runs: list[dict[str, object]] = stage.shown["runs"]
    return runs
