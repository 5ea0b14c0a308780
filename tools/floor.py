"""What was met stays met: the snapshot is a floor, and accepting only ever raises it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools import contract, git, snapshot, units
from tools.command import Trouble
from tools.contract import Contract
from tools.snapshot import Line, Snapshot
from tools.units import Evidence
from tools.verdict import Verdict, verdicts


@dataclass(frozen=True, slots=True)
class Fall:
    """A clause that was accepted as met and is not met now; no verdict where no page states it any more."""

    was: Line
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class Since:
    """How the clauses differ from the snapshot: those that fell, and how many else."""

    fell: tuple[Fall, ...]
    rose: int
    changed: int
    new: int
    gone: int


@dataclass(frozen=True, slots=True)
class Change:
    """How acceptance changes one line of the snapshot."""

    id: str
    old: Line | None
    new: Line | None


def falls(found: Iterable[Verdict], accepted: Snapshot) -> tuple[Fall, ...]:
    """The clauses that fell below the floor."""
    by_id = {verdict.clause.id: verdict for verdict in found}
    stood = [line for line in accepted.values() if line.verdict == "met"]
    return tuple(Fall(line, by_id.get(line.id)) for line in stood if line.id not in by_id or not by_id[line.id].met)


def since(found: Iterable[Verdict], accepted: Snapshot) -> Since:
    """What fell and what rose is about being met; any other verdict that is not what it was has changed."""
    by_id = {verdict.clause.id: verdict for verdict in found}
    moved = [(line.verdict, by_id[line.id].state) for line in accepted.values() if line.id in by_id]
    return Since(
        fell=falls(by_id.values(), accepted),
        rose=sum(was != "met" and now == "met" for was, now in moved),
        changed=sum(was != now and "met" not in (was, now) for was, now in moved),
        new=len(by_id.keys() - accepted.keys()),
        gone=len(accepted.keys() - by_id.keys()),
    )


def check(root: Path) -> tuple[Fall, ...]:
    """The falls under `root`, as the worst of each unit since the last whole run shows them."""
    accepted = snapshot.read(root)
    if not accepted:
        raise Trouble(f"{snapshot.WHERE} has no line, so there is no floor: `tools/coverage --accept` writes one")
    return falls(verdicts(contract.read(root), units.read(root).floor(), accepted), accepted)


def accept(root: Path) -> tuple[Change, ...]:
    """Take the wording and the verdicts of the last run as the new snapshot; refuse where one would fall."""
    pages, evidence, accepted = contract.read(root), units.read(root), snapshot.read(root)
    _ready(root, evidence)
    lines, fallen = propose(pages, evidence, accepted)
    if fallen:
        named = ", ".join(fall.was.id for fall in fallen)
        raise Trouble(f"not accepted, for these were met and are not: {named}", code=1)
    snapshot.write(root, lines)
    new = {line.id: line for line in lines}
    changes = [Change(id, accepted.get(id), new.get(id)) for id in sorted({*accepted, *new})]
    return tuple(change for change in changes if change.old != change.new)


def propose(pages: Contract, evidence: Evidence, accepted: Snapshot) -> tuple[tuple[Line, ...], tuple[Fall, ...]]:
    """The lines that acceptance would write, and the clauses that it would let fall.

    A clause that is on no page any more is no fall here: its page was changed on purpose.
    """
    as_worded = {clause.id: Line(clause.id, clause.rev, "met") for clause in pages.clauses}
    found = verdicts(pages, evidence.floor(), as_worded)
    lines = tuple(Line(verdict.clause.id, verdict.clause.rev, verdict.state) for verdict in found)
    return lines, tuple(fall for fall in falls(found, accepted) if fall.verdict is not None)


def _ready(root: Path, evidence: Evidence) -> None:
    """Only a whole, green run of exactly the commit that stands here can be accepted."""
    run = evidence.whole
    if run is None:
        raise Trouble("there is no whole run to accept: run `make test`")
    if run.exit_status != 0:
        raise Trouble(f"the last whole run left with exit status {run.exit_status}: mend it first")
    if run.dirty or git.dirty(root, apart_from=snapshot.WHERE):
        raise Trouble("the run or the tree has changes that are in no commit: commit, then run `make test`")
    if run.commit != git.head(root):
        raise Trouble(f"the last whole run was of {run.commit[:10]}, not of HEAD: run `make test`")
