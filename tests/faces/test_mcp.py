"""`contextful mcp`, driven over standard input and output by the SDK's own client, and its tools by themselves."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult

import contextful
from contextful.adapters import jose
from contextful.adapters.system import SystemWorld
from contextful.authority.issue import issue
from contextful.faces.cli import run
from contextful.faces.cli.mcp import TOKEN
from contextful.faces.mcp import Agents
from contextful.faces.profile import Project
from contextful_contract.shapes import GrantAction

PRIVATE, PUBLIC = jose.keys()
AUDIENCE = "agents"
READING = ["list_runs", "describe_run", "read_steps", "query_tables", "explain_refusal"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose orders have landed, beside a run that failed in words from outside."""
    at = tmp_path_factory.mktemp("agents") / "shop"
    assert run(["init", str(at)]) == 0
    assert run(["pipeline", "run", "shop", "--run-id", "r-1", "-p", str(at)]) == 0
    with contextful.Engine.open(at) as engine, pytest.raises(contextful.Permanent):
        fails(engine)
    return at


def fails(engine: contextful.Engine) -> None:
    with engine.execution("job", "plan", run_id="r-2") as execution:
        execution.step("fetch", lambda: "page")
        raise contextful.Permanent("401 for key sk_live_4242")


def token(*actions: GrantAction, pipelines: tuple[str, ...] = ("*",)) -> str:
    credential = issue(
        id="credential-1",
        audience=AUDIENCE,
        now_ms=SystemWorld().now_ms(),
        ttl_ms=60_000,
        actions=actions,
        pipelines=pipelines,
        on_behalf_of="svc://agent",
    )
    return jose.sign(credential, jose.private_key(PRIVATE, path="issuer"))


def call(folder: Path, name: str, given: dict[str, Any], credential: str | None = None) -> CallToolResult:
    """What a tool answers, of a server in this process."""

    async def called() -> CallToolResult:
        with Project.open(folder) as project:
            gate = project.engine.gate(PUBLIC, audience=AUDIENCE, path="issuer")
            bearer = None if credential is None else (lambda: gate.bearer(credential))
            server = Agents(project.engine, reads=project.reads, credential=bearer).server()
            async with Client(server) as client:
                return await client.call_tool(name, given)

    return asyncio.run(called())


def refusal(result: CallToolResult) -> str:
    assert result.is_error
    return str(result.content[0].text)  # type: ignore[union-attr]


def test_an_agent_reads_runs_and_tables_over_standard_input_and_output(folder: Path) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "contextful", "mcp", "--project", str(folder)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    async def asked() -> tuple[list[str], Any, Any]:
        async with Client(stdio_client(server)) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            runs = (await client.call_tool("list_runs", {"status": "success"})).structured_content
            rows = await client.call_tool(
                "query_tables", {"sql": "SELECT item FROM shop_orders ORDER BY id", "limit": 1}
            )
            return tools, runs, rows.structured_content

    tools, runs, rows = asyncio.run(asked())

    assert tools == READING
    assert [each["run_id"] for each in runs["runs"]] == ["r-1"]
    assert (rows["rows"], rows["truncated"]) == ([["tea"]], True)


def test_steps_are_read_without_their_values_and_errors_without_credentials(folder: Path) -> None:
    described = call(folder, "describe_run", {"run_id": "r-2"}).structured_content
    steps = call(folder, "read_steps", {"run_id": "r-2"}).structured_content

    assert described is not None
    assert described["error_kind"] == "Permanent"
    assert "sk_live_4242" not in str(described)
    assert steps is not None
    assert [(step["label"], step["content_bytes"]) for step in steps["steps"]] == [("fetch", 6)]


@pytest.mark.parametrize("name", ["HistoryBoundSpelling", "run.record.bound-spelling"])
def test_a_refusal_is_explained_by_its_clause(folder: Path, name: str) -> None:
    told = call(folder, "explain_refusal", {"name": name}).structured_content

    assert told is not None
    assert told["clause"] == "run.record.bound-spelling"
    assert "third spelling" in told["states"]


@pytest.mark.parametrize(
    ("tool", "given", "says"),
    [
        ("describe_run", {"run_id": "r-9"}, "Config: no run is called r-9"),
        ("list_runs", {"since": "yesterday"}, "HistoryBoundSpelling: "),
        ("list_runs", {"status": "failed", "error": "Permanent"}, "Config: "),
        ("query_tables", {"sql": "DROP TABLE shop_orders"}, "ReadStatementRefused: "),
        ("query_tables", {"sql": "SELECT 1", "as_of": "soon"}, "soon is no day"),
        ("query_tables", {"sql": "SELECT 1", "limit": 10**9}, "less than or equal to 1000"),
        ("explain_refusal", {"name": "ContextfulError"}, "ContextfulError is neither"),
        ("explain_refusal", {"name": "__builtins__"}, "__builtins__ is neither"),
        ("stop_run", {"run_id": "r-2"}, "stop_run"),
    ],
)
def test_what_cannot_be_answered_is_refused_by_name(folder: Path, tool: str, given: dict[str, Any], says: str) -> None:
    assert says in refusal(call(folder, tool, given))


@pytest.mark.clause("authority.grant.execute")
def test_a_credential_that_only_reads_stops_nothing_and_rewinds_nothing(folder: Path) -> None:
    reads = token(GrantAction.READ)

    assert "CancelUnauthorized: " in refusal(call(folder, "stop_run", {"run_id": "r-2"}, reads))
    assert "GrantRunTraceDenied: " in refusal(call(folder, "rewind_run", {"run_id": "r-2", "reason": "x"}, reads))


@pytest.mark.clause("authority.grant.history-filter")
def test_a_credential_shows_what_it_covers_and_no_more(folder: Path) -> None:
    shop = token(GrantAction.READ, pipelines=("shop",))

    runs = call(folder, "list_runs", {}, shop).structured_content

    assert runs is not None
    assert [each["run_id"] for each in runs["runs"]] == ["r-1"]
    assert "GrantRunTraceDenied: " in refusal(call(folder, "describe_run", {"run_id": "r-2"}, shop))


def test_a_credential_that_allows_it_rewinds_pending_work(tmp_path: Path) -> None:
    assert run(["init", str(tmp_path / "shop")]) == 0
    with contextful.Engine.open(tmp_path / "shop") as engine, pytest.raises(contextful.Permanent):
        fails(engine)

    told = call(
        tmp_path / "shop",
        "rewind_run",
        {"run_id": "r-2", "reason": "given up", "force": True},
        token(GrantAction.ADMIN),
    )

    assert told.structured_content is not None
    with contextful.Engine.open(tmp_path / "shop") as engine:
        assert engine.pending("job") is None


def test_a_credential_that_does_not_stand_is_refused_before_there_is_a_server(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "issuer.pub"
    key.write_bytes(PUBLIC)
    command = ["mcp", "--project", str(folder), "--audience", AUDIENCE]
    monkeypatch.setenv(TOKEN, "forged")

    assert run(command) == 1
    assert run([*command, "--public-key", str(key)]) == 1

    halves, forged = capsys.readouterr().err.splitlines()
    assert "takes all three" in halves
    assert not forged.startswith("InternalError")
