"""A project on disk with one clause in every state, as codegen and a run would leave it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools import authored
from tests.tools.running import INI, Project
from tools import snapshot, units
from tools.command import ROOT
from tools.snapshot import Line
from tools.units import Evidence, Outcome, Proof, Session, Unit

STATES = {
    "run.retry.never-linked": "invalid",
    "run.retry.one-layer": "failed",
    "run.retry.reworded": "stale",
    "run.retry.hard-to-show": "undetermined",
    "run.retry.retry-after": "partial",
    "run.cancel.late": "not-run",
    "run.cancel.unwritten": "open",
    "run.cancel.soon": "met",
}
RUN = Session(
    at="2026-01-02T03:04:05+00:00",
    commit="0123456789abcdef0123456789abcdef01234567",
    dirty=False,
    partial="",
    selected=7,
    deselected=1,
    open=1,
    exit_status=1,
    seconds=1.5,
)
CODE = """\
DELAY_MS = 7
DELAY_MS_MAX = 9  ##= run.cancel.soon
#= run.retry.retry-after
delay = min(DELAY_MS, DELAY_MS_MAX)
"""
TEST = """\
import pytest

@pytest.mark.clause("run.cancel.soon")
@pytest.mark.parametrize("row", [1, 2, 3])
def test_soon(row: int) -> None:
    assert row
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project in which tests can be run under the plugin."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeini(INI)
    return Project(pytester)


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project as its author has it, to be copied."""
    return authored.project(tmp_path_factory.mktemp("written"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of the project."""
    rows = [_clause(id, line) for line, id in enumerate(STATES, 10)]
    _write(tmp_path / "generated/contract.json", json.dumps({"version": 1, "clauses": rows}))
    _write(tmp_path / "engine/contextful/run/retry.py", CODE)
    _write(tmp_path / "tests/test_it.py", TEST)
    ran = {"tests/test_it.py::test_soon": {"engine/contextful/run/retry.py": "1-2,4"}}
    lines = [f"{json.dumps(unit)}: {json.dumps(files)}" for unit, files in ran.items()]
    _write(tmp_path / "build/lines.json", "{" + ",\n".join(lines) + "}\n")
    (tmp_path / "tools").mkdir()
    snapshot.write(tmp_path, [Line(id, "aaaaaaaa", "open") for id in STATES])
    seen = tuple(sorted(_units(), key=lambda unit: unit.id))
    units.write(tmp_path, Evidence(whole=RUN, units=seen))
    return tmp_path


@pytest.fixture
def states() -> dict[str, str]:
    """The verdict on each of its clauses."""
    return STATES


def _clause(id: str, line: int) -> dict[str, Any]:
    links = {"run.retry.never-linked": ["run.gone.a"], "run.retry.one-layer": ["run.cancel.soon"]}
    scenario = {
        "name": f"{id} s1",
        "given": ["<a> & b"],
        "when": ["it rains"],
        "then": ["x", "y"],
        "line": 30,
    }
    return {
        "id": id,
        "operation": id.rpartition(".")[0],
        "heading": "",
        "file": "spec/run/retry.md",
        "line": line,
        "statement": f"The `{id}` clause says a < b & c.",
        "why": "because it must" if id == "run.cancel.soon" else None,
        "kind": "clause",
        "rev": "bbbbbbbb" if id == "run.retry.reworded" else "aaaaaaaa",
        "evidence": {"test": 2 if id == "run.retry.retry-after" else 1, "theorem": 0},
        "refusals": [],
        "limits": [],
        "links": links.get(id, []),
        "scenarios": [{**scenario, "line": 30 + line}],
    }


def _units() -> list[Unit]:
    outcomes: dict[str, tuple[Outcome, str, str]] = {
        "run.retry.never-linked": ("passed", "", ""),
        "run.retry.one-layer": ("failed", "unit-failed", "assert 1 == 2"),
        "run.retry.reworded": ("passed", "", ""),
        "run.retry.hard-to-show": ("passed", "", ""),
        "run.retry.retry-after": ("passed", "", ""),
        "run.cancel.late": ("not-run", "unit-deselected", ""),
        "run.cancel.unwritten": ("open", "scenario-open", "WHEN it rains"),
        "run.cancel.soon": ("passed", "", ""),
    }
    stamp = {"at": RUN.at, "commit": RUN.commit}
    scenarios = [
        Unit(
            id=f"generated/tests/test_{id.replace('.', '_').replace('-', '_')}.py::test_s1",
            kind="scenario",
            clauses=(id,),
            outcome=outcome,
            reason=reason,
            detail=detail,
            scenario=f"{id} s1",
            **stamp,
        )
        for id, (outcome, reason, detail) in outcomes.items()
    ]
    proof = Proof(claim="no delay is too long", domain="every delay", reason="theorem-timeout")
    hard = Unit(
        id="proofs/run/test_retry.py::test_delay",
        kind="theorem",
        clauses=("run.retry.hard-to-show",),
        outcome="undetermined",
        reason="theorem-timeout",
        grade="confirmed",
        proof=proof,
        **stamp,
    )
    soon = Unit(
        id="tests/test_it.py::test_soon",
        kind="test",
        clauses=("run.cancel.soon",),
        outcome="passed",
        rows=3,
        **stamp,
    )
    return [*scenarios, hard, soon]


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
