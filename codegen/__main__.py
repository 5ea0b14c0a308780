"""`python -m codegen`: read the pages under `spec/`, then write `generated/` or say what is wrong.

Exit status: 0 all is well, 1 findings (with `--check`, differences too), 2 wrong usage, 3 anything else.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence
from pathlib import Path

from codegen import output, report
from codegen.findings import Finding
from codegen.load import load


def main(arguments: Sequence[str] | None = None) -> int:
    """Run once; the answer is the exit status."""
    options = _options(arguments)
    try:
        return _run(options.root, check=options.check, form=options.form)
    except OSError as error:
        print(f"codegen: this is no fault of the pages: {error.filename}: {error.strerror}", file=sys.stderr)
        return 3
    except Exception:  # noqa: BLE001 - the last line of defence, which tells our faults from the pages'
        import traceback

        traceback.print_exc()
        print("codegen: this is no fault of the pages", file=sys.stderr)
        return 3


def _run(root: Path, *, check: bool, form: str) -> int:
    contract, findings = load(root)
    if not findings:
        from codegen.render import render  # the templates' engine is not needed to say what is wrong

        files = render(contract)
        if check:
            findings = [_stale(difference) for difference in output.compare(root / "generated", files)]
        else:
            for difference in output.write(root / "generated", files):
                done = "deleted" if difference.kind == "extra" else "wrote"
                print(f"{done} generated/{difference.path}", file=sys.stderr)
    print(report.FORMS[form](findings, report.Count.of(contract)))
    return 1 if findings else 0


def _stale(difference: output.Difference) -> Finding:
    path = f"generated/{difference.path}"
    return Finding(path, 1, 1, difference.kind, "not as the pages give it")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m codegen", description="Read the pages under spec/ and write generated/."
    )
    home = Path(__file__).resolve().parents[1]
    parser.add_argument("--check", action="store_true", help="say what would change and touch nothing")
    parser.add_argument("--root", type=Path, default=home, help="the folder that holds spec/ and generated/")
    forms = parser.add_mutually_exclusive_group()
    for form in ("json", "sarif", "github"):
        forms.add_argument(f"--{form}", dest="form", action="store_const", const=form, help="form of the report")
    parser.set_defaults(form="text")
    options = parser.parse_args(arguments)
    if not (options.root / "spec").is_dir():
        parser.error(f"there is no folder {options.root / 'spec'}")
    return options


if __name__ == "__main__":
    gc.disable()  # a run is short and keeps what it reads: to look for garbage is a tenth of its time
    sys.exit(main())
