"""Runs and tables for agents, over the Model Context Protocol: reads, and what else a credential grants."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, ParamSpec

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent, ToolAnnotations

from contextful.authority import grant
from contextful.faces.shapes import history_page, read_answer
from contextful.kernel.failure import Failed, Failure, said
from contextful.kernel.shape import to_json
from contextful.run import history
from contextful.run.journal.steps import to_json as step_json
from contextful.run.record import Run
from contextful.run.shown import run_row
from contextful.runner.engine import Engine
from contextful.store import bound_time
from contextful_contract import errors
from contextful_contract.base import ContextfulError
from contextful_contract.errors import CancelUnauthorized, GrantPipelineNotCovered, GrantRunTraceDenied
from contextful_contract.shapes import FailureTag, Grant, GrantAction, RunStatus
from contextful_contract.statements import STATEMENTS

if TYPE_CHECKING:
    from contextful.ports.read_face import ReadFace

INSTRUCTIONS = (
    "Durable runs: list_runs finds them, describe_run and read_steps say what became of one, query reads the landed"
    " tables in SQL, and explain_refusal says by which rule something was refused."
)
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
STOPS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)
ROWS_DEFAULT = 100
REFUSALS: dict[str, type[ContextfulError]] = {
    name: made
    for name, made in vars(errors).items()
    if isinstance(made, type) and issubclass(made, ContextfulError) and made is not ContextfulError
}
Reads = Callable[["Sequence[Grant] | None"], "ReadFace"]
Grants = Callable[[], Sequence[Grant] | None]  # those of the caller as of now; none, where that is the store's owner
Given = ParamSpec("Given")
Json = dict[str, Any]


class Tools:
    """What an agent may ask of an engine, and of the tables beside it."""

    def __init__(self, engine: Engine, grants: Grants, reads: Reads | None) -> None:
        self._engine = engine
        self._grants = grants
        self._reads = reads

    def server(self) -> MCPServer:
        """The server, with the tools that whoever asks may use."""
        made: MCPServer = MCPServer("contextful", instructions=INSTRUCTIONS, log_level="ERROR")
        for tool in (self.list_runs, self.describe_run, self.read_steps, self.explain_refusal):
            made.tool(annotations=READS, structured_output=False)(_told(tool))
        if self._reads is not None:
            made.tool(annotations=READS, structured_output=False)(_told(self.query))
        grants = self._grants()
        if grants is not None and any(GrantAction.EXECUTE in each.actions for each in grants):
            made.tool(annotations=STOPS, structured_output=False)(_told(self.stop_run))
        return made

    def list_runs(
        self,
        pipeline: str | None = None,
        since: str | None = None,
        status: RunStatus | None = None,
        before: str | None = None,
        limit: int | None = None,
    ) -> Json:
        """The newest runs, 5 unless told otherwise and 500 at most.

        `since` is a day or a UTC instant such as 2026-03-01T00:00:00Z; `before` the last run of a page, for the next.
        """
        if pipeline is not None and not self._may(GrantAction.READ, pipeline):
            raise GrantPipelineNotCovered(pipeline=pipeline)
        page = self._engine.window(
            pipeline=pipeline,
            since_ms=None if since is None else history.since_ms(since),
            ceiling=history.described(limit),
            status=status,
            before=None if before is None else history.place(self._run(before)),
        )
        covered = [run for run in page.runs if self._covers(run)]
        if page.runs and not covered:
            raise GrantRunTraceDenied
        return to_json(history_page(replace(page, runs=covered)))

    def describe_run(self, run_id: str) -> Json:
        """All that is on record of a run: status, instants, counts, its failure, whoever holds it."""
        return to_json(run_row(self._run(run_id)))

    def read_steps(self, run_id: str) -> list[Json]:
        """The steps that are on record for a run's execution. What they returned is told by reference and size."""
        return [step_json(step) for step in self._engine.steps(self._run(run_id).execution_id)]

    def query(self, sql: str, limit: int = ROWS_DEFAULT, as_of: str | None = None) -> Json:
        """What one SELECT answers over the landed tables, each called <pipeline>_<table>; `SHOW TABLES` lists them.

        `as_of`, a day or a UTC instant, reads them as they stood then.
        """
        assert self._reads is not None, "the tool is there where tables are"
        as_of_ms = None if as_of is None else bound_time.bound_ms(as_of)
        if as_of is not None and as_of_ms is None:
            raise _misused("as_of is a day, or a UTC instant such as 2026-03-01T00:00:00Z")
        if limit < 1:
            raise _misused("limit is a whole number of rows")
        answer = self._reads(self._grants()).query(sql, rows_max=limit, as_of_ms=as_of_ms)
        return to_json(read_answer(answer, as_of_ms=as_of_ms))

    def explain_refusal(self, name: str) -> Json:
        """By which clause of the contract something is refused: `name` is how its message begins, or a clause's id."""
        refusal = REFUSALS.get(name)
        clause = name if refusal is None else refusal.clause
        if clause not in STATEMENTS:
            close = difflib.get_close_matches(name, [*REFUSALS, *STATEMENTS], n=1)
            raise _misused(f"nothing is refused as {name:.80}" + (f": did you mean {close[0]}?" if close else ""))
        told = {"clause": clause, "statement": STATEMENTS[clause]}
        return told if refusal is None else {**told, "sentence": refusal.sentence}

    def stop_run(self, run_id: str, reason: str, scope: Literal["run", "pipeline"] = "run") -> list[str]:
        """Ask a run to stop, or all that its pipeline has in flight; the ids of those that were asked."""
        run = self._engine.run(run_id)
        if run is None or not self._may(GrantAction.EXECUTE, _pipeline(run)):
            raise CancelUnauthorized(run_id=run_id)
        return list(self._engine.stop(run_id, scope=scope, reason=reason))

    def _run(self, run_id: str) -> Run:
        run = self._engine.run(run_id)
        if run is None and self._grants() is None:
            raise _misused(f"no run is called {run_id:.200}: list_runs lists them")
        if run is None or not self._covers(run):
            raise GrantRunTraceDenied
        return run

    def _covers(self, run: Run) -> bool:
        return self._may(GrantAction.READ, _pipeline(run))

    def _may(self, action: GrantAction, pipeline: str) -> bool:
        grants = self._grants()
        if grants is None:
            return action is GrantAction.READ  # the owner has a command line for the rest
        return grant.may(grants, action, pipeline=pipeline)


def _pipeline(run: Run) -> str:
    return run.pipeline_id or run.host_scope


def _misused(sentence: str) -> Failed:
    return Failed(Failure(FailureTag.CONFIG, sentence))


def _refused(sentence: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=sentence)], is_error=True)


def _told(tool: Callable[Given, Any]) -> Callable[Given, Any]:
    """The tool, whose refusals are told by name. What else goes wrong is nobody's business but ours."""

    @wraps(tool)
    def told(*args: Given.args, **kwargs: Given.kwargs) -> Any:
        try:
            return tool(*args, **kwargs)
        except ContextfulError as refusal:
            return _refused(f"{type(refusal).__name__}: {refusal}")
        except Failed as failure:
            return _refused(f"{failure.failure.tag}: {said(failure)}")

    return told
