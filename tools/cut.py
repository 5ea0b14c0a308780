"""tools/cut: deletes what each `##=` marks, in a copy of the working tree, and says which test or proof of it fails.

What is deleted stands in tools/pieces.py; what a clause's tests and proofs are, in the evidence of the last run.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tools import git, lookup, pieces, report, units
from tools.cites import WHERE, Cite
from tools.command import ROOT, Trouble, run
from tools.report import Report
from tools.units import Unit

NOTICING = (*units.BROKEN, "undetermined")
START_S = 60  # beside five times what the tests took when they passed
SAID = "said"  # by pytest, in the copy
LOST = (2, 3, 4, 5)  # pytest's exit codes where what was asked for did not run


@dataclass(frozen=True, slots=True)
class Cut:
    """A cite whose line was deleted, and the unit that noticed, or why none could run; empty where nothing did."""

    clause: str
    file: str
    line: int
    code: str
    noticed_by: str


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Cut each cite that is asked for, one at a time."""
    parser = argparse.ArgumentParser(
        prog="tools/cut", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "subject", nargs="*", help="as tools/trace takes it; every clause that a test passed for if none"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    asked = parser.parse_args(arguments)
    found = report.read(root)
    if not found.units:
        raise Trouble("no run has left evidence: run `make test`")
    cuts = []
    for cut in cut_all(_cites(asked.subject, found, root), found, root):
        cuts.append(cut)
        if not asked.json:
            by = f"noticed by {cut.noticed_by}" if cut.noticed_by else "UNNOTICED"
            print(f"{cut.file}:{cut.line}  {cut.clause}  {by}", flush=True)
    unnoticed = sum(not cut.noticed_by for cut in cuts)
    total = f"{len(cuts)} cut, {unnoticed} unnoticed"
    print(json.dumps({"cuts": [asdict(cut) for cut in cuts]}, indent=1) if asked.json else total)
    return 1 if unnoticed else 0


def _cites(subjects: Sequence[str], found: Report, root: Path) -> list[Cite]:
    """The cites of the clauses, or at the lines, that are asked about."""
    chosen: list[Cite] = []
    for subject in subjects:
        here = [cite for cite in found.cites if subject in (f"{cite.file}:{cite.line}", f"{cite.file}:{cite.written}")]
        if not here and not subject.startswith(f"{WHERE}/"):
            answer = lookup.find(subject, found, root)
            here = [cite for clause in answer.clauses for cite in found.decided(clause.id)] if answer else []
        if not here:
            raise Trouble(f"no line of the engine cites {subject}")
        chosen += here
    shown = [
        cite for cite in found.cites if any(unit.outcome == "passed" for unit in found.citing.get(cite.clause, ()))
    ]
    return list(dict.fromkeys(chosen)) if subjects else shown


def cut_all(cites: Sequence[Cite], found: Report, root: Path) -> Iterator[Cut]:
    """Each cite cut in turn, before the units of its clause that passed, tests first and quick ones first."""
    showing = {
        cite.clause: sorted(
            (unit for unit in found.citing.get(cite.clause, ()) if unit.outcome == "passed"),
            key=lambda unit: (unit.kind == "theorem", unit.seconds),
        )
        for cite in cites
    }
    with tempfile.TemporaryDirectory(prefix="contextful-cut-") as folder:
        copy = Path(folder).resolve()
        for file in git.files(root) or ():
            if (root / file).is_file():
                (copy / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / file, copy / file)
        sound = _sound(copy, list({unit.id: unit for shown in showing.values() for unit in shown}.values()))
        for cite in cites:
            place = copy / cite.file
            source = place.read_bytes()
            place.write_bytes(pieces.without(source, cite))
            by = _noticed(copy, [unit for unit in showing[cite.clause] if unit.id in sound])
            place.write_bytes(source)
            yield Cut(cite.clause, cite.file, cite.line, cite.code, by)


def _sound(copy: Path, shown: Sequence[Unit]) -> set[str]:
    """The units that pass before anything is cut; what fails anyway notices nothing."""
    ended, seen = _pytest(copy, shown)
    if ended is None or ended in LOST:
        said = (copy / SAID).read_text(encoding="utf-8", errors="replace").split("\n")
        told = "".join(f"\n{row}" for row in said if row.startswith("ERROR"))
        raise Trouble(f"the tests of the last run cannot all be run: run `make test` again{told}")
    sound = {unit.id for unit in seen if unit.outcome == "passed"}
    for unit in shown:
        if unit.id not in sound:
            print(f"{unit.id} does not pass before anything is cut, and is left out", file=sys.stderr)
    return sound


def _noticed(copy: Path, shown: Sequence[Unit]) -> str:
    """The first of the units that fails now; or why none of them could."""
    ended, seen = _pytest(copy, shown, "-x")
    if ended is None:
        return "a test that does not end"
    unable = "what does not load" if ended in LOST else ""
    return next((unit.id for unit in seen if unit.outcome in NOTICING), unable)


def _pytest(copy: Path, shown: Sequence[Unit], *options: str) -> tuple[int | None, Sequence[Unit]]:
    """The exit code of a run of the units in the copy, none if it had to be ended, and what became of them."""
    if not shown:
        return 0, ()
    (copy / units.WHERE).unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *(unit.id for unit in shown)]
    paths = (str(copy), f"{copy}/engine", f"{copy}/generated", os.environ.get("PYTHONPATH", ""))
    compiled = {"PYTHONPYCACHEPREFIX": f"{copy}/build/pycache"}
    environment = {**os.environ, **compiled, "PYTHONPATH": ":".join(filter(None, paths))}
    with (
        (copy / SAID).open("wb") as said,
        subprocess.Popen(
            command, cwd=copy, env=environment, stdout=said, stderr=said, start_new_session=True
        ) as started,
    ):
        try:
            ended = started.wait(START_S + 5 * sum(unit.seconds for unit in shown))
        except subprocess.TimeoutExpired:
            ended = None
        finally:
            if started.poll() is None:
                os.killpg(started.pid, signal.SIGKILL)
    return ended, units.read(copy).latest()


if __name__ == "__main__":
    run("tools/cut", main)
