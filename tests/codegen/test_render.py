"""What the sample's pages become: the contract as JSON, and a package of Python."""

from __future__ import annotations

import copy
import hashlib
import importlib
import json
import pickle
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from codegen.load import load
from codegen.python_text import WIDTH
from codegen.render import render
from tests.codegen.corpus import SAMPLE
from tests.codegen.schema import faults


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    contract, findings = load(SAMPLE)
    assert findings == []
    return render(contract)


@pytest.fixture(scope="module")
def contract(files: dict[str, bytes]) -> Any:
    return json.loads(files["contract.json"])


@pytest.fixture(scope="module")
def package(files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """The rendered package, imported in the place of the project's own."""
    folder = tmp_path_factory.mktemp("generated")
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    theirs = {name: module for name, module in sys.modules.items() if name.startswith("contextful_contract")}
    for name in theirs:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    names = ("errors", "limits", "shapes", "clauses")
    yield SimpleNamespace(
        folder=folder, **{name: importlib.import_module(f"contextful_contract.{name}") for name in names}
    )
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.startswith("contextful_contract")]:
        del sys.modules[name]
    sys.modules.update(theirs)


def test_the_contract_is_as_its_schema_says(files: dict[str, bytes], contract: Any) -> None:
    schema = json.loads(files["contract.schema.json"])

    assert list(faults(contract, schema, schema)) == []


def test_a_clause_as_json(contract: Any) -> None:
    (clause,) = [clause for clause in contract["clauses"] if clause["id"] == "run.retry.step-failed"]

    statement = "`StepFailed` is raised when the schedule of {{run.retry.schedule}} is spent."
    assert clause == {
        "id": "run.retry.step-failed",
        "operation": "run.retry",
        "heading": "retry",
        "file": "spec/run/retry.md",
        "line": 24,
        "statement": statement,
        "why": "P6",
        "kind": "refusal",
        "rev": hashlib.sha256(statement.encode()).hexdigest()[:8],
        "evidence": {"test": 1, "theorem": 0},
        "refusals": ["StepFailed"],
        "limits": [],
        "links": ["run.retry.schedule"],
        "scenarios": [
            {
                "name": "run__retry__step_failed__s1",
                "given": [],
                "when": ["the step fails `Config`"],
                "then": ["`StepFailed` is raised"],
                "line": 47,
            }
        ],
    }


def test_what_is_computed_of_each_clause(contract: Any) -> None:
    computed = {clause["id"]: (clause["kind"], clause["evidence"], clause["heading"]) for clause in contract["clauses"]}

    assert computed == {
        "run.retry.taxonomy": ("behaviour", {"test": 1, "theorem": 0}, "retry"),
        "run.retry.schedule": ("limit", {"test": 2, "theorem": 1}, "retry"),
        "run.retry.single-attempt": ("limit", {"test": 1, "theorem": 0}, "retry"),
        "run.retry.step-failed": ("refusal", {"test": 1, "theorem": 0}, "retry"),
        "run.retry.bound-hit": ("behaviour", {"test": 0, "theorem": 1}, "bounds"),
        "store.drain.deadline": ("refusal", {"test": 1, "theorem": 0}, "drain"),
        "store.mark.mark": ("behaviour", {"test": 1, "theorem": 0}, "mark"),
    }


def test_a_short_link_is_resolved(contract: Any) -> None:
    statements = {clause["id"]: clause["statement"] for clause in contract["clauses"]}

    assert "whatever {{run.retry.schedule}} says" in statements["run.retry.single-attempt"]


def test_an_operation_and_what_is_unsettled(contract: Any) -> None:
    operation = contract["operations"][0]

    assert operation["lede"].endswith("and the step's schedule says when the next attempt starts.")
    assert operation["headings"] == ["bounds", "answers"]
    assert contract["unsettled"] == [
        {
            "question": "Does a limiter's wait count as a server's?",
            "owner": "run-path",
            "affects": ["run.retry", "store.drain"],
            "file": "spec/run/retry.md",
            "line": 49,
        }
    ]


def test_a_refusal_carries_its_facts(package: SimpleNamespace) -> None:
    tag = package.shapes.FailureTag
    refusal = package.errors.DrainOverdue(nodes=("a", "b"), since=1_767_225_600_000, left={"a": 1})

    assert str(refusal) == "Nodes a, b have been draining since 2026-01-01T00:00:00Z."
    assert (refusal.clause, refusal.tag, refusal.http_status, refusal.exit_code) == (
        "store.drain.deadline",
        tag.TRANSIENT,
        503,
        3,
    )
    with pytest.raises(TypeError):
        package.errors.DrainOverdue(("a",), 0, {})


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_refusal_is_the_same_after_pickling(package: SimpleNamespace, protocol: int) -> None:
    refusal = package.errors.DrainOverdue(nodes=("a",), since=1_500, left=None)
    refusal.add_note("while node a was busy")

    for again in (pickle.loads(pickle.dumps(refusal, protocol)), copy.deepcopy(refusal)):
        assert (type(again), vars(again), str(again)) == (type(refusal), vars(refusal), str(refusal))
        assert str(again).endswith("1970-01-01T00:00:01.500Z.")


def test_a_refusal_without_a_tag_may_carry_the_one_underneath(package: SimpleNamespace) -> None:
    refusal = package.errors.StepFailed(label="fetch", tag=package.shapes.FailureTag.CONFIG)

    assert refusal.tag.retryable is False
    assert str(refusal) == 'Step fetch failed "Config": cure the cause.'
    assert refusal.http_status is None


def test_limits_are_bytes_milliseconds_and_counts(package: SimpleNamespace) -> None:
    constants = {name: value for name, value in vars(package.limits).items() if name.isupper()}

    assert constants == {
        "DRAIN_DEADLINE_MS": 15_000,
        "RETRY_ATTEMPTS": 5,
        "RETRY_BASE_DELAY_MS": 100,
        "RETRY_MAX_DELAY_MS": 30_000,
        "RETRY_SINGLE_ATTEMPT_ATTEMPTS": 1,
    }


def test_an_enumeration_has_its_values_and_flags(package: SimpleNamespace) -> None:
    tag, backoff = package.shapes.FailureTag, package.shapes.Backoff

    assert list(tag) == ["Transient", "RateLimited", "Config"]
    assert [value.retryable for value in tag] == [True, True, False]
    assert all(value.spends_an_attempt for value in tag)
    assert backoff.OPAQUE_TOKEN == "opaque-token"
    assert not hasattr(backoff, "retryable")


def test_a_record_is_a_value_with_defaults_where_keys_may_be_absent(package: SimpleNamespace) -> None:
    hit = package.shapes.BoundHit(bound=package.shapes.Bound(name="deadline"), class_="call", extra=None)

    assert (hit.at, hit.times, hit.tags, hit.counts, hit.final) == (None, 0, (), {}, False)
    with pytest.raises(AttributeError):
        hit.times = 1


def test_clauses_have_the_revisions_of_the_contract(package: SimpleNamespace, contract: Any) -> None:
    assert {clause["id"]: clause["rev"] for clause in contract["clauses"]} == package.clauses.REVISIONS


def test_a_revision_changes_with_the_words_alone() -> None:
    from codegen.as_json import revision

    assert revision("a  b") == revision("a b")
    assert revision("e\u0301") == revision("é")
    assert revision("a b") != revision("a c")


def test_lines_are_as_long_as_the_project_has_them() -> None:
    settings = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))

    assert settings["tool"]["ruff"]["line-length"] == WIDTH


def test_the_modules_are_as_the_formatter_leaves_them(package: SimpleNamespace) -> None:
    settings = Path(__file__).parents[2] / "pyproject.toml"
    command = ["ruff", "format", "--check", "--config", str(settings), str(package.folder)]

    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout + done.stderr) == (0, done.stdout + done.stderr)
    assert "already formatted" in done.stdout
