"""What the README prints runs as printed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PROGRAM, TEST = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
SHELL = re.search(r"## A pipeline\n\n```\n(.*?)```", README, re.DOTALL)


def python(folder: Path, *arguments: str) -> str:
    """What a Python of the project's says, in that folder."""
    path = f"{ROOT / 'engine'}:{ROOT / 'generated'}"
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env={"PYTHONPATH": path}, check=True, capture_output=True, text=True
    ).stdout


def test_the_program_runs_and_charges_once(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(PROGRAM)

    said = python(tmp_path, "shop.py")

    assert re.fullmatch(r"charged 192 under [0-9a-f]{32}\n", said)


def test_the_test_of_a_body_runs(tmp_path: Path) -> None:
    (tmp_path / "test.py").write_text(TEST)

    said = python(tmp_path, "test.py")

    assert re.fullmatch(r"\d+ crashes, charged [23] times: .*\n", said)


def test_the_commands_run_in_order(tmp_path: Path) -> None:
    assert SHELL is not None
    commands = [line.removeprefix("$ contextful ") for line in SHELL[1].splitlines()]

    said = [python(tmp_path, "-c", f"import sys, shlex; from contextful.faces.cli import run;"
                                   f"sys.exit(run(shlex.split({command!r})))") for command in commands]  # fmt: skip

    assert "tea" in said[2]
    assert "success" in said[3]


@pytest.mark.parametrize("module", ["pyarrow", "duckdb", "httpx", "rich"])
def test_importing_contextful_loads_nothing_heavy(tmp_path: Path, module: str) -> None:
    said = python(tmp_path, "-c", f"import contextful, sys; print({module!r} in sys.modules)")

    assert said == "False\n"
