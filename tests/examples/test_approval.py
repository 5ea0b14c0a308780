"""The story of examples/approval, told by the commands of its README."""

from __future__ import annotations

import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "examples" / "approval"
README = (EXAMPLE / "README.md").read_text()
PROGRAMS = {"python": "", "contextful": "-m contextful"}
SHORT = r'(?<="key": ")[0-9a-f]{32}|(?<=^serving )/.*(?= at )'  # what the README has … for
PATIENCE_S = 60


class Told(NamedTuple):
    """A command, and what the README says that it prints."""

    command: str
    prints: list[str]


def told(port: int) -> Iterator[Told]:
    """Every command, in order; what is served is served at the port."""
    for block in re.findall(r"```\n\$ (.*?)```", README.replace("8787", str(port)), re.DOTALL):
        for typed in block.split("\n$ "):
            command, *prints = typed.splitlines()
            yield Told(command, prints)


class Terminal:
    """A shell in the example's folder, with one job at a time. It does not wait for a lease to lapse: it lapses it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._job: subprocess.Popen[str] | None = None
        programs = folder / "programs"
        programs.mkdir()
        for name, options in PROGRAMS.items():
            (programs / name).write_text(f'#!/bin/sh\nexec {sys.executable} {options} "$@"\n')
            (programs / name).chmod(0o755)
        self._environment = {"PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": f"{ROOT}/engine:{ROOT}/generated"}

    def types(self, told: Told) -> list[str]:
        """What the command prints; a job that goes on does so until it has printed what was told."""
        if told.command == "kill -9 %1":
            self.job().kill()
            self.job().communicate()
            return []
        if told.command == "kill %1":
            self.job().terminate()
            self.job().communicate(timeout=PATIENCE_S)
            assert self.job().returncode == 0
            return []
        if told.command == "sleep 30":
            with closing(sqlite3.connect(self._folder / "desk" / ".contextful" / "machine.sqlite")) as machine:
                machine.execute("UPDATE run SET lease_expires_ms = 1 WHERE lease_expires_ms IS NOT NULL")
                machine.commit()
            return []
        process = subprocess.Popen(
            ["sh", "-c", f"exec {told.command.removesuffix(' &')}"], cwd=self._folder, env=self._environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        if told.command.endswith(" &"):
            self._job = process
            assert process.stdout is not None
            return [line.rstrip("\n") for line in islice(process.stdout, len(told.prints))]
        said, _ = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, said
        return said.splitlines()

    def job(self) -> subprocess.Popen[str]:
        """What was left running."""
        assert self._job is not None
        return self._job


@pytest.mark.clause("run.suspend.awakeable")
@pytest.mark.clause("run.cancel.one-token")
def test_the_story_is_true(tmp_path: Path) -> None:
    folder = tmp_path / "approval"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("desk"))
    terminal = Terminal(folder)

    for step in told(_free_port()):
        said = [re.sub(SHORT, "…", line) for line in terminal.types(step)]
        assert said == step.prints, step.command
        if "cancel" in step.command:
            ended, _ = terminal.job().communicate(timeout=PATIENCE_S)
            assert (terminal.job().returncode, ended.startswith("ten: a stop of scope run was asked at")) == (1, True)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])
