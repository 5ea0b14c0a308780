"""The lines that each unit ran, from coverage's contexts."""

import json

import pytest

from tools import lines
from tools.command import ROOT

ENGINE = """\
def wait(attempt):
    if attempt > 1:
        return 7
    return 1
"""
TESTS = """\
import pytest
from wait import wait

@pytest.mark.clause("run.retry.a")
@pytest.mark.parametrize("attempt", [0, 1])
def test_first(attempt):
    assert wait(attempt) == 1

@pytest.mark.clause("run.retry.b")
def test_later():
    assert wait(2) == 7

def test_no_evidence():
    assert wait(3) == 7
"""
INI = """
    [pytest]
    addopts = --import-mode=importlib
    testpaths = tests
    pythonpath = engine
    markers = clause(id): the clause that this is evidence for
"""
CONFIG = """\
[run]
source = engine
relative_files = true
data_file = build/coverage
"""


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], ""), ([3], "3"), ([9, 3, 4, 5, 7, 6], "3-7,9"), ([1, 1, 2], "1-2")],
)
def test_lines_are_kept_as_ranges(numbers: list[int], text: str) -> None:
    assert lines.ranges(numbers) == text
    assert [number for number in range(12) if lines.within(number, text)] == sorted(set(numbers))


def test_ranges_join() -> None:
    assert lines.union(["1-3,9", "2-5", ""]) == "1-5,9"


def test_a_run_with_contexts_leaves_the_lines_of_each_unit(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini(INI)
    for path, text in (("engine/wait.py", ENGINE), ("tests/test_it.py", TESTS), (".coveragerc", CONFIG)):
        place = pytester.path / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(text)

    pytester.runpytest_subprocess(
        *("-p", "xdist", "-p", "pytest_cov", "-p", "tools.evidence"),
        *("-n1", "--cov", "--cov-context=test", "--cov-report="),
    )

    assert json.loads((pytester.path / "build/lines.json").read_text()) == {
        "tests/test_it.py::test_first": {"engine/wait.py": "2,4"},
        "tests/test_it.py::test_later": {"engine/wait.py": "2-3"},
    }
