"""How long an author waits: for the check of the generated code, and for an answer about a clause."""

import subprocess
import sys
from collections.abc import Sequence

from tools import contract
from tools.benches import Goal, Row, best_s
from tools.command import ROOT, Trouble


def rows() -> Sequence[Row]:
    """The check, a trace, and an empty Python beside them; whole processes, warm, best of several."""
    clause = contract.read(ROOT).clauses[0].id
    start = [sys.executable, "-c", "pass"]
    check = [sys.executable, "-m", "codegen", "--check"]
    trace = [str(ROOT / "tools/trace"), clause]
    return (
        Row("python starts", best_s(lambda: _run(start), rounds=7), "s"),
        Row("codegen --check", best_s(lambda: _run(check), rounds=5), "s", "python starts", Goal(at_most=1)),
        Row("tools/trace", best_s(lambda: _run(trace), rounds=15), "s", "python starts", Goal(at_most=0.2)),
    )


def _run(command: Sequence[str]) -> None:
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        said = (ended.stderr or ended.stdout).strip().rpartition("\n")[2]
        raise Trouble(f"`{' '.join(command)}` left with {ended.returncode}: {said}")
