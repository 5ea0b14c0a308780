"""The pytest plugin that turns a run into evidence: `build/evidence.json`.

Each item that cites a clause says so in its reports' `user_properties`, which reach the controller under
xdist and the JUnit file alike. The controller folds the reports into units; what never ran (left out, or
open for want of a step) comes from the collection itself, and from a worker by its `workeroutput`.
"""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tools import fold, git, lines, marks, selection, snapshot, told, units
from tools.command import Trouble
from tools.fold import Phase
from tools.told import Told
from tools.units import Evidence, Proof, Session, Unit

OUTPUT = "contextful_evidence"


@pytest.fixture
def record_proof(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Records the facts of a theorem, by the fields of `Proof`; without them, green is no evidence.

    `mutants` maps each mutant to whether it was killed. `reason` says why it is no theorem after all:
    `theorem-timeout` (undetermined), `theorem-refuted`, `theorem-pre-unsat`, `cover-unreached`.
    """

    def record(**facts: Any) -> None:
        request.node.user_properties.append(told.recorded(Proof(**facts)))

    return record


def pytest_configure(config: pytest.Config) -> None:
    """Watch the run."""
    config.pluginmanager.register(Witness(config), "contextful-witness")


class Witness:
    """Sees a session from collection to end, and writes down what it saw."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._root = config.rootpath
        self._worker = hasattr(config, "workerinput")
        self._phases: dict[str, list[Phase]] = {}
        self._told: dict[str, Told] = {}
        self._unrun: dict[str, Unit] = {}
        self._selected = self._deselected = self._finished = 0
        self._started = time.monotonic()
        self._commit = ""
        self._dirty = True

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Note which sources this run is a run of, before a test can change them."""
        if not self._worker:
            self._commit = git.head(self._root)
            self._dirty = git.dirty(self._root, apart_from=snapshot.WHERE)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Let every item say what it is evidence for, and set the open scenarios aside."""
        for item in items:
            row = marks.describe(item)
            if row.clauses:
                item.user_properties.extend(told.properties(row))
        aside = dict(self._open(items))
        if aside:
            items[:] = [item for item in items if item not in aside]
            for item, step in aside.items():
                self._unrun[item.nodeid] = fold.unwritten(marks.describe(item), step)
            self._config.hook.pytest_deselected(items=list(aside))

    def _open(self, items: list[pytest.Item]) -> Iterator[tuple[pytest.Item, str]]:
        """The scenarios that wait for a step, but for those whose clause once was met: these must fail."""
        if not self._config.pluginmanager.hasplugin("pytest-bdd"):
            return
        from tools import scenarios

        try:
            accepted = snapshot.read(self._root)
        except Trouble as trouble:
            raise pytest.UsageError(str(trouble)) from None
        met = {line.id for line in accepted.values() if line.verdict == "met"}
        generated = [item for item in items if item.get_closest_marker("scenario")]
        for item, step in scenarios.first_missing(generated):
            if met.isdisjoint(marks.describe(item).clauses):
                yield item, step

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Remember evidence that exists and was left out."""
        self._deselected += len(items)
        for item in items:
            row = marks.describe(item)
            if row.clauses:
                self._unrun.setdefault(item.nodeid, fold.unrun(row))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count what is about to run."""
        self._selected = len(session.items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what one phase of one item came to."""
        if self._worker:
            return
        self._finished += report.when == "teardown" or report.when not in ("setup", "call")
        # the report of a worker that died carries nothing: its setup has told already
        row = told.read(report.user_properties) or self._told.get(report.nodeid)
        if row is not None:
            self._told[report.nodeid] = row
            self._phases.setdefault(report.nodeid, []).append(marks.phase(report))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker's collection found; every worker collects the same."""
        found = getattr(node, "workeroutput", {}).get(OUTPUT)
        if found is not None:
            self._selected, self._deselected = found["selected"], found["deselected"]
            self._unrun = {id: units.from_row(row) for id, row in found["unrun"].items()}

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Hand the collection to the controller, or write the evidence."""
        if self._worker:
            unrun = {id: units.to_row(unit) for id, unit in self._unrun.items()}
            found = {"selected": self._selected, "deselected": self._deselected, "unrun": unrun}
            self._config.workeroutput[OUTPUT] = found  # type: ignore[attr-defined]
        elif not self._config.option.collectonly:
            seen = tuple(self._units())
            session = self._session(int(exitstatus))
            units.write(self._root, units.merge(_known(self._root), session, seen))
            if getattr(self._config.option, "cov_context", None):
                lines.distil(self._root, seen)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say how many scenarios ran and how many wait for a step, and which theorems are none."""
        units = list(self._units())
        waiting = [unit for unit in units if unit.outcome == "open"]
        ran = sum(unit.kind == "scenario" and unit.outcome not in ("open", "not-run") for unit in units)
        if ran or waiting:
            first = f"; the first step to write: {waiting[0].detail}" if waiting else ""
            terminalreporter.write_line(f"scenarios: {ran} ran, {len(waiting)} open{first}")
        for unit in units:
            if unit.kind == "theorem" and unit.outcome in ("failed", "undetermined"):
                words = f"{unit.id}  {unit.reason}  {unit.detail}".rstrip()
                terminalreporter.write_line(f"theorem {unit.outcome}: {words}")

    def _units(self) -> Iterator[Unit]:
        """Each unit of the run, from all of its rows, run or not."""
        rows = [fold.row(row, self._phases[id]) for id, row in self._told.items()]
        grouped: dict[str, list[Unit]] = {}
        for row in [*rows, *self._unrun.values()]:
            grouped.setdefault(row.id, []).append(row)
        return (fold.unit(grouped[id]) for id in sorted(grouped))

    def _session(self, exit_status: int) -> Session:
        ended = "" if exit_status in (0, 1) else pytest.ExitCode(exit_status).name.lower().replace("_", " ")
        stopped = "" if self._finished >= self._selected else "stopped early"
        return Session(
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            commit=self._commit,
            dirty=self._dirty,
            partial=selection.narrowed_by(self._config) or ended or stopped,
            selected=self._selected,
            deselected=self._deselected,
            open=len({unit.id for unit in self._unrun.values() if unit.outcome == "open"}),
            exit_status=exit_status,
            seconds=round(time.monotonic() - self._started, 3),
        )


def _known(root: Path) -> Evidence:
    """The evidence so far; what cannot be read any more is none."""
    try:
        return units.read(root)
    except Trouble:
        return Evidence()
