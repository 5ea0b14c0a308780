"""Steps of run.own: scopes and their owners, of a host and of a table."""

from __future__ import annotations

import contextlib

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.kernel.failure import Failed
from contextful.kernel.signal import Stopped, Suspended
from contextful.run.own import own
from contextful.testing import Crash, Crashes
from contextful_contract.shapes import RunStatus
from tests.steps.backfill import chunked
from tests.steps.script import Page, position
from tests.steps.shop import Shop, fails
from tests.steps.stage import LEASE_LAPSED_MS, Stage, always, instant_ms, never

TABLES = ("orders", "items")  # every other scope is a host's
PLANS = {"plan-a": {}, "plan-b": {"retry": {"attempts": 7}}}  # of a table: how its pipeline is declared


@given(parsers.parse("the host supplies identity `{name}` as `{value}`"))
def host_supplies(stage: Stage, name: str, value: str) -> None:
    stage.identities[name] = value


@given(parsers.re(r"scope `(?P<scope>[\w:/-]+)` has a pending owner under plan `(?P<plan>[\w-]+)`"))
def pending_owner(stage: Stage, shop: Shop, scope: str, plan: str) -> None:
    """An attempt opened the scope, its process is gone, and its lease has lapsed."""
    stage.scope = _scope(scope)
    if isinstance(stage.scope, own.TableScope):
        shop.tables, shop.pipeline = [scope], {**shop.pipeline, **PLANS[plan]}
        shop.listing.number(2)
        shop.listing.begins.add(shop.cursor(scope).position)
        shop.next_fire(at_pull={2: shop.die})
    elif isinstance(stage.scope, own.ChunkScope):
        chunked(shop, 1)
        shop.dies(at_pull={2: shop.die}, chunks=True)
    else:
        _opens(stage, f"{scope}-1", plan)
    _lapses(stage)
    owner = stage.owner()
    assert owner is not None
    stage.execution_id = owner.execution_id
    stage.named["the retired one"] = owner.execution_id


@given("that owner has `recorded steps one, two`")
def owner_has_recorded(stage: Stage) -> None:
    stage.before = ["one", "two"]
    _opens(stage, "before", _plan(stage))
    assert len(stage.entries("recorded")) == 2
    _lapses(stage)


@given("that owner has `a live attempt`")
def owner_has_a_live_attempt(stage: Stage) -> None:
    _opens(stage, "live", _plan(stage))
    stage.named["it"] = "live"


@given("that owner has `a waiting attempt`")
def owner_has_a_waiting_attempt(stage: Stage) -> None:
    stage.effect("send").script = [fails("RateLimited", 900)]
    stage.before = ["send"]
    with contextlib.suppress(Suspended), stage.engine().execution(_host(stage), _plan(stage), run_id="waits") as run:
        stage.perform(run, "send")
    stage.run_id = stage.named["it"] = "waits"
    assert stage.run().status is RunStatus.WAITING


@given("that owner has `an awakeable before its deadline`")
def owner_has_an_awakeable(stage: Stage) -> None:
    """Its attempt is gone; whoever has the token may answer for a day."""
    _opens(stage, "asks", _plan(stage))
    stage.opened["asks"].awakeable("approve", ttl="24h")
    stage.named["it"] = "approve"
    _lapses(stage)


@given(parsers.parse("that owner has `opened at {at}`"))
def owner_opened_at(stage: Stage, at: str) -> None:
    owner = stage.owner()
    assert owner is not None
    assert owner.opened_ms == instant_ms(at)


@given(parsers.parse("a fire under plan `{plan}` was refused"))
def fire_was_refused(stage: Stage, shop: Shop, plan: str) -> None:
    if isinstance(stage.scope, own.TableScope):
        shop.pipeline = {**shop.pipeline, **PLANS[plan]}
        shop.next_fire()
        assert isinstance(stage.error, contextful.ContextfulError)
        assert type(stage.error.__cause__).__name__ == "ExecutionPinMismatch"
    else:
        _opens(stage, "refused", plan)
        assert type(stage.error).__name__ == "ExecutionPinMismatch"


@given(parsers.parse("the catalog has stored a table owner under the key `{key}`"))
def has_stored_an_owner(stage: Stage, shop: Shop, key: str) -> None:
    shop.listing.number(2)
    shop.dies(at_pull={2: shop.die})
    assert stage.rows.get(own.OWNER, (key,)) is not None


@given(parsers.parse("table `orders` of pipeline `shop` under connector `{connector}` of version `{version}`"))
def table_under_connector(shop: Shop, connector: str, version: str) -> None:
    shop.listing.number(2)
    shop.listing.connector, shop.listing.version = connector, version


@when(parsers.parse("connector `{connector}` becomes version `{version}`"))
def connector_becomes(shop: Shop, connector: str, version: str) -> None:
    shop.listing.version = version


@when(parsers.parse("connector `{connector}` is rebuilt during pull {number:d}"))
def connector_is_rebuilt(stage: Stage, shop: Shop, connector: str, number: int) -> None:
    def rebuild() -> None:
        shop.listing.build = "build 2"

    shop.listing.number(number + 1)
    shop.fire(at_pull={number: rebuild})
    assert stage.error is None
    stage.seen["artifacts"] += [pull.build for pull in shop.fired.pulls]


@when(parsers.parse("attempt `{run_id}` opens scope `{scope}` under plan `{plan}`"))
def attempt_opens(stage: Stage, run_id: str, scope: str, plan: str) -> None:
    """It takes the steps that attempts before it have recorded."""
    stage.scope = _scope(scope)
    _opens(stage, run_id, plan)


@given("attempt `run-a` was superseded by attempt `run-b`")
def attempt_was_superseded(stage: Stage, shop: Shop) -> None:
    """In a host's scope; and in a table's, where the first one stands between its stage and its commit."""
    stage.scope = own.HostScope("index-42")
    _opens(stage, "run-a", "plan-a")
    shop.listing.pages = [Page([{"id": 1}], position("p1"))]
    shop.hold(1, "table-a")
    _lapses(stage)
    _opens(stage, "run-b", "plan-a")
    shop.next_fire("table-b", at_pull={1: shop.die})
    assert isinstance(stage.error, Crash)


@when("attempt `run-a` dispatches an effect")
def attempt_dispatches(stage: Stage) -> None:
    try:
        stage.perform(stage.opened["run-a"], stage.label)
    except Stopped as stop:
        stage.error = stop


@when("attempt `run-a` publishes")
def attempt_publishes(stage: Stage, shop: Shop) -> None:
    shop.release("table-a")


@when(parsers.parse("attempt `{run_id}` closes `success`"))
def attempt_closes(stage: Stage, run_id: str) -> None:
    with stage.opened[run_id]:
        pass
    assert stage.run().status is RunStatus.SUCCESS


@when("its handle is dropped without a close")
def handle_is_dropped(stage: Stage) -> None:
    stage.opened[stage.run_id].drop()


@when("the lease lapses")
def lease_lapses(stage: Stage) -> None:
    stage.world.skip(LEASE_LAPSED_MS)


@when(parsers.parse("the process dies during step `{label}`"))
def dies_during_step(stage: Stage, label: str) -> None:
    stage.begin()
    stage.dies_in = always
    with contextlib.suppress(Crash), stage.engine().execution(_host(stage), _plan(stage), run_id=stage.run_id) as run:
        for recorded in stage.before:
            stage.perform(run, recorded)
        stage.perform(run, label)
    assert stage.effect(label).count() == 1
    stage.crashes, stage.dies_in = Crashes(), never


@when(parsers.parse("the run of table `{table}` closes `success`"))
def run_of_table_closes(stage: Stage, shop: Shop, table: str) -> None:
    shop.tables = [table]
    shop.next_fire()
    assert stage.run().status is RunStatus.SUCCESS


@when(parsers.parse("the job fires under plan `{plan}`"))
def job_fires(stage: Stage, plan: str) -> None:
    _opens(stage, "fires", plan)
    with stage.opened["fires"]:
        pass


@then("the fire completes")
def fire_completes(stage: Stage) -> None:
    assert stage.run().status is RunStatus.SUCCESS
    assert stage.owner() is None


@then(parsers.re(r"scope `(?P<scope>[\w:/#-]+)` has (?P<count>\d+) owners"), converters={"count": int})
def has_owners(stage: Stage, scope: str, count: int) -> None:
    """There is one row a scope, so what is counted is whether it stands."""
    stage.scope = _scope(scope)
    assert (stage.owner() is not None) == (count == 1)


@then(parsers.re(r"its owner pins `(?P<name>[\w.]+)` as `(?P<value>[^`]+)`"))
def owner_pins(stage: Stage, name: str, value: str) -> None:
    assert _pins(stage)[name] == value


@then(parsers.re(r"its owner pins each of `(?P<names>[\w., ]*content_hash[\w., ]*)`"))
def owner_pins_each(stage: Stage, names: str) -> None:
    assert all(_pins(stage)[name] for name in names.split(", "))


@then(parsers.parse("the owner of scope `{scope}` has the attempts `{attempts}`"))
def owner_has_attempts(stage: Stage, scope: str, attempts: str) -> None:
    owner = stage.owner(_scope(scope))
    assert owner is not None
    assert list(owner.attempts) == attempts.split(", ")


@then(parsers.parse("the catalog has a table owner under the key `{key}`"))
def has_an_owner_under(stage: Stage, key: str) -> None:
    assert stage.rows.get(own.OWNER, (key,)) is not None


@then(parsers.parse("{count:d} steps have replayed"))
def steps_have_replayed(stage: Stage, count: int) -> None:
    assert stage.replayed() == count


@then(parsers.parse("the effect of step `{label}` has run {count:d} times"))
def effect_of_step_has_run(stage: Stage, label: str, count: int) -> None:
    assert stage.effect(label).count() == count


@then(parsers.parse("run `{run_id}` shows `{status}`"))
def run_shows(stage: Stage, run_id: str, status: str) -> None:
    run = stage.onlooker().run(run_id)
    assert run is not None
    assert run.status == status


@then(parsers.parse("run `{run_id}` names `{other}` as the run that goes on"))
def run_names_its_successor(stage: Stage, run_id: str, other: str) -> None:
    run = stage.onlooker().run(run_id)
    assert run is not None
    assert run.ended_ms is not None
    assert run.next_attempt_ms is None
    assert other in str(run.reason)


@then("its sentence names the pending execution")
def sentence_names_the_execution(stage: Stage) -> None:
    assert stage.execution_id in str(stage.error)


def _opens(stage: Stage, run_id: str, plan: str) -> None:
    """An attempt opens and takes the recorded steps; what it is refused for stands on stage."""
    stage.begin(run_id)
    try:
        run = stage.engine().execution(_host(stage), plan, identities=stage.identities, run_id=run_id)
    except (contextful.ContextfulError, Failed) as refusal:
        stage.error = stage.shown = refusal
        return
    stage.opened[run_id] = run
    stage.seen["execution ids"].append(run.execution_id)
    for label in stage.before:
        stage.perform(run, label)


def _lapses(stage: Stage) -> None:
    stage.world.skip(LEASE_LAPSED_MS)


def _plan(stage: Stage) -> str:
    owner = stage.owner()
    assert owner is not None
    return owner.pins.plan_ref


def _host(stage: Stage) -> str:
    assert isinstance(stage.scope, own.HostScope)
    return stage.scope.scope


def _scope(name: str) -> own.Scope:
    table, _, chunk = name.partition("/")
    if chunk:
        return own.ChunkScope("shop", table, chunk)
    return own.TableScope("shop", name) if name.removesuffix("#seed") in TABLES else own.HostScope(name)


def _pins(stage: Stage) -> dict[str, str | None]:
    owner = stage.owner()
    pins = stage.pins if owner is None else owner.pins
    assert pins is not None
    return {**pins.facts(), "input_hash": pins.input_hash}
