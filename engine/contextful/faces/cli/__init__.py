"""The command line: `contextful`. Standard output is the answer; standard error is for people."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType

import typer
from typer.exceptions import TyperException

from contextful.faces.cli.app import app
from contextful.faces.cli.ending import Terminated
from contextful.faces.cli.shown import shown
from contextful.kernel.failure import Failed, said
from contextful.kernel.signal import Signal, Suspended
from contextful.surface.dispatch import WAITS
from contextful_contract.base import ContextfulError
from contextful_contract.errors import PipelineTableFailed, StepFailed

FAILED = 1
USAGE = 2
OURS = 3
INTERRUPTED = 130
TERMINATED = 143


def main() -> None:
    """Run the command that the arguments name, and leave with its exit code."""
    signal.signal(signal.SIGTERM, _terminate)
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:  # leave nothing to be written as the interpreter ends: there is nobody to read it
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """The exit code of a command. Whatever fails is said in lines that begin with the error's name."""
    for argument in arguments:
        if not _is_text(argument):
            print(f"UsageError: {argument!r} is no text in UTF-8", file=sys.stderr)
            return USAGE
    try:
        code = int(app(arguments, prog_name="contextful", standalone_mode=False) or 0)
        if code == INTERRUPTED:
            print("Canceled: interrupted", file=sys.stderr)
        return code
    except typer.Exit as leaving:
        return leaving.exit_code
    except TyperException as usage:
        if usage.format_message():  # where there was no command, the help has been shown instead
            print(f"UsageError: {usage.format_message()}; --help shows how", file=sys.stderr)
        return usage.exit_code
    except (KeyboardInterrupt, typer.Abort):
        print("Canceled: interrupted", file=sys.stderr)
        return INTERRUPTED
    except Terminated:
        print("Canceled: terminated", file=sys.stderr)
        return TERMINATED
    except (Exception, Signal) as error:  # noqa: BLE001 (no traceback reaches a user)
        for line in _lines(error):
            print(line, file=sys.stderr)
        return _exit_code(error)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a second one waits for nothing
    raise Terminated("terminated")


def _lines(error: BaseException, before: tuple[BaseException, ...] = ()) -> Iterator[str]:
    """What is said of an error: its name, the place that it is noted with, its sentence; and of its cause."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _lines(each, before)
        return
    notes: list[str] = getattr(error, "__notes__", [])
    yield shown(": ".join([_name(error), *notes[:1], said(error)]))
    yield from (f"    {hint}" for hint in notes[1:])
    cause, told = error.__cause__, (*before, error)
    if cause is not None and cause not in told and _tells(error):
        yield from (f"    {line}" for line in _lines(cause, told))
    if _exit_code(error) == OURS and os.environ.get("CONTEXTFUL_TRACEBACK"):
        raise error


def _tells(error: BaseException) -> bool:
    """Whether an error's cause says more than it says itself."""
    if isinstance(error, PipelineTableFailed):
        return True
    return isinstance(error.__cause__, ContextfulError | Failed) and not isinstance(error, StepFailed)


def _is_text(argument: str) -> bool:
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in argument


def _name(error: BaseException) -> str:
    match error:
        case Failed():
            return str(error.failure.tag)
        case OSError():
            return "Storage"
        case ContextfulError() | Signal():
            return type(error).__name__
        case _:
            return f"InternalError: {type(error).__name__} (set CONTEXTFUL_TRACEBACK=1 to see where)"


def _exit_code(error: BaseException) -> int:
    match error:
        case BaseExceptionGroup():
            return max(_exit_code(each) for each in error.exceptions)
        case ContextfulError():
            return error.exit_code
        case Suspended():
            return WAITS
        case Failed() | Signal() | OSError():
            return FAILED
        case _:
            return OURS
