"""A clause gets another name, and nothing keeps the old one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from codegen import __main__ as codegen
from tests.tools import authored
from tools import coverage, pages, places, rename, snapshot, spec, units
from tools.command import Trouble
from tools.snapshot import Line
from tools.units import Evidence, Session, Unit

OLD, NEW = "run.retry.schedule", "run.retry.plan"


@pytest.fixture
def root(written: Path, tmp_path: Path) -> Path:
    """The author's project."""
    return Path(shutil.copytree(written, tmp_path / "project"))


def texts(root: Path) -> dict[str, str]:
    """Every file that is kept."""
    paths = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_the_old_id_is_nowhere_and_all_is_sound(root: Path) -> None:
    assert spec.main(["rename", "schedule", "plan"], root) == 0

    assert [path for path, text in texts(root).items() if f"`{OLD}`" in text or f'"{OLD}"' in text] == []
    assert list(places.anywhere(root, OLD)) == []
    assert spec.main(["lint"], root) == 0
    assert codegen.main(["--root", str(root), "--check"]) == 0


def test_pages_keep_their_short_names_and_code_keeps_its_attributes(root: Path) -> None:
    spec.main(["rename", OLD, NEW], root)

    page, engine = (texts(root)[path] for path in (authored.RETRY, "engine/contextful/run/retry.py"))
    assert "- `plan` [test:2 theorem:1] — A step without" in page
    assert "whatever {{plan}} says" in page
    assert "schedule of {{run.retry.plan}} is spent" in page
    assert "| plan |" in page
    assert "- `run.retry.plan`: GIVEN" in page
    assert '"""run.retry.plan, and what' in engine
    assert "delay = run.retry.schedule(attempt)  ##= run.retry.plan" in engine


def test_a_dry_run_prints_every_edit_and_makes_none(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = texts(root)
    capsys.readouterr()

    assert spec.main(["rename", OLD, NEW, "--dry-run"], root) == 0

    told = capsys.readouterr().out
    assert texts(root) == before
    assert "spec/run/retry.md:21:4: schedule -> plan\n" in told
    assert "tests/test_retry.py:3:22: run.retry.schedule -> run.retry.plan\n" in told
    assert told.endswith(" edits, none made\n")


def test_links_that_would_mean_two_clauses_are_written_in_full(root: Path) -> None:
    spec.main(["rename", OLD, "mark"], root)

    page, drain = (texts(root)[path] for path in (authored.RETRY, "spec/store/drain.md"))
    assert "whatever {{run.retry.mark}} says" in page
    assert "once {{store.mark.mark}} says" in drain
    assert spec.main(["lint"], root) == 0


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("taxonomy", r"there is a clause run\.retry\.taxonomy already"),
        ("run.retry.Plan", "no id: a subject is of a-z, 0-9 and -"),
        ("store.mark.plan", r"not of run\.retry: move"),
    ],
)
def test_a_name_that_cannot_be_is_refused(root: Path, asked: str, sentence: str) -> None:
    before = texts(root)

    with pytest.raises(Trouble, match=sentence):
        spec.main(["rename", OLD, asked], root)

    assert texts(root) == before


def test_what_would_not_be_sound_is_undone(root: Path) -> None:
    authored.write(
        root,
        "spec/run/retry--plan.md",
        "---\ncontract: run\nowns: retry--plan\n---\n# Plan\n\n## retry--plan\n\nIt is.\n\n- `a` — It is a plan.\n\n"
        "#### Scenarios\n\n- `run.retry--plan.a`: WHEN a, THEN b\n",
    )
    before = texts(root)

    with pytest.raises(Trouble, match=r"nothing is renamed, for then\n.*the same test name"):
        spec.main(["rename", OLD, "plan--a"], root)

    assert texts(root) == before


def test_what_was_accepted_stays_accepted(root: Path) -> None:
    clauses = pages.read(root).contract.by_id
    reworded = Line("run.retry.single-attempt", "00000000", "met")
    linked = Line("run.retry.step-failed", clauses["run.retry.step-failed"].rev, "met")
    snapshot.write(root, [Line(OLD, clauses[OLD].rev, "met"), reworded, linked])

    spec.main(["rename", OLD, NEW], root)

    now = pages.read(root).contract.by_id
    assert now[linked.id].rev != linked.rev
    assert snapshot.read(root) == {
        NEW: Line(NEW, now[NEW].rev, "met"),
        reworded.id: reworded,
        linked.id: Line(linked.id, now[linked.id].rev, "met"),
    }


def test_its_verdict_is_what_it_was(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = "store.mark.mark", "store.mark.sign"
    snapshot.write(root, [Line(old, pages.read(root).contract.by_id[old].rev, "met")])
    unit = "generated/tests/test_store_mark.py::test_store__mark__mark__s1"
    seen = Unit(unit, "scenario", (old,), "passed", scenario="store__mark__mark__s1")
    units.write(
        root, Evidence(whole=Session("2026-01-02T03:04:05+00:00", "", False, "", 1, 0, 0, 0, 0.1), units=(seen,))
    )

    spec.main(["rename", old, new], root)

    capsys.readouterr()
    assert coverage.main([], root) == 0
    assert f"  met          {new} " in capsys.readouterr().out
    assert "mark__mark" not in (root / units.WHERE).read_text()


def test_an_edit_is_made_where_it_was_planned() -> None:
    first, second = (places.Place("a.md", 2, column, "ab", "mention") for column in (1, 4))

    assert rename.edited("ab\nab ab\n", [rename.Edit(first, "xyz"), rename.Edit(second, "")]) == "ab\nxyz \n"
