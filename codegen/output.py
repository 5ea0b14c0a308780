"""The folder `generated/`: how it differs from what the pages give, and how it is brought there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MANIFEST = "MANIFEST"
_CACHES = {"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"}


@dataclass(frozen=True, slots=True)
class Difference:
    """One file that is not as the pages give it: `modified`, `missing` or `extra`."""

    path: str
    kind: str


def compare(folder: Path, files: Mapping[str, bytes]) -> list[Difference]:
    """How a folder differs from the files it should hold; nothing is touched."""
    present = _present(folder)
    wanted = _with_manifest(files)
    differences = [Difference(path, "missing") for path in wanted.keys() - present]
    differences += [Difference(path, "extra") for path in present - wanted.keys()]
    for path in wanted.keys() & present:
        if not _is_ours(folder / path) or (folder / path).read_bytes() != wanted[path]:
            differences.append(Difference(path, "modified"))
    return sorted(differences, key=lambda difference: difference.path)


def write(folder: Path, files: Mapping[str, bytes]) -> list[Difference]:
    """Bring a folder to the files it should hold and say what differed.

    Only a file that the last manifest lists is ever deleted, and what stands where one is to be written: nothing is
    written through a link. The manifest is written last: it lists nothing that a run which was cut short did not write.
    """
    listed = _listed(folder)
    wanted = _with_manifest(files)
    differences = [d for d in compare(folder, files) if d.kind != "extra" or d.path in listed]
    for difference in sorted(differences, key=lambda difference: difference.path == MANIFEST):
        path = folder / difference.path
        if difference.kind == "extra":
            path.unlink()
        else:
            _make_way(folder, path)
            path.write_bytes(wanted[difference.path])
    return differences


def _make_way(folder: Path, path: Path) -> None:
    """See that the path is a file or nothing, under folders that are none elsewhere."""
    for above in reversed(path.relative_to(folder).parents[:-1]):
        if (folder / above).is_symlink() or (folder / above).is_file():
            (folder / above).unlink()
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.unlink()


def _is_ours(path: Path) -> bool:
    """Whether a file stands there itself: no link to one, no pipe, no device."""
    return path.is_file() and not path.is_symlink()


def _with_manifest(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {**files, MANIFEST: "".join(f"{path}\n" for path in sorted(files)).encode("utf-8")}


def _listed(folder: Path) -> set[str]:
    path = folder / MANIFEST
    if not path.is_file():
        return set()
    return set(path.read_bytes().decode("utf-8", "replace").split("\n"))  # what is no text lists nothing that stands


def _present(folder: Path) -> set[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())
    return {path.as_posix() for path in found if not _CACHES.intersection(path.parts)}
