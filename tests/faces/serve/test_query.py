"""Questions over HTTP, about the tables that a credential covers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient, Response

from contextful.adapters import jose
from contextful.authority.issue import issue
from contextful.faces.cli import run
from contextful.faces.profile import Project

PRIVATE, PUBLIC = jose.keys()
AUDIENCE = "http://here"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """A project whose orders have landed."""
    folder = str(tmp_path / "shop")
    assert run(["init", folder]) == 0
    assert run(["pipeline", "run", "shop", "-p", folder]) == 0
    with Project.open(folder) as opened:
        yield opened


def ask(project: Project, body: Any, *tables: str) -> Response:
    credential = issue(
        id="credential-1", audience=AUDIENCE, now_ms=project.engine._world.now_ms(), ttl_ms=60_000, tables=tables
    )
    token = jose.sign(credential, jose.private_key(PRIVATE, path="issuer"))

    async def asked() -> Response:
        application = ASGITransport(project.served(PUBLIC, audience=AUDIENCE))
        async with AsyncClient(transport=application, base_url=AUDIENCE) as client:
            return await client.post("/query", json=body, headers={"authorization": f"Bearer {token}"})

    return asyncio.run(asked())


def test_a_covered_table_is_answered_for(project: Project) -> None:
    answer = ask(project, {"sql": "SELECT item, cents FROM shop_orders ORDER BY id", "limit": 1}, "shop_*")

    assert answer.json() == {"columns": ["item", "cents"], "rows": [["tea", 450]], "truncated": True}


@pytest.mark.clause("read.face.covered-relations")
def test_a_table_that_is_not_covered_is_answered_for_as_one_that_is_not_there(project: Project) -> None:
    answer, unknown = (ask(project, {"sql": f"SELECT * FROM {table}"}, "books_*") for table in ("shop_orders", "nope"))

    assert (answer.status_code, answer.json()["refusal"]) == (404, "StoreUnknownTable")
    assert answer.text.replace("shop_orders", "nope") == unknown.text


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ([], 400),
        ({}, 400),
        ({"sql": 1}, 400),
        ({"sql": "SELECT 1", "limit": 0}, 400),
        ({"sql": "SELECT 1", "limit": True}, 400),
        ({"sql": "SELECT 1", "as_of": "soon"}, 400),
        ({"sql": "SELECT"}, 400),
        ({"sql": "DROP TABLE shop_orders"}, 400),
        ({"sql": "SELECT * FROM read_csv('/etc/passwd')"}, 400),
        ({"sql": "SELECT 1", "limit": 10**30}, 200),
    ],
    ids=str,
)
def test_a_question_that_is_none_is_refused(project: Project, body: Any, status: int) -> None:
    assert ask(project, body, "*").status_code == status
