"""Opening a line of a file in whatever editor a person has set up."""

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from tools.command import Trouble

GOTO = ("code", "code-insiders", "codium", "cursor", "windsurf")
COLON = ("subl", "zed", "hx", "helix", "atom")
LINE = ("idea", "pycharm", "webstorm", "charm")


def command(file: Path, line: int, environment: Mapping[str, str]) -> list[str]:
    """The command that opens a line: as the editor's family takes it, or `+LINE FILE`, as most do."""
    editor = shlex.split(environment.get("VISUAL") or environment.get("EDITOR") or "")
    if not editor:
        raise Trouble("neither VISUAL nor EDITOR says which editor to open")
    name = Path(editor[0]).stem
    if name in GOTO:
        return [*editor, "--goto", f"{file}:{line}"]
    if name in COLON:
        return [*editor, f"{file}:{line}"]
    if name in LINE:
        return [*editor, "--line", str(line), str(file)]
    return [*editor, f"+{line}", str(file)]


def replace_with(command: list[str]) -> None:
    """Become the editor, so that it has the terminal; there is no way back."""
    try:
        os.execvp(command[0], command)
    except OSError as fault:
        raise Trouble(f"{command[0]} cannot be started: {fault.strerror}") from None
