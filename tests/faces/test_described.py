"""A run that landed something as less than it arrived as says so wherever it is described."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient

from contextful.adapters import jose
from contextful.authority.issue import issue
from contextful.faces.cli import run
from contextful.faces.mcp import Tools
from contextful.faces.profile import Project
from contextful_contract.shapes import GrantAction

MANIFEST = """\
site_id = "local"

[project]
name = "shop"

[[pipeline]]
id = "shop"
source = { name = "python", config = { function = "orders:orders" } }
tables = [{ name = "orders", primary_key = "id" }]
"""
SOURCE = """\
import contextful

@contextful.source()
def orders(asked):
    return contextful.Page([{"id": 1, "payload": {"items": {"a": "1"}}}], types={"payload.items": "map of utf8"})
"""
PRIVATE, PUBLIC = jose.keys()
AUDIENCE = "http://here"


def served(project: Project) -> dict[str, object]:
    """What the served face answers about the run."""
    credential = issue(
        id="credential-1",
        audience=AUDIENCE,
        now_ms=project.engine._world.now_ms(),
        ttl_ms=60_000,
        actions=(GrantAction.READ,),
        pipelines=["*"],
    )
    headers = {"authorization": f"Bearer {jose.sign(credential, jose.private_key(PRIVATE, path='issuer'))}"}

    async def asked() -> dict[str, object]:
        application = ASGITransport(project.served(PUBLIC, audience=AUDIENCE))
        async with AsyncClient(transport=application, base_url=AUDIENCE) as client:
            answer: dict[str, object] = (await client.get("/runs/r-1", headers=headers)).json()
            return answer

    return asyncio.run(asked())


@pytest.mark.clause("run.record.schema-diff-home")
def test_every_face_tells_a_runs_downgrade_events(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "contextful.toml").write_text(MANIFEST)
    (tmp_path / "orders.py").write_text(SOURCE)
    with Project.open(tmp_path) as project:
        project.run("shop", "r-1")

        of_page = served(project)
        of_agent = Tools(project.engine, lambda: None, project).describe_run("r-1")
    assert run(["run", "show", "r-1", "--project", str(tmp_path)]) == 0
    of_command = json.loads(capsys.readouterr().out)

    (event,) = of_command["schema_diff"]
    assert (event["path"], event["source_type"], event["landed_type"]) == ("payload.items", "map of utf8", "utf8")
    assert of_page == of_agent == of_command
