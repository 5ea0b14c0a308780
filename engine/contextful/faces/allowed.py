"""What whoever asks may see and do: the holder of a credential, or the owner of the stores, who needs none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contextful.authority import grant
from contextful.authority.credential import Credential
from contextful.faces import shapes
from contextful.kernel.failure import Failed, Failure
from contextful.ports.read_face import Answer, ReadFace
from contextful.run import parts
from contextful.run.history import Page, described, place
from contextful.run.items import Named
from contextful.run.journal.steps import Step
from contextful.run.own import own
from contextful.run.parts import Parts
from contextful.run.record import Run
from contextful.runner.engine import Engine
from contextful.store import reserve
from contextful_contract.errors import CancelUnauthorized, GrantPipelineNotCovered, GrantRunTraceDenied
from contextful_contract.shapes import Awakeable, DowngradeEvent, FailureTag, GrantAction, RunStatus

PAGE = 500  # how many runs are looked through at once for those that are covered
PAGES_MAX = 20
PAGES_OF_PARTS_MAX = 200  # where parts are left out, of which a run may have many


class Landed(Protocol):
    """The tables beside an engine."""

    def answering(self, credential: Credential | None) -> ReadFace:
        """What whoever presents this reads through."""

    def schema_diff(self, run: Run) -> Sequence[DowngradeEvent]:
        """What the run landed as less than it arrived as."""


class NoTables(Failed):
    """The folder declares no pipeline, so there is nothing to ask about."""

    def __init__(self) -> None:
        super().__init__(Failure(FailureTag.CONFIG, "there are no tables here: this folder declares no pipeline"))


class Allowed:
    """An engine as a credential lets it be seen. Without one, it is the owner who looks."""

    def __init__(self, engine: Engine, tables: Landed | None, credential: Credential | None) -> None:
        self._engine = engine
        self._tables = tables
        self._credential = credential
        self._wholes: dict[str, bool] = {}  # whether there is a run of the id
        self._grants = None if credential is None else credential.grants

    def runs(
        self,
        *,
        pipeline: str | None = None,
        since_ms: int | None = None,
        limit: int | None = None,
        status: RunStatus | None = None,
        error: FailureTag | None = None,
        before: str | None = None,
        whole: bool = False,
    ) -> Page:
        """The latest runs of the pipelines that are covered; `before` is the id of a run that they stand behind.

        With `whole`, those alone that are no part of another, as an item is of its job's fire.
        """
        if pipeline is not None and not self._may(GrantAction.READ, pipeline):
            raise GrantPipelineNotCovered(pipeline=pipeline)  ##= authority.grant.pipeline-not-covered
        ceiling = size = described(limit)
        behind = None if before is None else place(self.run(before))
        covered: list[Run] = []
        denied = True
        for _ in range(PAGES_OF_PARTS_MAX if whole else PAGES_MAX):
            page = self._engine.window(
                pipeline=pipeline, since_ms=since_ms, ceiling=size, status=status, error=error, before=behind
            )
            seen = [run for run in page.runs if self._may(GrantAction.READ, named(run))]
            denied &= not seen
            covered += [run for run in seen if not (whole and self._is_part(run))]
            if len(covered) >= ceiling or not page.truncated:
                break
            behind, size = place(page.runs[-1]), PAGE
        if page.runs and denied:
            raise GrantRunTraceDenied
        more = page.truncated or len(covered) > ceiling
        return Page(since_ms, ceiling, covered[:ceiling], more)  ##= authority.grant.history-filter

    def run(self, run_id: str, action: GrantAction = GrantAction.READ) -> Run:
        """The run. One that is not covered and one that never was are refused alike."""
        run = self._engine.run(run_id)
        if run is None and self._grants is None:
            raise Failed(Failure(FailureTag.CONFIG, f"no run is called {run_id:.200}"))
        if run is None or not self._may(action, named(run)):
            raise GrantRunTraceDenied  ##= authority.grant.run-trace-denied
        return run

    def described(self, run_id: str) -> dict[str, object]:
        """All that is on record of the run."""
        return shapes.described(self.run(run_id), None if self._tables is None else self._tables.schema_diff)

    def steps(self, run_id: str) -> Sequence[Step]:
        """What the run's execution has recorded so far, without the values."""
        return self._engine.steps(self.run(run_id).execution_id)

    def parts(self, run_id: str) -> Parts:
        """What the run's execution is made of."""
        return self._engine.parts(self.run(run_id).execution_id)

    def item(self, run: Run) -> Named | None:
        """What the item that the run is an attempt at is called: for whoever may read it in `_items`."""
        told = self._may(GrantAction.READ, grant.EVERY) and (
            self._grants is None or grant.may(self._grants, GrantAction.READ, table=reserve.ITEMS)
        )
        return self._engine.item(run) if told else None

    def output(self, run_id: str, reference: str) -> bytes | None:
        """What a step returned, as it is recorded: for whoever may do more than read."""
        return self._engine.recorded(self.run(run_id, GrantAction.ADMIN).run_id, reference)

    def awaited(self, run_id: str) -> Sequence[Awakeable]:
        """What the run waits for, with the tokens that answer it: for whoever may make it go on."""
        return self._engine.awaited(self.run(run_id, GrantAction.EXECUTE).execution_id)

    def stop(self, run_id: str, *, scope: str, reason: str | None) -> Sequence[str]:
        """Mark runs to be stopped; which. A run that is not covered and one that never was are answered alike."""
        run = self._engine.run(run_id)
        ##= run.cancel.authority-from-the-record
        if run is None or not self._may(GrantAction.EXECUTE, named(run)):
            raise CancelUnauthorized(run_id=run_id)  ##= run.cancel.stop-unauthorized
        return self._engine.stop(run_id, scope=scope, reason=reason)

    def rewind(self, run_id: str, *, reason: str, force: bool) -> own.Owner:
        """Give up the pending work that the run was at."""
        run = self.run(run_id, GrantAction.ADMIN)
        return self._engine.rewind(run.execution_id, reason=reason, force=force)

    def query(self, sql: str, *, rows_max: int, as_of_ms: int | None, available_as_of_ms: int | None) -> Answer:
        """What one SELECT answers, of the tables that are covered."""
        if self._tables is None:
            raise NoTables
        reads = self._tables.answering(self._credential)
        return reads.query(sql, rows_max=rows_max, as_of_ms=as_of_ms, available_as_of_ms=available_as_of_ms)

    def _is_part(self, run: Run) -> bool:
        whole_id = parts.whole_id(run)
        if whole_id not in self._wholes:
            self._wholes[whole_id] = bool(whole_id) and self._engine.run(whole_id) is not None
        return self._wholes[whole_id]

    def _may(self, action: GrantAction, pipeline: str) -> bool:
        return self._grants is None or grant.may(self._grants, action, pipeline=pipeline)


def named(run: Run) -> str:
    """What a grant has to cover: the pipeline of the run's record, or its host scope."""
    return run.pipeline_id or run.host_scope
