"""Steps of run.journal.escape-hatch: the reads that nobody records, and what each says for itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pytest_bdd import then, when

from contextful.adapters import sources
from contextful.adapters.sources import file_snapshot, sql
from contextful.testing import engine
from tests.steps.stage import Stage

ENGINE = Path(sources.__file__).parents[2]
FOUND = re.compile(r"^.*(?:JOURNALED = False|\.unsafe\(|unjournaled=).*$", re.MULTILINE)
ARGUED = re.compile(r"JOURNALED = False  # .{20,}|because=|unjournaled=\"")


@when("the code is searched for unjournaled reads")
def code_is_searched(stage: Stage) -> None:
    stage.seen["reads"] += [line for path in ENGINE.rglob("*.py") for line in FOUND.findall(path.read_text())]


@then("each one found is a `journal.unsafe` or a source that declares it")
def each_is_declared(stage: Stage) -> None:
    """What the declarations say is what the sources do: no other is unrecorded."""
    assert len(stage.seen["reads"]) == 2
    assert (file_snapshot.JOURNALED, file_snapshot.FileSnapshot.journaled) == (False, False)
    assert sql.WHOLE_JOURNALED is False


@then("each one found states its idempotency argument")
def each_states_its_argument(stage: Stage) -> None:
    assert all(ARGUED.search(str(line)) for line in stage.seen["reads"])
    with engine().execution("scope", "plan") as run:
        assert (
            run.unsafe("clock", lambda: 7, because="the time is another one each time, and nothing depends on it") == 7
        )
        with pytest.raises(TypeError, match="because"):
            run.unsafe("clock", lambda: 7, because=" ")
