"""tools/coverage: how much of the contract is met, as the last run shows it."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tools import floor, report
from tools.command import ROOT, run
from tools.floor import Change
from tools.render import badge, document, github, lcov, page, sarif, text
from tools.report import Report
from tools.units import Unit

SURFACES: Mapping[str, tuple[str, Callable[[Report], str]]] = {
    "text": ("lines for a terminal", lambda found: text.coverage(found, now=text.now())),
    "brief": (
        "a line an operation, and what fell since the snapshot",
        lambda found: text.brief(found, now=text.now()),
    ),
    "json": ("as tools/coverage.schema.json describes it", lambda found: _json(document.coverage(found))),
    "html": ("one page that needs nothing else", lambda found: page.coverage(found, now=text.now())),
    "github": ("annotations on the pages", github.coverage),
    "badge": ("an SVG", badge.coverage),
    "lcov": ("the pages as source", lcov.coverage),
    "sarif": ("findings beside the pages", lambda found: _json(sarif.coverage(found))),
}


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Print the report in the form asked for, or hold the floor, or accept."""
    asked = _parser().parse_args(arguments)
    if asked.form == "floor":
        return _hold(root)
    if asked.form == "accept":
        return _accept(root)
    _, render = SURFACES[asked.form]
    found = report.read(root, elsewhere=_elsewhere(asked.junit))
    print(render(found), end="")
    for stray in found.strays:
        print(f"{stray.place} cites {stray.id}, which is no clause", file=sys.stderr)
    return 1 if found.strays else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tools/coverage", description=__doc__)
    forms = parser.add_mutually_exclusive_group()
    for form, (means, _) in SURFACES.items():
        forms.add_argument(f"--{form}", dest="form", action="store_const", const=form, help=means)
    for form, means in (
        ("floor", "exit 1 if a clause that was accepted as met is not met now"),
        ("accept", "take the last whole, clean run into tools/trace.snapshot"),
    ):
        forms.add_argument(f"--{form}", dest="form", action="store_const", const=form, help=means)
    parser.add_argument("--junit", metavar="FILE", type=Path, help="count the evidence in this file too")
    parser.set_defaults(form="text")
    return parser


def _elsewhere(file: Path | None) -> tuple[Unit, ...]:
    """The evidence of a run elsewhere, if one was named."""
    if file is None:
        return ()
    from tools import junit

    return junit.read(file)


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _hold(root: Path) -> int:
    fallen = floor.check(root)
    for fall in fallen:
        print(text.fell(fall))
    print(f"{text.some(len(fallen), 'clause')} fell below the floor" if fallen else "the floor holds")
    return 1 if fallen else 0


def _accept(root: Path) -> int:
    changes = floor.accept(root)
    for change in changes:
        print(_accepted(change))
    print(f"{text.some(len(changes), 'line')} of the snapshot changed")
    return 0


def _accepted(change: Change) -> str:
    """How a line of the snapshot changed."""
    old, new = (f"{line.verdict} at {line.rev}" if line else "" for line in (change.old, change.new))
    return f"{change.id}  {old or 'new'} -> {new or 'dropped'}"


if __name__ == "__main__":
    run("tools/coverage", main)
