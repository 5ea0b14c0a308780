"""Steps of run.retry about what others ask for: a server's answers, and the pause of one source among several."""

from __future__ import annotations

from contextlib import closing
from functools import partial

from pytest_bdd import given, parsers, then, when

from contextful.pipeline.pull import Ask
from contextful.ports.world import Event
from contextful.testing import SkippingWorld
from tests.steps.script import Act, nothing
from tests.steps.server import Server
from tests.steps.shop import fails
from tests.steps.stage import Stage, returns


@given(parsers.parse("its server answers status {status:d} to every call"))
def server_answers_always(stage: Stage, server: Server, status: int) -> None:
    """The step's effect is a real call of the HTTP adapter."""
    server.status = status

    def call() -> object:
        with closing(server.source(stage.world)) as source:
            return source.pull(Ask(), idempotency_key="key").records()

    stage.effect().script = [call]


@then(parsers.parse("the server has been called {count:d} times"))
def server_has_been_called(server: Server, count: int) -> None:
    assert len(server.asked) == count


@given("a run of source `ads` and a run of source `crm`")
def runs_of_two_sources(stage: Stage) -> None:
    """In one process, on one engine."""
    stage.world = MeanwhileWorld()


@when(parsers.parse("source `ads` answers `RateLimited` with `Retry-After: {seconds:d}`"))
def source_answers(stage: Stage, seconds: int) -> None:
    """The run of the other one begins and ends while this one waits."""
    stage.effect("ads").script = [fails("RateLimited", seconds), returns("ok")]
    engine = stage.engine()

    def run(source: str) -> None:
        with engine.execution(source, "plan") as run:
            stage.perform(run, source)

    assert isinstance(stage.world, MeanwhileWorld)
    stage.world.meanwhile = partial(run, "crm")
    run("ads")


@then(parsers.parse("the run of source `{source}` waits {seconds:d} s"))
def run_waits(stage: Stage, source: str, seconds: int) -> None:
    """Nothing else takes time on this stage."""
    (run,) = (run for run in stage.onlooker().history() if run.host_scope == source)
    assert run.ended_ms is not None
    assert run.ended_ms - run.started_ms == seconds * 1_000


class MeanwhileWorld(SkippingWorld):
    """A world in whose first wait something else goes on in the same process."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Act = nothing

    def wait(self, event: Event, timeout_ms: int) -> bool:
        """As ever, once that is done."""
        act, self.meanwhile = self.meanwhile, nothing
        act()
        return super().wait(event, timeout_ms)
