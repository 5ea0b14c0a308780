"""What an edit of a page is, told of each clause."""

import shutil
from pathlib import Path

import pytest

from tests.tools import authored
from tools import changes, history, pages

MARK = "- `run.retry.single-attempt`: GIVEN a step `fetch` with a schedule of 1 attempts, WHEN the step runs"
SOON = "- `run.retry.soon`: WHEN a, THEN b\n"
EDITS = {
    "added": (
        "- `step-failed` — `StepFailed` is",
        "- `soon` — It is soon.\n- `step-failed` — `StepFailed` is",
        [("run.retry.soon", ("added",))],
    ),
    "reworded": ("no delay is above", "no delay is over", [("run.retry.schedule", ("reworded",))]),
    "asks for more": ("[test:2 theorem:1]", "[test:2 theorem:2]", [("run.retry.schedule", ("evidence raised",))]),
    "asks for less": ("[test:2 theorem:1]", "[theorem:1]", [("run.retry.schedule", ("evidence lowered",))]),
    "another scenario": (
        "the effect has run 1 times\n" + MARK,
        "the effect has run 2 times\n" + MARK,
        [("run.retry.schedule", ("scenario lost", "scenario new"))],
    ),
    "another reason": ("*because runs", "*because all runs", [("run.retry.schedule", ("why reworded",))]),
    "another row of a table": (
        "another attempt may not meet it",
        "another attempt may help",
        [("run.retry.taxonomy", ("table changed",))],
    ),
    "moved": ("# Retry\n", "# Retry\n\nMore is said.\n", []),
    "more space": ("makes 5 attempts", "makes  5 attempts", []),
}


@pytest.fixture
def root(written: Path, tmp_path: Path) -> Path:
    """The author's project."""
    return Path(shutil.copytree(written, tmp_path / "project"))


@pytest.mark.parametrize(("old", "new", "told"), EDITS.values(), ids=EDITS)
def test_an_edit_is_told_by_what_it_does(
    root: Path, old: str, new: str, told: list[tuple[str, tuple[str, ...]]]
) -> None:
    authored.edit(root, old, new)
    if "`soon`" in new:
        authored.edit(root, MARK, f"{SOON}{MARK}")

    assert kinds(root) == told


def test_a_clause_that_is_gone_is_told_last(root: Path) -> None:
    authored.edit(root, "- `taxonomy`", "- `soon` — It is soon.\n- `taxonomy`")
    authored.edit(root, MARK, f"{SOON}{MARK}")
    authored.generate(root)
    authored.commit(root)
    authored.edit(root, "- `soon` — It is soon.\n", "")
    authored.edit(root, SOON, "")
    authored.edit(root, "no delay is above", "no delay is over")

    assert kinds(root) == [("run.retry.schedule", ("reworded",)), ("run.retry.soon", ("removed",))]


def test_a_renamed_clause_is_told_once_and_what_links_to_it_not_at_all(root: Path) -> None:
    text = (root / authored.RETRY).read_text()
    text = text.replace("- `schedule`", "- `plan`").replace("run.retry.schedule", "run.retry.plan")
    text = text.replace("{{schedule}}", "{{plan}}").replace("| schedule |", "| plan |")
    (root / authored.RETRY).write_text(text)

    assert kinds(root) == [("run.retry.plan", ("renamed",))]


def kinds(root: Path) -> list[tuple[str, tuple[str, ...]]]:
    """What changed since the commit."""
    found = changes.compare(history.at(root, "HEAD"), pages.read(root).contract)
    return [(change.clause.id, change.kinds) for change in found]
