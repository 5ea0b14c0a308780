"""Steps of run.seed: a table that begins from another source than the one that keeps it fresh."""

from __future__ import annotations

from pytest_bdd import given, parsers, then, when

from contextful.run.own import own
from tests.steps.shop import Shop
from tests.steps.stage import Stage


@given(parsers.parse("table `orders` seeds from source `{seed}` while its live source is `{live}`"))
def seeds_from(shop: Shop, seed: str, live: str) -> None:
    shop.pipeline |= {"source": _source(live, "pages"), "seed": {"source": _source(seed, "pages")}}
    shop.listing.number(2)


@when("both scopes open")
def both_open(stage: Stage, shop: Shop) -> None:
    """Each in a process that dies in its second pull."""
    for seeds in (True, False):
        shop.next_fire(at_pull={2: shop.die}, seeds=seeds)
        assert stage.owner(_scope(shop, seeds=seeds)) is not None


@when("its declaration changes")
def declaration_changes(stage: Stage, shop: Shop) -> None:
    """The seed's, whose next fire it is that the scenario speaks of."""
    shop.pipeline["seed"] = {"source": _source("dump", "more")}
    shop.seeding, stage.scope = True, _scope(shop, seeds=True)


@then(parsers.re(r"the owner of scope `(?P<scope>[\w#]+)` pins source `(?P<source>\w+)`"))
def owner_pins_source(stage: Stage, shop: Shop, scope: str, source: str) -> None:
    owner = stage.owner(_scope(shop, seeds=scope.endswith(own.SEED)))
    assert owner is not None
    assert owner.pins.facts()["connector.id"] == source


def _source(module: str, function: str) -> dict[str, object]:
    return {"name": "python", "config": {"function": f"{module}:{function}"}}


def _scope(shop: Shop, *, seeds: bool) -> own.TableScope:
    return own.TableScope("shop", f"{shop.tables[0]}{own.SEED if seeds else ''}")
