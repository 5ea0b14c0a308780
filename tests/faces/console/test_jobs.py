"""Jobs in the console: what it shows of items and origins is what the record says, killed or not."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import Page, expect

import contextful
from contextful.run.parts import Kind
from contextful_contract.shapes import RunStatus
from tests.faces.console.conftest import Console
from tests.faces.console.test_console import faults, open_run

DEMO = Path(__file__).parents[3] / "examples" / "scoring" / "demo.py"
FLIGHTS = 60


@pytest.fixture(scope="module")
def scoring() -> ModuleType:
    """The story of examples/scoring, by its parts."""
    spec = importlib.util.spec_from_file_location("scoring_demo", DEMO)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """The process, which is killed in the end if it has not ended by then."""
    with process:
        try:
            yield process
        finally:
            process.kill()


def shown(page: Page) -> int:
    """How many items the page says have succeeded."""
    says = page.get_by_role("group", name="Which items").inner_text() if page.locator("section table").count() else ""
    found = re.search(r"success (\d+)", says)
    return int(found[1]) if found else 0


def succeeded(engine: contextful.Engine, run_id: str) -> int:
    """How many items the record says have."""
    run = engine.run(run_id)
    assert run is not None
    return engine.parts(run.execution_id).counts().get(Kind.ITEM, {}).get(RunStatus.SUCCESS, 0)


def watched(page: Page, engine: contextful.Engine, run_id: str, until: Callable[[], bool]) -> None:
    """Look at the page again and again: it never goes back, and never runs ahead of the record."""
    before = 0
    while not until():  # ends: with the job, or once it has done enough
        now = shown(page)
        assert before <= now <= succeeded(engine, run_id)
        before = now
        page.wait_for_timeout(50)


def test_a_job_that_is_killed_and_resumed_is_shown_as_it_stands(
    console: Console, engine: contextful.Engine, scoring: ModuleType, tmp_path: Path
) -> None:
    bill = tmp_path / "bill.ndjson"
    scoring.project(tmp_path, FLIGHTS)
    scoring.run("pipeline", "run", "flights", "--project", str(tmp_path))
    page = console.page()
    badge = page.locator(".title").get_by_role("status")
    service, port = scoring.serve(bill, 0)
    with ended(service):
        with ended(scoring.fire(tmp_path, "fire-0", port)) as job:
            open_run(page, "fire-0")  # which stands in the list, and none of its items
            watched(page, engine, "fire-0", lambda: len(scoring.billed(bill)) >= FLIGHTS // 4)
        expect(badge).to_have_text("running")  # for all that anybody knows: its lease lasts
        scoring.lapse(tmp_path, "fire-0", wait=False)

        with ended(scoring.fire(tmp_path, "fire-1", port)) as job:
            expect(badge).to_have_text("partial failure")
            page.get_by_role("link", name="All runs").click()
            open_run(page, "fire-1")
            watched(page, engine, "fire-1", lambda: job.poll() is not None)
            assert job.returncode == 0

    expect(badge).to_have_text("success")
    expect(page.get_by_role("heading", name=f"Items ({FLIGHTS})")).to_be_visible()
    expect(page.get_by_role("group", name="Which items")).to_contain_text(f"success {FLIGHTS}")
    assert shown(page) == succeeded(engine, "fire-1") == len(scoring.billed(bill)) == FLIGHTS
    rows = page.get_by_role("table", name="Items").locator("tbody tr")
    expect(rows).to_have_count(50)
    page.get_by_role("button", name="Next").click()
    expect(rows).to_have_count(FLIGHTS - 50)
    expect(page.get_by_text("Page 2")).to_be_visible()
    assert faults(page) == []


def test_the_origins_of_a_sweep_are_a_grid_that_leads_to_their_runs(
    console: Console, engine: contextful.Engine, scoring: ModuleType, tmp_path: Path
) -> None:
    scoring.project(tmp_path, FLIGHTS)
    scoring.run("pipeline", "run", "flights", "--project", str(tmp_path))
    scoring.run("job", "fire", "outlook", "--run-id", "sweep-1", "--project", str(tmp_path))

    page = console.page()
    page.get_by_role("link", name="sweep-1", exact=True).click()
    cells = page.get_by_role("list", name="Origins, the earliest first").get_by_role("listitem")

    expect(page.get_by_role("heading", name="Origins (12 success)")).to_be_visible()
    expect(cells).to_have_count(12)
    expect(cells.nth(0)).to_contain_text("2013-01-01 12:00")
    assert faults(page) == []
    cells.nth(11).get_by_role("link").click()
    expect(page.get_by_role("heading", name="sweep-1.12")).to_be_visible()
    expect(page.get_by_role("heading", name="Input")).to_be_visible()
    page.get_by_role("navigation").get_by_role("link", name="sweep-1", exact=True).click()
    expect(cells).to_have_count(12)
