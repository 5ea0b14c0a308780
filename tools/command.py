"""What every tool shares: where the repository stands, how an error is told, how a command ends.

Exit codes: 0 fine, 1 something found, 2 used wrongly or not ready, 3 our own fault.
"""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Trouble(Exception):
    """A sentence for the person at the keyboard, and the exit code that goes with it."""

    def __init__(self, sentence: str, *, code: int = 2) -> None:
        super().__init__(sentence)
        self.code = code


def run(name: str, main: Callable[[Sequence[str]], int]) -> None:
    """Run a tool's `main` on the command line's arguments and leave with its exit code."""
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except Trouble as trouble:
        print(f"{name}: {trouble}", file=sys.stderr)
        code = trouble.code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has seen enough
        code = 0
    except KeyboardInterrupt:
        code = 130
    except Exception as fault:  # noqa: BLE001  # a person gets a sentence; the place is for us
        print(f"{name}: our fault: {type(fault).__name__}: {fault} ({_place(fault)})", file=sys.stderr)
        code = 3
    sys.exit(code)


def _place(fault: BaseException) -> str:
    """The file and line that raised."""
    step = fault.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return "nowhere" if step is None else f"{Path(step.tb_frame.f_code.co_filename).name}:{step.tb_lineno}"
