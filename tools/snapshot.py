"""`tools/trace.snapshot`: the wording of each clause that was accepted, and the verdict it had then.

A line a clause, so that a change in coverage is a line in a review.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.command import Trouble
from tools.state import STATES

WHERE = Path("tools/trace.snapshot")
HEAD = """\
# A line a clause: its id, the revision of its wording that was accepted, its verdict then.
# `tools/coverage --accept` writes this after a whole, clean run. A `met` here is a floor.
"""


@dataclass(frozen=True, slots=True)
class Line:
    """One clause as it was accepted."""

    id: str
    rev: str
    verdict: str


Snapshot = Mapping[str, Line]


def read(root: Path) -> Snapshot:
    """The accepted lines under `root`; none where nothing was ever accepted."""
    try:
        text = (root / WHERE).read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as fault:
        raise Trouble(f"{WHERE} is no text ({fault.reason}): restore it, `git checkout {WHERE}`") from None
    lines = [_line(number, text) for number, text in enumerate(text.split("\n"), 1) if _holds(text)]
    return {line.id: line for line in lines}


def write(root: Path, lines: Iterable[Line]) -> None:
    """Replace the accepted lines under `root`."""
    rows = [f"{line.id} {line.rev} {line.verdict}\n" for line in sorted(lines, key=lambda line: line.id)]
    (root / WHERE).write_text(HEAD + "".join(rows), encoding="utf-8")


def _holds(text: str) -> bool:
    return bool(text.strip()) and not text.startswith("#")


def _line(number: int, text: str) -> Line:
    match text.split():
        case [id, rev, verdict] if verdict in STATES:
            return Line(id, rev, verdict)
        case _:
            wanted = f"not `id rev verdict`: {text!r:.80}"
            raise Trouble(f"{WHERE}:{number}: {wanted}; mend it, or restore it, `git checkout {WHERE}`")
