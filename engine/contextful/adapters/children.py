"""Child processes, each in a group of its own with all that it starts (run.cancel.child-reaped).

Input and output are files, so that neither side waits for the other, and no grandchild keeps a pipe open.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile

from contextful.ports.world import ChildOutcome

PROCESSES = Path("/proc")
DEAD = ("Z", "X")


class SystemChild:
    """A process of this machine."""

    def __init__(self, command: Sequence[str], given: bytes) -> None:
        with contextlib.ExitStack() as files:
            written = files.enter_context(TemporaryFile())
            self._output, self._errors = (files.enter_context(TemporaryFile()) for _ in range(2))
            written.write(given)
            written.seek(0)
            self._process = subprocess.Popen(
                list(command), stdin=written, stdout=self._output, stderr=self._errors, start_new_session=True
            )
            self._files = files.pop_all()
        self.pid = self._process.pid

    def join(self) -> None:
        """Wait until the process has ended."""
        self._process.wait()

    def ended(self) -> bool:
        """Whether the process itself has ended."""
        return self._process.returncode is not None

    def gone(self) -> bool:
        """Whether nothing of the group is left. A process that has ended is gone, though nobody has asked after it."""
        if not self.ended():
            return False
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-self.pid, os.WNOHANG)[0]:  # what is ours to reap, as the first of a container
                pass
        return not self._signalled(0) or not _any_lives(self.pid)

    def end(self, *, force: bool) -> None:
        """Ask the group to end; with `force`, end it."""
        self._signalled(signal.SIGKILL if force else signal.SIGTERM)

    def outcome(self) -> ChildOutcome:
        """What became of the process, once it has ended."""
        assert self.ended(), "it has no outcome before it has ended"
        self._output.seek(0)
        self._errors.seek(0)
        return ChildOutcome(self._process.returncode, self._output.read(), self._errors.read())

    def close(self) -> None:
        """Let go of what it wrote."""
        self._files.close()

    def _signalled(self, number: int) -> bool:
        """Whether there was anything left to signal."""
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True


def _any_lives(group: int) -> bool:
    """Whether any process of the group is more than an entry in the table."""
    if not PROCESSES.is_dir():
        return True
    for path in PROCESSES.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            state, _, of = path.read_text().rpartition(")")[2].split()[:3]
            if int(of) == group and state not in DEAD:
                return True
    return False
