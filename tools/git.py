"""What git says of the sources: which commit they are, and whether they are more than that."""

import subprocess
from pathlib import Path


def head(root: Path) -> str:
    """The commit checked out under `root`; empty where there is none."""
    return _ask(root, "rev-parse", "--verify", "--quiet", "HEAD") or ""


def dirty(root: Path, *, apart_from: Path) -> bool:
    """Whether anything under `root` differs from its commit; so too where git cannot tell."""
    changes = _ask(root, "status", "--porcelain", "--", ".", f":!{apart_from.as_posix()}")
    return changes != ""


def _ask(root: Path, *question: str) -> str | None:
    try:
        answer = subprocess.run(
            ["git", "-C", str(root), *question], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None
