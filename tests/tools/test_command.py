"""How a tool ends: with the exit code that its end deserves, and a sentence."""

from collections.abc import Callable, Sequence

import pytest

from tools import command
from tools.command import Trouble


def fine(_: Sequence[str]) -> int:
    return 0


def found(_: Sequence[str]) -> int:
    return 1


def not_ready(_: Sequence[str]) -> int:
    raise Trouble("there is no contract")


def at_fault(_: Sequence[str]) -> int:
    raise KeyError("x")


def interrupted(_: Sequence[str]) -> int:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("main", "code", "told"),
    [
        (fine, 0, ""),
        (found, 1, ""),
        (not_ready, 2, "tools/it: there is no contract\n"),
        (at_fault, 3, "tools/it: our fault: KeyError: 'x' (test_command.py:"),
        (interrupted, 130, ""),
    ],
)
def test_a_tool_ends_with_its_code_and_a_sentence(
    capsys: pytest.CaptureFixture[str], main: Callable[[Sequence[str]], int], code: int, told: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        command.run("tools/it", main)

    assert ended.value.code == code
    assert capsys.readouterr().err.startswith(told)
