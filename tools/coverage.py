"""tools/coverage: how much of the contract is met, as the last run shows it."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from tools import floor, report
from tools.command import ROOT, run
from tools.render import document, text


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Print the report in the form asked for, or hold the floor, or accept."""
    asked = _parser().parse_args(arguments)
    if asked.form == "floor":
        return _hold(root)
    if asked.form == "accept":
        return _accept(root)
    found = report.read(root)
    if asked.form == "json":
        print(json.dumps(document.coverage(found), indent=1, ensure_ascii=False))
    else:
        print(text.coverage(found, now=text.now()), end="")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tools/coverage", description=__doc__)
    forms = parser.add_mutually_exclusive_group()
    for form, means in (
        ("json", "one JSON document, as tools/coverage.schema.json describes it"),
        ("floor", "exit 1 if a clause that was accepted as met is not met now"),
        ("accept", "take the last whole, clean run into tools/trace.snapshot"),
    ):
        forms.add_argument(f"--{form}", dest="form", action="store_const", const=form, help=means)
    return parser


def _hold(root: Path) -> int:
    fallen = floor.check(root)
    for fall in fallen:
        print(text.fell(fall))
    print(f"{len(fallen)} clauses fell below the floor" if fallen else "the floor holds")
    return 1 if fallen else 0


def _accept(root: Path) -> int:
    changes = floor.accept(root)
    for change in changes:
        print(text.accepted(change))
    print(f"{len(changes)} lines of the snapshot changed")
    return 0


if __name__ == "__main__":
    run("tools/coverage", main)
