"""A project as its author has it: pages, generated code, an engine that cites, a test that is marked, one commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

from codegen import __main__ as codegen
from tests.codegen.corpus import sample

ENGINE = """\
\"\"\"run.retry.schedule, and what it leaves to run.retry.\"\"\"

from contextful import run

delay = run.retry.schedule(attempt)  ##= run.retry.schedule
"""
TEST = """\
import pytest

@pytest.mark.clause("run.retry.schedule")
def test_it(): pass
"""
RETRY = "spec/run/retry.md"


def project(folder: Path) -> Path:
    """The project, its code generated, committed."""
    root = sample(folder)
    write(root, "engine/contextful/run/retry.py", ENGINE)
    write(root, "tests/test_retry.py", TEST)
    write(root, ".gitignore", "build/\n")
    (root / "tools").mkdir()
    generate(root)
    git(root, "init", "-q")
    commit(root)
    return root


def write(root: Path, path: str, text: str) -> None:
    """Write a file of the project."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def edit(root: Path, old: str, new: str, page: str = RETRY) -> None:
    """Replace one piece of a page, which stands in it once."""
    text = (root / page).read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    (root / page).write_text(text.replace(old, new), encoding="utf-8")


def generate(root: Path) -> None:
    """Bring generated code up to date with the pages."""
    assert codegen.main(["--root", str(root)]) == 0


def commit(root: Path) -> None:
    """Commit everything."""
    git(root, "add", "-A")
    git(root, "-c", "user.name=n", "-c", "user.email=e@e", "commit", "-qm", "one more")


def git(root: Path, *arguments: str) -> None:
    """Ask something of git."""
    subprocess.run(["git", "-C", root, *arguments], check=True)
