"""An author takes one new wording: the clause's line of the snapshot gets its revision, no other line is touched.

Words are accepted here, verdicts by `tools/coverage --accept` alone: what was met must still be met, and a clause
that was never accepted enters as open.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tools import history, snapshot
from tools.contract import Clause
from tools.render.changes import paragraph, reworded
from tools.snapshot import Line


def is_accepted(root: Path, clause: Clause) -> bool:
    """Whether the clause was accepted in these words."""
    line = snapshot.read(root).get(clause.id)
    return line is not None and line.rev == clause.rev


def compared(root: Path, clause: Clause) -> Iterator[str]:
    """The clause's words, beside those that were accepted last."""
    line = snapshot.read(root).get(clause.id)
    if line is None or line.rev == clause.rev:
        yield f"{clause.id}  rev {clause.rev}, {'never accepted' if line is None else 'accepted'}"
        yield from paragraph(clause.statement)
        return
    yield f"{clause.id}  rev {clause.rev}, accepted at {line.rev}"
    old = history.wording(root, line.id, line.rev)
    if old is None:
        yield f"no commit has the wording of {line.rev}; it reads now"
        yield from paragraph(clause.statement)
    else:
        yield from reworded(old.statement, clause.statement)


def accept(root: Path, clause: Clause) -> Line:
    """Write the clause's line."""
    lines = dict(snapshot.read(root))
    known = lines.get(clause.id)
    line = replace(known, rev=clause.rev) if known else Line(clause.id, clause.rev, "open")
    snapshot.write(root, (lines | {line.id: line}).values())
    return line
