"""tools/coverage: how much of the contract is met, as the last run shows it."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from tools import report
from tools.command import ROOT, run
from tools.render import document, text


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(prog="tools/coverage", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON document, as coverage.schema.json says")
    asked = parser.parse_args(arguments)
    found = report.read(root)
    if asked.json:
        print(json.dumps(document.coverage(found), indent=1, ensure_ascii=False))
        return 0
    print(text.coverage(found, now=text.now()), end="")
    return 0


if __name__ == "__main__":
    run("tools/coverage", main)
