"""Steps of the execution interface, and of the plan that a run keeps to."""

from __future__ import annotations

import pytest
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.faces.profile import Project
from contextful.kernel.signal import Suspended
from contextful.ports.substrate import Substrate, Work
from contextful.runner.substrate import EngineSubstrate
from tests.steps.apply import declare
from tests.steps.shop import Shop
from tests.steps.stage import Stage

SCOPE = "job:score"


@given(parsers.parse("a run started against plan `{plan}`"))
def run_started(stage: Stage, plan: str) -> None:
    stage.opened["run"] = stage.engine().execution(SCOPE, plan, run_id="run-1")


@when(parsers.parse("plan `{plan}` is applied while it runs"))
def plan_is_applied(stage: Stage, shop: Shop, plan: str) -> None:
    run = stage.opened["run"]
    run.step("first", int)
    declare(shop)
    with Project.open(shop.folder, world=stage.world) as project:
        project.apply(project.draft(), plans={SCOPE: [plan]})
    stage.seen["plans"].append(run.step("last", lambda: run.plan_ref))


@then(parsers.parse("its last step resolves plan `{plan}`"))
def last_step_resolves(stage: Stage, plan: str) -> None:
    assert stage.seen["plans"] == [plan]
    stage.opened["run"].close(contextful.run.record.Closing(contextful.RunStatus.SUCCESS))
    closed = stage.onlooker().run("run-1")
    assert closed is not None
    assert closed.plan_ref == plan


@when("the execution interface is listed")
def interface_is_listed(stage: Stage) -> None:
    offered = {name for kind in (Substrate, Work) for name in vars(kind) if not name.startswith("_")}
    stage.seen["operations"] = sorted(offered)


@then(parsers.parse("it offers `{names}`"))
def it_offers(stage: Stage, names: str) -> None:
    assert set(names.split(", ")) <= set(stage.seen["operations"])


@then("the engine's own does each of them")
def engine_does_each(stage: Stage) -> None:
    """Over two attempts: what the first recorded and where it stood, the second finds."""
    engine = contextful.Engine(stage.rows, stage.blobs, stage.world, capabilities={"mail": object()})
    substrate: Substrate = EngineSubstrate(engine, stage.rows, stage.world)
    assert substrate.capabilities() == ["mail"]
    tried: list[int] = []

    def busy() -> int:
        tried.append(1)
        raise contextful.Transient("busy")

    def first() -> None:
        with substrate.open_or_resume(SCOPE, "plan-a", run_id="one") as work:
            assert work.record("page", int, "7") == 7
            work.commit_cursor("p-1")
            work.attach_schedule("call", contextful.Schedule(attempts=2))
            with pytest.raises(contextful.StepFailed):
                work.record("call", busy)
            work.suspend("approve", ttl="24h")

    with pytest.raises(Suspended):
        first()
    assert len(tried) == 2

    with substrate.open_or_resume(SCOPE, "plan-a", run_id="two") as work:
        assert work.cursor() == "p-1"
        (waits,) = engine.awaited(engine.run("two").execution_id)  # type: ignore[union-attr]
        engine.resolve(waits.token, "yes")
        assert work.suspend("approve", ttl="24h") == "yes"
