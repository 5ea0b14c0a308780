"""`contextful mcp` over standard input and output, asked by the protocol's own client."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent

from contextful.faces import cli
from contextful.faces.embedded import Engine
from contextful.faces.manifest import MANIFEST
from contextful.faces.profile import Project
from contextful.kernel.failure import Permanent
from contextful.kernel.signal import Suspended

SHOP = """
site_id = "here"
project = { name = "shop" }
[[pipeline]]
id = "shop"
source = { name = "file", config = { path = "*.ndjson", format = "ndjson" } }
tables = ["orders"]
"""
AUDIENCE = "agents"
Talk = Callable[[Client], Awaitable[None]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a run that landed two rows, and one of a host that failed."""
    (tmp_path / MANIFEST).write_text(SHOP)
    (tmp_path / "orders.ndjson").write_text('{"id": 1}\n{"id": 2}\n')
    with Project.open(tmp_path) as project:
        project.run("shop", "r-1")
    with Engine.open(tmp_path) as engine, suppress(Permanent), engine.execution("nightly", "v1", run_id="r-2") as run:
        run.step("fetch", lambda: "page")
        raise Permanent("\x1b[31m<b>401 for key sk_live_4242</b>" + "x" * (50 << 20))
    return tmp_path


def talk(folder: Path, with_it: Talk, *options: str, environ: Mapping[str, str] | None = None) -> None:
    """Start the command, and talk to it."""
    arguments = ["-m", "contextful", "mcp", "--project", str(folder), *options]
    environment = {"PYTHONPATH": ":".join(sys.path), **(environ or {})}
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment)

    async def session() -> None:
        async with Client(stdio_client(server)) as client:
            await with_it(client)

    anyio.run(session)


def said(result: CallToolResult) -> str:
    return "\n".join(each.text for each in result.content if isinstance(each, TextContent))


async def answer(client: Client, tool: str, **arguments: object) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, said(result)
    return json.loads(said(result))


async def refused(client: Client, tool: str, **arguments: object) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return said(result)


def test_an_agent_reads_runs_steps_and_tables_and_changes_nothing(folder: Path) -> None:
    async def asks(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        runs = await answer(client, "list_runs")
        failed = await answer(client, "describe_run", run_id="r-2")

        assert set(tools) == {"list_runs", "describe_run", "read_steps", "query", "explain_refusal"}
        assert all(tool.annotations is not None and tool.annotations.read_only_hint for tool in tools.values())
        assert [run["run_id"] for run in runs["runs"]] == ["r-2", "r-1"]
        assert len(failed["error_message"].encode()) <= 2048
        assert "sk_live_4242" not in failed["error_message"]
        assert [step["label"] for step in [await answer(client, "read_steps", run_id="r-2")]] == ["fetch"]
        assert (await answer(client, "query", sql="SELECT count(*) AS n FROM shop_orders"))["rows"] == [[2]]
        assert (await answer(client, "list_runs", status="success"))["runs"][0]["run_id"] == "r-1"

    talk(folder, asks)


def test_a_refusal_is_told_by_name_and_explained_by_its_clause(folder: Path) -> None:
    async def asks(client: Client) -> None:
        unknown = await refused(client, "query", sql="SELECT * FROM nowhere")
        statement = await refused(client, "query", sql="DROP TABLE shop_orders")
        explained = await answer(client, "explain_refusal", name=unknown.partition(":")[0])
        meant = await refused(client, "explain_refusal", name="GrantRunTraceDenid")

        assert unknown.startswith("StoreUnknownTable: ")
        assert await refused(client, "describe_run", run_id="r-9") == "Config: no run is called r-9"
        assert statement.startswith("ReadStatementRefused: ")
        assert explained["clause"] == "store.lay-out.unknown-table"
        assert "did you mean GrantRunTraceDenied?" in meant
        assert (await refused(client, "list_runs", since="yesterday")).startswith("HistoryBoundSpelling: ")

    talk(folder, asks)


def test_a_credential_says_what_an_agent_may(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = str(folder / "issuer")
    cli.run(["token", "keygen", "--out", key])
    capsys.readouterr()
    minted = ["--action", "read", "--action", "execute", "--pipeline", "shop", "--on-behalf-of", "agent://a"]
    assert cli.run(["token", "mint", "--key", key, "--audience", AUDIENCE, *minted]) == 0
    token = capsys.readouterr().out.strip()

    async def asks(client: Client) -> None:
        assert "stop_run" in {tool.name for tool in (await client.list_tools()).tools}
        assert [run["run_id"] for run in (await answer(client, "list_runs"))["runs"]] == ["r-1"]
        assert (await refused(client, "describe_run", run_id="r-2")).startswith("GrantRunTraceDenied")
        assert (await refused(client, "stop_run", run_id="r-2", reason="no")).startswith("CancelUnauthorized")
        assert (await refused(client, "stop_run", run_id="r-1", reason="no")).startswith("CancelTargetNotInFlight")
        assert (await refused(client, "query", sql="SELECT * FROM shop_orders")).startswith("StoreUnknownTable")

    options = ("--public-key", f"{key}.pub", "--audience", AUDIENCE)
    talk(folder, asks, *options, environ={"CONTEXTFUL_TOKEN": token})


def test_a_key_without_a_credential_is_refused_before_anything_is_served(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.run(["token", "keygen", "--out", str(folder / "issuer")])

    code = cli.run(["mcp", "--project", str(folder), "--public-key", str(folder / "issuer.pub")])

    assert code == 1
    assert "--audience and the variable CONTEXTFUL_TOKEN" in capsys.readouterr().err


def test_a_credential_that_allows_it_answers_what_waits_and_rewinds_what_is_pending(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Engine.open(folder) as engine:
        waits = engine.execution("order-7", "plan", run_id="r-3")
        approval = waits.awakeable("approve")
        with suppress(Suspended), waits:
            approval.wait()
    key = str(folder / "issuer")
    cli.run(["token", "keygen", "--out", key])
    capsys.readouterr()
    minted = ["--action", "execute", "--action", "admin", "--pipeline", "*", "--on-behalf-of", "agent://a"]
    assert cli.run(["token", "mint", "--key", key, "--audience", AUDIENCE, *minted]) == 0
    token = capsys.readouterr().out.strip()

    async def asks(client: Client) -> None:
        answered = await answer(client, "answer_awakeable", token=approval.token, payload={"ok": True})
        again = await refused(client, "answer_awakeable", token=approval.token, payload="another")
        rewound = await answer(client, "rewind_run", run_id="r-2", reason="given up", force=True)

        assert answered == {"payload": {"ok": True}}
        assert again.startswith("AwakeableAlreadyResolved: ")
        assert rewound["execution_id"].startswith("exec-")
        assert "GrantRunTraceDenied" in await refused(client, "describe_run", run_id="r-1")

    options = ("--public-key", f"{key}.pub", "--audience", AUDIENCE)
    talk(folder, asks, *options, environ={"CONTEXTFUL_TOKEN": token})


def test_hostile_arguments_are_answered_in_a_line_and_the_server_goes_on(folder: Path) -> None:
    async def asks(client: Client) -> None:
        wide = await refused(client, "query", sql="SELECT repeat('x', 2000000)")

        assert wide.startswith("Config: the answer has more than 1,048,576 characters")
        assert (await refused(client, "query", sql="SELECT '\0'")).startswith("ReadStatementRefused: ")
        assert len(await refused(client, "describe_run", run_id="x" * 1_000_000)) < 300
        assert (await refused(client, "list_runs", limit=-1)).startswith("Config: ")
        assert len((await answer(client, "list_runs", limit=10**30))["runs"]) == 2

    talk(folder, asks)
