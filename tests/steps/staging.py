"""Steps of run.own about staging: runs that stand between their stage and their commit."""

from __future__ import annotations

import errno

from pytest_bdd import given, parsers, then, when

from contextful.errors import PipelineTableFailed, PipelineTypeDeclaredLate
from contextful.kernel.shape import to_json
from tests.steps.script import Page, position
from tests.steps.shop import Shop, fails
from tests.steps.stage import Stage, instant_ms
from tests.steps.store import typed


@given(parsers.parse("a run that staged {count:d} batches"))
def run_that_staged(shop: Shop, count: int) -> None:
    """It stands in the pull after them, which finds no more rows unless the scenario says otherwise."""
    shop.listing.number(count)
    for page in shop.listing.pages:
        page.more = True
    shop.hold(count)
    assert shop.staged(shop.fired.run_id) == count


@given(parsers.parse("run `{run_id}` staged column `{column}` as `{kind}`"))
def run_staged_column(shop: Shop, run_id: str, column: str, kind: str) -> None:
    shop.listing.pages = [Page([{"id": 1, column: typed(kind)}], position("p1"))]
    shop.hold(1, run_id)


@given(parsers.parse("run `{run_id}` staged a part"))
def run_staged_a_part(shop: Shop, run_id: str) -> None:
    shop.listing.pages = [Page([{"id": 1}], position("p1"))]
    shop.hold(1, run_id)


@given(parsers.parse("run `{run_id}` staged key `{key}` at `{at}`"))
def run_staged_key(stage: Stage, shop: Shop, run_id: str, key: str, at: str) -> None:
    stage.world.skip(instant_ms(at) - stage.world.now_ms())
    shop.listing.pages = [Page([{"id": key}], position("p1"))]
    shop.hold(1, run_id)


@when("it closes `success`")
def it_closes(stage: Stage, shop: Shop) -> None:
    shop.release()
    assert stage.error is None


@when(parsers.parse("its next pull fails `{tag}`"))
def next_pull_fails(shop: Shop, tag: str) -> None:
    shop.release(act=fails(tag))


@when(parsers.parse("its next pull waits {seconds:d} s"))
def next_pull_waits(shop: Shop, seconds: int) -> None:
    shop.release(act=fails("RateLimited", seconds))


@when("its next pull is refused by `run.land.late-type`")
def next_pull_declares_late(stage: Stage, shop: Shop) -> None:
    """It says the type of a column that two batches have brought without one."""
    shop.listing.pages.append(Page([{"id": 9, "at": 9}], position("late"), more=False, types={"at": "int64"}))
    shop.release()
    assert isinstance(stage.error, PipelineTableFailed)
    assert isinstance(stage.error.__cause__, PipelineTypeDeclaredLate)


@when("its commit fails before the manifest exists")
def commit_fails(stage: Stage, shop: Shop) -> None:
    """The disk refuses the manifest, when the parts are in their place."""

    def full() -> None:
        assert shop.parts(shop.fired.run_id) == 2
        raise OSError(errno.ENOSPC, "no space left on the disk")

    shop.fired.before_marker = full
    shop.release()
    assert stage.run().error_kind == "Storage"


@when(parsers.parse("run `{run_id}` fails"))
def run_fails(shop: Shop, run_id: str) -> None:
    shop.release(run_id, fails("Permanent"))


@when(parsers.parse("run `{run_id}` commits"))
def run_commits(stage: Stage, shop: Shop, run_id: str) -> None:
    """It goes on where it stands; one that nobody stopped begins and ends here."""
    if shop.holds(run_id):
        shop.release(run_id)
    else:
        shop.land([{"id": 2}], run_id)
    for event in shop.store().schema_diff(shop.stored(), run_id):
        stage.shown = {"downgrade event": to_json(event)}


@when(parsers.parse("run `{run_id}` commits at `{at}`"))
def run_commits_at(stage: Stage, shop: Shop, run_id: str, at: str) -> None:
    stage.world.skip(instant_ms(at) - stage.world.now_ms())
    shop.release(run_id)
    assert stage.error is None


@then(parsers.parse("part {part:d} is staged between pulls {before:d} and {after:d}"))
def part_is_staged_between(shop: Shop, part: int, before: int, after: int) -> None:
    story = shop.fired.story
    assert story.index(f"pull {before}") < story.index(f"part {part}") < story.index(f"pull {after}")


@then(parsers.parse("part {part:d} is staged after pull {before:d}"))
def part_is_staged_after(shop: Shop, part: int, before: int) -> None:
    assert shop.fired.story[-2:] == [f"pull {before}", f"part {part}"]


@then(parsers.parse("the run's directory has {count:d} staged parts"))
def staged_parts(shop: Shop, count: int) -> None:
    assert shop.staged(shop.fired.run_id) == count


@then(parsers.parse("the commit's directory has {count:d} parts"))
def committed_parts(shop: Shop, count: int) -> None:
    assert shop.parts(shop.fired.run_id) == count
