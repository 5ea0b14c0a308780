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


def show(root: Path, revision: str, path: Path) -> str | None:
    """A file as it stands in a commit; nothing where it is not there."""
    return _ask(root, "show", f"{revision}:./{path.as_posix()}")


def touching(root: Path, text: str, path: Path) -> tuple[str, ...]:
    """The commits that brought a text into a file or took it out, newest first."""
    found = _ask(root, "log", "--format=%H", f"-S{text}", "--", path.as_posix())
    return tuple((found or "").split())


def files(root: Path) -> tuple[str, ...] | None:
    """Every file that git keeps or would keep; nothing where git cannot tell."""
    found = _ask(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    return None if found is None else tuple(sorted(filter(None, found.split("\0"))))


def _ask(root: Path, *question: str) -> str | None:
    try:
        answer = subprocess.run(
            ["git", "-C", str(root), *question], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None
