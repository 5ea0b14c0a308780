"""The console, as a person meets it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import contextful
from contextful_contract.shapes import GrantAction
from tests.faces.console.conftest import Console

Body = Callable[[Callable[[], Any]], Any]  # what a body does, in a thread that has no event loop
WIDTH = "document.documentElement.scrollWidth"
STRUCK = {  # as a run's record has it
    "bound_hits": [{"step_label": "fetch", "attempt": 2, "bound": "rows"}],
    "failed_branches": [{"label": "left", "tag": "Timeout"}],
    "schema_diff": [
        {
            "table": "orders",
            "path": "payload.items",
            "source_type": "map of utf8",
            "landed_type": "utf8",
            "reason": "no such type",
        }
    ],
}
HOSTILE = "<img src=x onerror=alert(1)>\x1b[31mred"


def refused() -> None:
    raise contextful.Permanent(HOSTILE)


def failing(engine: contextful.Engine) -> None:
    """A run that fails."""
    with pytest.raises(contextful.StepFailed), engine.execution("bad", "plan", run_id="r-bad") as run:
        run.step("fetch", refused)


def ordered(run: contextful.Execution, hold: str = "0s") -> tuple[Any, Any]:
    """What a body that needs an approval gets."""
    return run.step("charge", lambda: 7), run.wait("approve", hold=hold)


def waiting(engine: contextful.Engine) -> None:
    """A run that waits for an answer."""
    with pytest.raises(contextful.Suspended), engine.execution("orders", "plan", run_id="r-waits") as run:
        ordered(run)


def stepping(run: contextful.Execution) -> None:
    """Steps without end."""
    for number in range(1_000):
        run.step("again", lambda given: given, number)


def open_run(page: Page, run_id: str) -> None:
    page.get_by_role("link", name=run_id).click()
    expect(page.get_by_role("heading", name=run_id)).to_be_visible()


def test_the_runs_are_listed_newest_first_and_none_is_rendered_as_markup(
    console: Console, engine: contextful.Engine, body: Body
) -> None:
    with engine.execution("good", "plan", run_id="r-good"):
        pass
    body(lambda: failing(engine))

    page = console.page()
    rows = page.locator("tbody tr")

    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("r-bad")
    expect(rows.nth(0)).to_contain_text("<img src=x onerror=alert(1)>")
    expect(rows.nth(1)).to_contain_text("success")
    assert page.locator("tbody img").count() == 0


def test_a_run_moves_while_it_is_watched_and_the_focus_stays(
    console: Console, engine: contextful.Engine, body: Body
) -> None:
    with engine.execution("long", "plan", run_id="r-long") as run:
        body(lambda: run.step("fetch", lambda: {"page": 1}))
        page = console.page()
        open_run(page, "r-long")
        steps = page.locator("ol.steps li")
        expect(steps).to_have_count(1)
        output = page.get_by_role("button", name="Show the output of fetch")
        output.focus()
        body(lambda: run.step("parse", lambda: 2))
        run.annotate({"model": "m-1"})

        expect(steps).to_have_count(2)
        expect(steps.nth(1)).to_contain_text("completed")
        expect(page.locator("dl.facts").last).to_contain_text("m-1")
        expect(output).to_be_focused()
        output.press("Enter")
        expect(page.get_by_role("dialog")).to_contain_text('"page": 1')
        page.keyboard.press("Escape")

    expect(page.locator(".title")).to_contain_text("success")


def test_a_run_is_stopped_from_its_page(console: Console, engine: contextful.Engine, body: Body) -> None:
    with engine.execution("long", "plan", run_id="r-long") as run:
        page = console.page()
        open_run(page, "r-long")

        page.get_by_role("button", name="Stop run").click()
        page.get_by_label("Reason").fill("too dear")
        page.get_by_role("dialog").get_by_role("button", name="Stop").click()

        expect(page.get_by_text("1 marked to stop").or_(page.get_by_text("too dear")).first).to_be_visible()
        with pytest.raises(contextful.Stopped) as stopped:
            body(lambda: stepping(run))
        run.leave(stopped.value)

    expect(page.locator(".title")).to_contain_text("canceled")
    expect(page.locator("dl.facts").first).to_contain_text(": too dear")
    expect(page.locator("dl.facts").first).not_to_contain_text("[object")


def test_a_run_that_has_failed_shows_what_it_failed_with_and_its_steps(
    console: Console, engine: contextful.Engine, body: Body
) -> None:
    body(lambda: failing(engine))
    page = console.page()
    open_run(page, "r-bad")

    expect(page.locator("ol.steps li")).to_contain_text(["fetchfailed"])
    expect(page.locator(".refusal")).to_contain_text("Permanentstep fetch failed: <img src=x")


def test_a_run_shows_which_bounds_were_struck_and_what_landed_as_less_than_it_was(
    console: Console, engine: contextful.Engine
) -> None:
    with engine.execution("good", "plan", run_id="r-good"):
        pass
    page = console.page()
    page.route("**/runs/r-good", lambda route: route.fulfill(json={**route.fetch().json(), **STRUCK}))
    open_run(page, "r-good")

    expect(page.locator("ul.plain")).to_have_text(
        ["rows, by attempt 2 of fetch", "left: Timeout", "payload.items: map of utf8 as utf8. no such type"]
    )
    assert faults(page) == []


def test_runs_are_found_by_their_status_and_page_by_page(
    console: Console, engine: contextful.Engine, body: Body
) -> None:
    body(lambda: failing(engine))
    for number in range(60):
        with engine.execution(f"good-{number}", "plan", run_id=f"r-{number:02}"):
            pass
    page = console.page()
    runs = page.locator("tbody tr")
    expect(runs).to_have_count(50)

    page.get_by_role("button", name="Older").click()
    expect(runs).to_have_count(11)
    expect(runs.last).to_contain_text("r-bad")
    page.get_by_label("Status").select_option("failed")

    expect(runs).to_have_count(1)
    page.get_by_label("Status").select_option("canceled")
    expect(page.get_by_text("No run is as you ask.")).to_be_visible()


def test_an_awakeable_is_answered_from_the_run_that_waits(
    console: Console, engine: contextful.Engine, body: Body
) -> None:
    body(lambda: waiting(engine))
    page = console.page()
    open_run(page, "r-waits")

    page.get_by_role("button", name="Answer").click()
    page.get_by_label("Value, as JSON").fill('{"yes": true}')
    page.get_by_role("dialog").get_by_role("button", name="Answer").click()
    expect(page.get_by_role("button", name="Answer")).to_have_count(0)

    with engine.execution("orders", "plan") as run:
        assert body(lambda: ordered(run)) == (7, {"yes": True})


def test_a_refused_rewind_shows_the_clause_behind_it(console: Console, engine: contextful.Engine, body: Body) -> None:
    body(lambda: waiting(engine))
    page = console.page()
    open_run(page, "r-waits")

    page.get_by_role("button", name="Rewind").click()
    page.get_by_label("Reason").fill("begin again")
    page.get_by_role("dialog").get_by_role("button", name="Rewind").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("ExecutionRewind")
    alert.get_by_role("link").click()

    expect(page.get_by_role("heading", name=re.compile("run.own.rewind"))).to_be_visible()


def test_a_reader_sees_runs_and_changes_none(console: Console, engine: contextful.Engine, body: Body) -> None:
    body(lambda: waiting(engine))
    page = console.page(GrantAction.READ)
    open_run(page, "r-waits")

    expect(page.locator(".title")).to_contain_text("waiting")
    expect(page.get_by_role("button", name="Answer")).to_have_count(0)


def test_a_stream_that_breaks_off_is_taken_up_again(
    serve: Callable[[], Console], engine: contextful.Engine, body: Body
) -> None:
    with engine.execution("long", "plan", run_id="r-long") as run:
        body(lambda: run.step("fetch", lambda: 1))
        page = serve().page()
        open_run(page, "r-long")
        expect(page.locator("ol.steps li")).to_have_count(1)

        serve()
        body(lambda: run.step("parse", lambda: 2))

        expect(page.locator("ol.steps li")).to_have_count(2)


def test_whoever_has_no_credential_is_asked_for_one(console: Console) -> None:
    page = console.page()
    page.get_by_role("button", name="Sign out").click()

    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("Credential").fill("nonsense")
    page.get_by_role("button", name="Sign in").click()

    expect(page.get_by_role("alert")).to_contain_text("credential")


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1_280, "dark")], ids=["phone", "dark"])
def test_nobody_is_shut_out(console: Console, engine: contextful.Engine, body: Body, width: int, scheme: str) -> None:
    """On a phone nothing is cut off; axe-core finds no fault that a person would stumble over, light or dark."""
    body(lambda: waiting(engine))
    with engine.execution("s" * 128, "plan", run_id="r" * 128):
        pass
    page = console.page(width=width, scheme=scheme)
    expect(page.locator("tbody tr")).to_have_count(2)
    widths = [page.evaluate(WIDTH)]
    serious = list(faults(page))
    open_run(page, "r-waits")
    expect(page.get_by_role("button", name="Answer")).to_be_visible()

    assert serious + list(faults(page)) == []
    assert [*widths, page.evaluate(WIDTH)] == [width, width]


def faults(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['help']}" for each in found if each["impact"] in ("serious", "critical")]
