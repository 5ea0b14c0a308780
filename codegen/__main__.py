"""`python -m codegen`: read the pages under `spec/`, write `generated/` or say what is wrong.

Exit status: 0 all is well, 1 findings or (with --check) differences, 2 wrong usage, 3 a fault of this program.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from codegen import output, report
from codegen.load import load
from codegen.render import render


def main(arguments: Sequence[str] | None = None) -> int:
    """Run once and answer with the exit status."""
    options = _options(arguments)
    try:
        return _run(options.root, check=options.check, form=options.form)
    except Exception:  # noqa: BLE001 - the last line of defence, which tells our faults from the pages'
        traceback.print_exc()
        print("codegen: this is a fault of codegen, not of the pages", file=sys.stderr)
        return 3


def _run(root: Path, *, check: bool, form: str) -> int:
    contract, findings = load(root)
    files = {} if findings else render(contract)
    differences = []
    if not findings:
        differences = (output.compare if check else output.write)(root / "generated", files)
    print(report.FORMATS[form](findings, report.Count.of(contract)))
    for difference in differences:
        print(f"{difference.kind:8} generated/{difference.path}", file=sys.stderr)
    return 1 if findings or (check and differences) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m codegen", description="Write generated/ from the pages of spec/."
    )
    parser.add_argument("--check", action="store_true", help="say what would change and touch nothing")
    parser.add_argument(
        "--root", type=Path, default=Path(__file__).parents[1], help="the folder that holds spec/"
    )
    forms = parser.add_mutually_exclusive_group()
    for form in ("json", "sarif", "github"):
        forms.add_argument(
            f"--{form}", dest="form", action="store_const", const=form, help=f"report as {form}"
        )
    parser.set_defaults(form="text")
    options = parser.parse_args(arguments)
    if not (options.root / "spec").is_dir():
        parser.error(f"{options.root} has no folder spec/")
    return options


if __name__ == "__main__":
    sys.exit(main())
