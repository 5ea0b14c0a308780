"""tools/trace, asked in every way it can be asked."""

import json
import subprocess
from pathlib import Path

import pytest

from tools import trace
from tools.command import ROOT, Trouble

SOON = """\
run.cancel.soon  met
The `run.cancel.soon` clause says a < b & c.
  because it must
spec/run/retry.md:17 · rev aaaaaaaa · 2 tests (1 asked)

scenario run.cancel.soon s1
  GIVEN <a> & b
  WHEN  it rains
  THEN  x
  AND   y

links
  from run.retry.one-layer  failed

decided
  engine/contextful/run/retry.py:2  DELAY_MS_MAX = 9

tests
  passed       generated/tests/test_run_cancel_soon.py::test_s1  """


def ask(root: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What tools/trace answers."""
    assert trace.main(arguments, root) == 0
    return capsys.readouterr().out


def test_a_clause_is_told_whole(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = ask(root, capsys, "run.cancel.soon")

    assert told.startswith(SOON)
    assert "passed       tests/test_it.py::test_soon  3 rows  " in told
    assert told.endswith("lines run\n  engine/contextful/run/retry.py  1-2,4\n")


@pytest.mark.parametrize(
    ("subject", "ids"),
    [
        pytest.param("soon", ["run.cancel.soon"], id="the last part alone"),
        pytest.param("run.cancel", ["run.cancel.late", "run.cancel.unwritten", "run.cancel.soon"], id="an operation"),
        pytest.param("run.retry.re", ["run.retry.reworded", "run.retry.retry-after"], id="a beginning"),
        pytest.param("spec/run/retry.md:17", ["run.cancel.soon"], id="a line of a page"),
        pytest.param("spec/run/retry.md:47", ["run.cancel.soon"], id="a scenario's line"),
        pytest.param("./spec/run/retry.md:18", ["run.cancel.soon"], id="a line below a clause"),
        pytest.param("engine/contextful/run/retry.py:2", ["run.cancel.soon"], id="a deciding line"),
        pytest.param("engine/contextful/run/retry.py:4", ["run.retry.retry-after"], id="a line below its cite"),
        pytest.param("engine/contextful/run/retry.py:1", ["run.cancel.soon"], id="a line that its tests ran"),
        pytest.param("tests/test_it.py::test_soon", ["run.cancel.soon"], id="a test"),
        pytest.param("test_it.py::test_soon[row]", ["run.cancel.soon"], id="a row of a test, from its file"),
        pytest.param("tests/test_it.py:3", ["run.cancel.soon"], id="a mark in a test's file"),
        pytest.param("tests/test_it.py:6", ["run.cancel.soon"], id="a line of a test"),
    ],
)
def test_a_clause_is_found_by(root: Path, capsys: pytest.CaptureFixture[str], subject: str, ids: list[str]) -> None:
    told = json.loads(ask(root, capsys, subject, "--json"))

    assert [clause["id"] for clause in told["clauses"]] == ids


def test_a_cite_answers_on_its_own_line_too(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(ask(root, capsys, "engine/contextful/run/retry.py:3", "--json"))

    assert told["note"] == "engine/contextful/run/retry.py:3 decides"
    assert [clause["id"] for clause in told["clauses"]] == ["run.retry.retry-after"]


def test_a_place_is_found_from_the_folder_one_stands_in(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root / "engine/contextful")

    assert ask(root, capsys, "run/retry.py:2").endswith(ask(root, capsys, "run.cancel.soon"))


@pytest.mark.parametrize(
    ("subject", "editor", "command"),
    [
        ("run.cancel.soon", "vim", ["vim", "+2", "engine/contextful/run/retry.py"]),
        ("run.cancel.late", "vim", ["vim", "+15", "spec/run/retry.md"]),
        ("run.cancel.soon", "emacsclient -n", ["emacsclient", "-n", "+2", "engine/contextful/run/retry.py"]),
        ("run.cancel.soon", "/usr/bin/code -w", ["/usr/bin/code", "-w", "--goto", "engine/contextful/run/retry.py:2"]),
        ("run.cancel.soon", "subl", ["subl", "engine/contextful/run/retry.py:2"]),
        ("run.cancel.soon", "pycharm", ["pycharm", "--line", "2", "engine/contextful/run/retry.py"]),
    ],
)
def test_it_opens_the_deciding_line_or_the_page(
    root: Path, monkeypatch: pytest.MonkeyPatch, subject: str, editor: str, command: list[str]
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    became: list[list[str]] = []

    trace.main([subject, "--open"], root, became.append)

    assert [[word.replace(f"{root}/", "") for word in words] for words in became] == [command]


def test_without_an_editor_there_is_nothing_to_open(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)

    with pytest.raises(Trouble, match="neither VISUAL nor EDITOR"):
        trace.main(["run.cancel.soon", "--open"], root, lambda _: None)


NEXT = {
    "run.retry.never-linked": "mend spec/run/retry.md:10, then run `tools/spec generate`",
    "run.retry.one-layer": "`.venv/bin/pytest generated/tests/test_run_retry_one_layer.py::test_s1`",
    "run.retry.reworded": "hold its tests against the new words, then `tools/spec accept run.retry.reworded`",
    "run.retry.hard-to-show": "`.venv/bin/pytest proofs/run/test_retry.py::test_delay`",
    "run.retry.retry-after": 'write a test marked `@pytest.mark.clause("run.retry.retry-after")`',
    "run.cancel.late": "`.venv/bin/pytest generated/tests/test_run_cancel_late.py::test_s1`",
    "run.cancel.unwritten": 'write the step "WHEN it rains" under tests/steps/, then '
    "`.venv/bin/pytest generated/tests/test_run_cancel_unwritten.py::test_s1`",
    "run.cancel.soon": "",
}


@pytest.mark.parametrize("id", NEXT)
def test_it_says_what_to_run_next(root: Path, capsys: pytest.CaptureFixture[str], id: str) -> None:
    [told] = json.loads(ask(root, capsys, id, "--json"))["clauses"]

    assert told["next"] == NEXT[id]


def test_of_a_scenario_that_no_run_has_seen_it_names_the_tests_of_its_operation(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "build/evidence.json").unlink()

    [told] = json.loads(ask(root, capsys, "run.cancel.soon", "--json"))["clauses"]

    assert told["next"] == "`.venv/bin/pytest generated/tests/test_run_cancel.py`"


def test_an_unknown_id_is_met_with_what_was_meant(root: Path) -> None:
    with pytest.raises(Trouble, match=r"run\.cancle\.soon; did you mean run\.cancel\.soon") as refused:
        trace.main(["run.cancle.soon"], root)

    assert refused.value.code == 2


def test_it_answers_without_a_run_and_without_a_contract(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "build/evidence.json").unlink()

    assert "not-run" in ask(root, capsys, "run.retry.one-layer")

    (root / "generated/contract.json").unlink()
    with pytest.raises(Trouble, match="run `tools/spec generate`"):
        trace.main(["run.cancel.soon"], root)


def test_the_command_works_from_any_folder_and_never_shows_a_traceback(tmp_path: Path) -> None:
    asked = subprocess.run(
        [ROOT / "tools/trace", "no.such.clause"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (asked.returncode, asked.stdout) == (2, "")
    assert asked.stderr.startswith("tools/trace: ")
    assert "Traceback" not in asked.stderr


STEP = """\
from pytest_bdd import parsers, when

@when(parsers.parse("it {falls}s"))
def it_falls(falls: str) -> None:
    assert falls
"""
UNSEEN = """\
import pytest

@pytest.mark.clause("run.retry.retry-after")
def test_unseen() -> None:
    assert True
"""


def test_a_steps_line_is_of_the_clauses_whose_scenarios_take_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "tests/steps").mkdir()
    (root / "tests/steps/weather.py").write_text(STEP)

    told = json.loads(ask(root, capsys, "tests/steps/weather.py:5", "--json"))

    assert told["note"] == "WHEN it {falls}s: the scenarios of these clauses take it"
    assert len(told["clauses"]) == 8


def test_a_test_that_no_run_has_seen_is_known_by_its_mark(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "tests/test_new.py").write_text(UNSEEN)

    told = json.loads(ask(root, capsys, "tests/test_new.py:5", "--json"))

    assert told["note"] == "tests/test_new.py::test_unseen  no run has seen it yet"
    assert [clause["id"] for clause in told["clauses"]] == ["run.retry.retry-after"]


def test_evidence_that_is_written_and_did_not_run_is_to_be_run(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "tests/test_new.py").write_text(UNSEEN)

    [told] = json.loads(ask(root, capsys, "run.retry.retry-after", "--json"))["clauses"]

    assert told["next"] == (
        "`.venv/bin/pytest tests/test_new.py`, for tests/test_new.py:3 is marked with it and was not run"
    )
