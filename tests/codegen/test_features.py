"""The rendered features under pytest-bdd: each scenario is a test, and none is green without its steps."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from codegen.load import load
from codegen.render import render
from tests.codegen.corpus import edited, project

SEED = "- `run.retry.seed`: WHEN it fails twice, THEN it waits the same, AND the seed is 7\n"
TRICKY = [
    "a step `<label>`",
    "| a | b |",
    "# 1 is here",
    '"""',
    "these rows:",
    "Given that",
    "@slow",
    r"C:\new \| `\n`",
    "* star",
    'the mark `{"a": {"b": 1}}`',
]
PAGE = edited(
    SEED,
    f"{SEED}"
    "- `run.retry.seed`: WHEN it fails once, THEN it waits less\n"
    f"- `run.retry.seed`: WHEN {', AND '.join(TRICKY)}, THEN done\n"
    "- `run.retry.seed`: WHEN nobody defines it, THEN done\n",
)
STEPS = """
import json
from pytest_bdd import given, parsers, then, when

@given(parsers.re("(?P<step>.*)"))
@when(parsers.re("(?P<step>(?!nobody).*)"))
@then(parsers.re("(?P<step>.*)"))
def _(request, step):
    with open("said.jsonl", "a") as said:
        said.write(json.dumps([request.node.name, step]) + "\\n")
"""


@dataclass(frozen=True)
class Run:
    """What a run of the rendered tests came to: outcomes by test, and the steps that were met."""

    folder: Path
    outcomes: dict[str, str]

    def said(self, test: str) -> list[str]:
        """The steps that one test met."""
        lines = (self.folder / "said.jsonl").read_text().splitlines()
        return [step for name, step in map(json.loads, lines) if name == test]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("project")
    contract, findings = load(project(folder, retry=PAGE))
    assert findings == []
    for path, content in render(contract).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    with (folder / "features" / "run" / "retry.feature").open("a") as feature:
        feature.write("\n  Scenario: bound by nobody\n    When a\n    Then b\n")
    (folder / "conftest.py").write_text(STEPS)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  clause(id)\n  scenario(name)\n")
    plugins = ["no:cacheprovider", "no:xdist", "no:hypothesispytest"]
    options = ["-rA", "-q", "-W", "error", "--strict-markers", *(f"-p{plugin}" for plugin in plugins)]
    command = [sys.executable, "-m", "pytest", *options, "tests"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return Run(folder, {name: how for how, name in re.findall(r"^(PASSED|FAILED) \S+::(\w+)", done.stdout, re.M)})


def test_each_scenario_is_a_test_and_an_undefined_step_fails(run: Run) -> None:
    assert run.outcomes == {
        "test_every_scenario_is_bound": "FAILED",
        "test_run__retry__schedule__s1": "PASSED",
        "test_run__retry__seed__s1": "PASSED",
        "test_run__retry__seed__s2": "PASSED",
        "test_run__retry__seed__s3": "PASSED",
        "test_run__retry__seed__s4": "FAILED",
    }


def test_two_scenarios_of_one_clause_both_run(run: Run) -> None:
    assert run.said("test_run__retry__seed__s1") == ["it fails twice", "it waits the same", "the seed is 7"]
    assert run.said("test_run__retry__seed__s2") == ["it fails once", "it waits less"]


def test_steps_reach_their_definitions_word_for_word(run: Run) -> None:
    assert run.said("test_run__retry__seed__s3") == [*TRICKY, "done"]


def test_marks_name_the_clause_and_the_scenario(run: Run) -> None:
    module = (run.folder / "tests" / "test_run_retry.py").read_text()

    assert (
        '@pytest.mark.clause("run.retry.seed")\n'
        '@pytest.mark.scenario("run__retry__seed__s1")\n'
        '@scenario(FEATURE, "run__retry__seed__s1")\n'
        "def test_run__retry__seed__s1() -> None: ...\n"
    ) in module
