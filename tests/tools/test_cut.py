"""tools/cut: which test notices that a cited line is gone, and that none does."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from tests.tools import authored
from tests.tools.running import INI
from tools import cut, units
from tools.command import ROOT, Trouble
from tools.units import Evidence, Unit

CODE = """\
SOON = 9  ##= run.retry.reworded


def soon(now: int) -> int:
    if now > SOON:
        return SOON  ##= run.cancel.soon
    return now + 0  ##= run.retry.retry-after
"""
TEST = """\
import pytest
from contextful.run.retry import soon

@pytest.mark.clause("run.cancel.soon", "run.retry.reworded")
def test_soon() -> None:
    assert soon(10) == 9

@pytest.mark.clause("run.retry.retry-after")
def test_not_yet() -> None:
    assert soon(10) > 0

@pytest.mark.clause("run.retry.retry-after")
def test_never() -> None:
    assert soon(9) > 9
"""
TESTS = {
    "test_soon": ("run.cancel.soon", "run.retry.reworded"),
    "test_not_yet": ("run.retry.retry-after",),
    "test_never": ("run.retry.retry-after",),
}


@pytest.fixture
def root(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, with tests that can be run in a copy of it, and a last run in which they all passed."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    authored.write(root, "engine/contextful/__init__.py", "")
    authored.write(root, "engine/contextful/run/__init__.py", "")
    authored.write(root, "engine/contextful/run/retry.py", CODE)
    authored.write(root, "tests/test_it.py", TEST)
    authored.write(root, "pytest.ini", dedent(INI))
    authored.write(root, ".gitignore", "build/\n")
    authored.git(root, "init", "-q")
    passed(root, TESTS)
    return root


def passed(root: Path, tests: dict[str, tuple[str, ...]]) -> None:
    """Leave evidence that some tests passed."""
    seen = [Unit(f"tests/test_it.py::{name}", "test", clauses, "passed") for name, clauses in tests.items()]
    units.write(root, Evidence(units=tuple(seen)))


def test_each_cut_is_noticed_by_a_test_or_by_none(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = cut.main(["run.retry", "soon"], root)

    told = capsys.readouterr()
    assert (code, told.out.split("\n")) == (
        1,
        [
            "engine/contextful/run/retry.py:1  run.retry.reworded  noticed by tests/test_it.py::test_soon",
            "engine/contextful/run/retry.py:7  run.retry.retry-after  UNNOTICED",
            "engine/contextful/run/retry.py:6  run.cancel.soon  noticed by tests/test_it.py::test_soon",
            "3 cut, 1 unnoticed",
            "",
        ],
    )
    assert told.err == "tests/test_it.py::test_never does not pass before anything is cut, and is left out\n"
    assert (root / "engine/contextful/run/retry.py").read_text(encoding="utf-8") == CODE


def test_a_place_is_asked_for_by_its_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = cut.main(["engine/contextful/run/retry.py:6", "--json"], root)

    [found] = json.loads(capsys.readouterr().out)["cuts"]
    assert (code, found["clause"], found["noticed_by"]) == (0, "run.cancel.soon", "tests/test_it.py::test_soon")


def test_without_evidence_there_is_nothing_to_run(root: Path) -> None:
    (root / units.WHERE).unlink()

    with pytest.raises(Trouble, match="no run has left evidence"):
        cut.main([], root)


def test_evidence_of_a_test_that_is_gone_is_too_old(root: Path) -> None:
    passed(root, {"test_gone": ("run.cancel.soon",)})

    with pytest.raises(Trouble, match=r"run `make test` again\nERROR: not found: .*test_gone"):
        cut.main(["soon"], root)


@pytest.mark.parametrize("subject", ["run.retry.gone", "run.cancel.unwritten", "engine/contextful/run/retry.py:5"])
def test_what_no_line_cites_is_refused(root: Path, subject: str) -> None:
    with pytest.raises(Trouble, match=f"no line of the engine cites {subject}"):
        cut.main([subject], root)
