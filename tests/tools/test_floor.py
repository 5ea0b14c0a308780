"""The snapshot as a floor: a partial run cannot raise it, accepting cannot lower it."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tools import coverage, floor, git, snapshot, units
from tools.command import Trouble
from tools.floor import Change
from tools.snapshot import Line
from tools.units import Evidence, Session, Unit

SOON = "run.cancel.soon"


@pytest.fixture
def accepted(root: Path) -> Path:
    """The project, in a commit, after a whole and green run of it, with one clause accepted as met."""
    snapshot.write(root, [Line(SOON, "aaaaaaaa", "met"), Line("run.gone.a", "aaaaaaaa", "open")])
    (root / ".gitignore").write_text("build/\n")
    for command in ("init -q", "add -A", "-c user.name=n -c user.email=e@e commit -qm first"):
        subprocess.run(["git", "-C", root, *command.split()], check=True)
    evidence = units.read(root)
    passed = tuple(unit for unit in evidence.units if unit.outcome == "passed")
    units.write(root, Evidence(whole=ran(root, evidence), units=passed))
    return root


def ran(root: Path, evidence: Evidence) -> Session:
    assert evidence.whole is not None
    return replace(evidence.whole, commit=git.head(root), exit_status=0)


def change(root: Path, id: str, **facts: object) -> None:
    """Change one unit of the last whole run."""
    evidence = units.read(root)
    changed = [replace(unit, **facts) if id in unit.id else unit for unit in evidence.units]  # type: ignore[arg-type]
    units.write(root, replace(evidence, units=tuple(changed)))


def test_accepting_writes_every_clause_and_says_what_changed(
    accepted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert coverage.main(["--accept"], accepted) == 0

    lines = snapshot.read(accepted)
    assert len(lines) == 8
    assert lines["run.retry.reworded"] == Line("run.retry.reworded", "bbbbbbbb", "met")
    told = capsys.readouterr().out
    assert "run.gone.a  open at aaaaaaaa -> dropped\n" in told
    assert "run.retry.retry-after  new -> partial at aaaaaaaa\n" in told
    assert told.endswith("8 lines of the snapshot changed\n")


def test_without_a_snapshot_there_is_no_floor_to_hold(root: Path) -> None:
    (root / snapshot.WHERE).unlink()

    with pytest.raises(Trouble, match="there is no floor") as refused:
        coverage.main(["--floor"], root)

    assert refused.value.code == 2


def test_accepting_twice_changes_nothing(accepted: Path) -> None:
    floor.accept(accepted)

    assert floor.accept(accepted) == ()


def test_accepting_takes_a_new_wording(accepted: Path) -> None:
    snapshot.write(accepted, [Line("run.retry.reworded", "aaaaaaaa", "met")])

    changes = {change.id: change for change in floor.accept(accepted)}

    old, new = (Line("run.retry.reworded", rev, "met") for rev in ("aaaaaaaa", "bbbbbbbb"))
    assert changes["run.retry.reworded"] == Change("run.retry.reworded", old, new)


def test_accepting_never_lets_a_clause_fall(accepted: Path) -> None:
    before = snapshot.read(accepted)
    change(accepted, "cancel_soon", outcome="skipped", reason="unit-skipped:no disk")
    change(accepted, "test_soon", outcome="skipped", reason="unit-skipped:no disk")

    with pytest.raises(Trouble, match=r"were met and are not: run\.cancel\.soon") as refused:
        floor.accept(accepted)

    assert refused.value.code == 1
    assert snapshot.read(accepted) == before


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        pytest.param({"exit_status": 1}, "exit status 1", id="red"),
        pytest.param({"dirty": True}, "in no commit", id="of a changed tree"),
        pytest.param({"commit": "f" * 40}, "not of HEAD", id="of another commit"),
    ],
)
def test_only_a_green_run_of_this_very_commit_is_accepted(
    accepted: Path, run: dict[str, object], sentence: str
) -> None:
    evidence = units.read(accepted)
    assert evidence.whole is not None
    units.write(accepted, replace(evidence, whole=replace(evidence.whole, **run)))  # type: ignore[arg-type]

    with pytest.raises(Trouble, match=sentence):
        floor.accept(accepted)


def test_nothing_is_accepted_without_a_whole_run(accepted: Path) -> None:
    (accepted / "build/evidence.json").unlink()

    with pytest.raises(Trouble, match="no whole run"):
        floor.accept(accepted)


def test_the_floor_holds_where_what_was_met_is_met(accepted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert coverage.main(["--floor"], accepted) == 0
    assert capsys.readouterr().out == "the floor holds\n"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        pytest.param(
            [Line(SOON, "00000000", "met")],
            "run.cancel.soon  was met, is stale: rev-mismatch",
            id="reworded",
        ),
        pytest.param(
            [Line("run.gone.a", "aaaaaaaa", "met")],
            "run.gone.a  was met; no page states it any more",
            id="taken off its page",
        ),
        pytest.param(
            [Line("run.retry.retry-after", "aaaaaaaa", "met")],
            "run.retry.retry-after  was met, is partial: too-few-tests",
            id="short of evidence",
        ),
    ],
)
def test_the_floor_names_what_fell(
    accepted: Path, capsys: pytest.CaptureFixture[str], lines: list[Line], told: str
) -> None:
    snapshot.write(accepted, lines)

    assert coverage.main(["--floor"], accepted) == 1
    assert capsys.readouterr().out.startswith(told)


def test_a_partial_run_can_lower_a_clause_and_not_raise_one(accepted: Path) -> None:
    late = "run.cancel.late"
    snapshot.write(accepted, [Line(SOON, "aaaaaaaa", "met"), Line(late, "aaaaaaaa", "met")])
    partial = replace(ran(accepted, units.read(accepted)), partial="-k")
    failing = Unit(id="tests/test_it.py::test_soon", kind="test", clauses=(SOON,), outcome="failed")
    passing = Unit(id="tests/test_late.py::test_late", kind="test", clauses=(late,), outcome="passed")

    units.write(accepted, units.merge(units.read(accepted), partial, [failing, passing]))

    assert [fall.was.id for fall in floor.check(accepted)] == [late, SOON]
