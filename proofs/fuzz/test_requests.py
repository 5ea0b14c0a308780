"""Whatever the served face is sent, its answer is one that its page describes, and tells nobody what is not theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import contextful
from contextful.adapters import jose
from contextful.authority.issue import issue
from contextful.faces.profile import Project
from contextful_contract.shapes import GrantAction
from proofs.effort import DERANDOMIZED, FULL

EXAMPLES = 200 if FULL else 5
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
AUDIENCE = "http://localhost"
PRIVATE, PUBLIC = jose.keys()
SECRET = "kayak"  # what is told to nobody who may not read it: a table's row, a run's scope
MANIFEST = f"""
site_id = "test"
[project]
name = "asked"
[[pipeline]]
id = "{SECRET}"
[pipeline.source]
name = "file"
config = {{ path = "data/{{table}}.csv", format = "csv" }}
[[pipeline.tables]]
name = "{SECRET}_orders"
"""
CALLERS = {"nobody": (), "a stranger": ("other",), "the operator": ("*",)}


@dataclass
class Place:
    """A project whose pipeline has run, with a run that waits; and how its face is asked."""

    folder: Path
    project: Project
    token: str
    schema: Any

    def known(self) -> st.SearchStrategy[dict[str, str]]:
        """The names that what is here goes by."""
        return st.fixed_dictionaries(
            {
                "token": st.just(self.token),
                "run_id": st.sampled_from(["landed", "waits"]),
                "clause": st.just("run.suspend.deadline"),
            }
        )

    def headers(self, patterns: tuple[str, ...]) -> dict[str, str]:
        """Whoever may do anything with what is named so."""
        if not patterns:
            return {}
        credential = issue(
            id="credential-1",
            audience=AUDIENCE,
            now_ms=self.project.engine._world.now_ms(),
            ttl_ms=3_600_000,
            actions=tuple(GrantAction),
            tables=patterns,
            pipelines=patterns,
            on_behalf_of="svc://test",
        )
        return {"Authorization": f"Bearer {jose.sign(credential, jose.private_key(PRIVATE, path='issuer'))}"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("asked")
    (folder / "contextful.toml").write_text(MANIFEST)
    (folder / "data").mkdir()
    (folder / "data" / f"{SECRET}_orders.csv").write_text(f"id,item\n1,{SECRET}\n")
    with Project.open(folder) as project:
        project.run(SECRET, "landed")
        with pytest.raises(contextful.Suspended):
            suspended(project.engine)
        (awaited,) = project.engine.awaited(project.engine.run("waits").execution_id)  # type: ignore[union-attr]
        application = project.served(PUBLIC, audience=AUDIENCE)
        yield Place(folder, project, awaited.token, schemathesis.openapi.from_asgi("/openapi.json", application))


def suspended(engine: contextful.Engine) -> None:
    with engine.execution(SECRET, "plan", run_id="waits") as run:
        run.wait("approve", hold="0s")


@pytest.mark.parametrize("caller", list(CALLERS))
def test_every_answer_is_one_that_the_page_describes(place: Place, caller: str) -> None:
    headers = place.headers(CALLERS[caller])
    for found in place.schema.get_all_operations():
        operation = found.ok()

        @settings(
            max_examples=EXAMPLES,
            derandomize=DERANDOMIZED,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(), known=st.none() | place.known())
        def ask(case: Case, known: dict[str, str] | None) -> None:
            if known is not None and case.path_parameters:
                case.path_parameters = {name: known[name] for name in case.path_parameters}
            answer = case.call(headers=headers)

            case.validate_response(answer, checks=CHECKS)
            assert b"Traceback" not in answer.content
            assert caller == "the operator" or SECRET.encode() not in answer.content

        ask()
