"""The folder `generated/`: how it differs from what the pages give, and how it is brought there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MANIFEST = "MANIFEST"
_NOT_OURS = {"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"}


@dataclass(frozen=True, slots=True)
class Difference:
    """What is wrong with one file: it is `modified`, `missing` or `extra`."""

    kind: str
    path: str


def compare(folder: Path, files: Mapping[str, bytes]) -> list[Difference]:
    """How a folder differs from the files it should hold; nothing is touched."""
    wanted = {**files, MANIFEST: manifest(files)}
    differences = []
    for path, content in wanted.items():
        found = _read(folder / path)
        if found != content:
            differences.append(Difference("missing" if found is None else "modified", path))
    differences += [Difference("extra", path) for path in _present(folder) - wanted.keys()]
    return sorted(differences, key=lambda difference: difference.path)


def write(folder: Path, files: Mapping[str, bytes]) -> list[Difference]:
    """Bring a folder to the files it should hold and say what differed.

    A file goes only if the last manifest lists it. The manifest is written last, so that a run which is cut
    short leaves nothing that the next one does not know.
    """
    listed = set((_read(folder / MANIFEST) or b"").decode("utf-8").split("\n"))
    differences = [d for d in compare(folder, files) if d.kind != "extra" or d.path in listed]
    for difference in sorted(differences, key=lambda d: d.path == MANIFEST):
        path = folder / difference.path
        if difference.kind == "extra":
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes({**files, MANIFEST: manifest(files)}[difference.path])
    return differences


def manifest(files: Mapping[str, bytes]) -> bytes:
    """The paths that were written, a line each."""
    return "".join(f"{path}\n" for path in sorted(files)).encode("utf-8")


def _present(folder: Path) -> set[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())
    return {path.as_posix() for path in found if not _NOT_OURS.intersection(path.parts)}


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
