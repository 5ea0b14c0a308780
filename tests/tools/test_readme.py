"""tools/README.md names every command that there is, and no other."""

from __future__ import annotations

import re

import pytest

from tools import coverage, spec
from tools.command import ROOT

README = (ROOT / "tools/README.md").read_text(encoding="utf-8")


def helped(capsys: pytest.CaptureFixture[str], main: object) -> str:
    """What a tool's --help prints."""
    with pytest.raises(SystemExit):
        main(["--help"])  # type: ignore[operator]
    return capsys.readouterr().out


def test_every_command_of_spec_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"^    (\w+) ", helped(capsys, spec.main), re.MULTILINE)

    assert re.findall(r"^\| `tools/spec (\w+)", README, re.MULTILINE) == commands


def test_every_form_of_coverage_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    forms = set(re.findall(r"^  (--\w+)", helped(capsys, coverage.main), re.MULTILINE)) - {"--text"}

    named = re.findall(r"--\w+", "".join(re.findall(r"^\| `tools/coverage.*", README, re.MULTILINE)))
    assert set(named) == forms
