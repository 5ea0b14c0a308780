"""The command: its exit status, its forms of report, and the same bytes every time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from codegen import __main__ as command
from tests.codegen.corpus import PAGE, edited, project, sample

BROKEN = edited("- `seed` — Chance", "- `seed` - Chance, 100% of it")


def test_a_sound_contract_is_written_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = sample(tmp_path)

    assert command.main(["--root", str(root)]) == 0
    assert capsys.readouterr().out == "read 2 files, 3 operations, 7 clauses, 8 scenarios\n"
    assert command.main(["--root", str(root), "--check"]) == 0


def test_a_finding_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = project(tmp_path, retry=BROKEN)

    assert command.main(["--root", str(root)]) == 1
    assert not (root / "generated").exists()
    first, hint, *_, last = capsys.readouterr().out.rstrip("\n").split("\n")
    assert first.startswith("spec/run/retry.md:15:9: clause expected a space, perhaps [test:1 theorem:1]")
    assert hint == "    - `subject` [test:1] — statement"
    assert last == "1 finding; read 1 file, 1 operation, 1 clause, 2 scenarios"


def test_no_clause_is_a_failure(tmp_path: Path) -> None:
    assert command.main(["--root", str(project(tmp_path))]) == 1


def test_a_folder_without_pages_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as stopped:
        command.main(["--root", str(tmp_path)])

    assert stopped.value.code == 2


def test_what_is_no_fault_of_the_pages_is_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = project(tmp_path, retry=PAGE)
    (root / "generated").write_text("a file where a folder should be")

    assert command.main(["--root", str(root)]) == 3
    assert "no fault of the pages" in capsys.readouterr().err


def test_check_says_what_differs_and_touches_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = sample(tmp_path)
    command.main(["--root", str(root)])
    generated = root / "generated"
    (generated / "contract.json").write_text("{}")
    (generated / "MANIFEST").unlink()
    (generated / "stray.txt").write_text("")
    capsys.readouterr()

    assert command.main(["--root", str(root), "--check", "--json"]) == 1

    found = json.loads(capsys.readouterr().out)["findings"]
    assert [(finding["path"], finding["code"]) for finding in found] == [
        ("generated/MANIFEST", "missing"),
        ("generated/contract.json", "modified"),
        ("generated/stray.txt", "extra"),
    ]
    assert (generated / "contract.json").read_text() == "{}"


def test_the_report_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.main(["--root", str(project(tmp_path, retry=BROKEN)), "--json"])

    report = json.loads(capsys.readouterr().out)
    assert report["read"] == {"files": 1, "operations": 1, "clauses": 1, "scenarios": 2}
    assert [(f["path"], f["line"], f["column"], f["code"]) for f in report["findings"]] == [
        ("spec/run/retry.md", 15, 9, "clause")
    ]


def test_the_report_as_sarif(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.main(["--root", str(project(tmp_path, retry=BROKEN)), "--sarif"])

    log = json.loads(capsys.readouterr().out)
    (run,) = log["runs"]
    (result,) = run["results"]
    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "clause"
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "spec/run/retry.md"},
        "region": {"startLine": 15, "startColumn": 9},
    }


def test_the_report_as_annotations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = PAGE.replace("Chance has", "{{50%}} has")
    command.main(["--root", str(project(tmp_path, retry=page)), "--github"])

    first, *_ = capsys.readouterr().out.split("\n")
    assert first == (
        "::error file=spec/run/retry.md,line=15,col=12,title=link::{{ begins no link"
        "%0A{{contract.operation.subject}}, or {{subject}} where that is unique"
    )


def test_the_same_pages_give_the_same_bytes(tmp_path: Path) -> None:
    home = Path(command.__file__).parents[1]
    written = []
    for seed, folder in (("0", "one"), ("4242", "two")):
        root = sample(tmp_path / folder)
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(home)}
        arguments = [sys.executable, "-m", "codegen", "--root", str(root)]
        subprocess.run(arguments, check=True, cwd=tmp_path / folder, env=environment, capture_output=True)
        files = sorted(path for path in (root / "generated").rglob("*") if path.is_file())
        written.append({path.relative_to(root): path.read_bytes() for path in files})

    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [("| 30 | s |", f"| {'9' * 5_000} | s |"), ("[test:2 ", f"[test:{'9' * 5_000} ")],
    ids=["a limit", "a badge"],
)
def test_a_number_that_nobody_could_mean_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str
) -> None:
    assert command.main(["--root", str(project(tmp_path, retry=edited(old, new)))]) == 1
    assert "retry.md" in capsys.readouterr().out


def test_a_pipe_among_the_pages_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = project(tmp_path, retry=PAGE)
    os.mkfifo(root / "spec" / "run" / "own.md")

    assert command.main(["--root", str(root)]) == 1
    assert "spec/run/own.md:1:1: unreadable it is no file of text" in capsys.readouterr().out
