"""Versions of an applied project as files: each is created once, and one small file says which is current."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from contextful.adapters import files
from contextful.adapters.files import Disk
from contextful.kernel.failure import StorageFailed
from contextful.ports.world import World
from contextful.surface import apply
from contextful_contract.errors import ConditionalWriteUnsupported

LOCK = "apply.lock"
PROBE = ".probe"
VERSION = re.compile(r"manifest@v(\d+)\.toml")


class Control:
    """The versions of one project."""

    def __init__(self, folder: Path, world: World, *, disk: Disk | None = None) -> None:
        """Raises ConditionalWriteUnsupported where the folder's file system creates a file that is there already."""
        self._folder = folder
        self._world = world
        self._disk = disk or Disk()
        with files.storing(folder):
            files.make_folders(self._disk, folder)
            self._see_that_it_refuses()

    def current(self) -> int:
        """The version that is current; 0 where there is none."""
        content = self._disk.read(self._folder / apply.CURRENT)
        if content is None:
            return 0
        if not content.strip().isdigit():
            raise StorageFailed(
                f"{self._folder / apply.CURRENT} names no version: restore it, or write the number there"
            )
        return int(content)

    def text(self, version: int) -> str | None:
        """What a version declares."""
        content = self._disk.read(self._folder / apply.file_name(version))
        return None if content is None else content.decode()

    def claim(self, text: str, *, base: int) -> int:
        """Make the text the version after `base`, and current; its number."""
        with files.storing(self._folder), files.locked(self._folder / LOCK, self._world):
            version = apply.next_version(base, self.current(), self._taken())
            ##= surface.apply.claim
            files.create(self._disk, self._folder / apply.file_name(version), text.encode())
            files.replace(self._disk, self._folder / apply.CURRENT, f"{version}\n".encode())
        return version

    def _taken(self) -> Sequence[int]:
        found = (VERSION.fullmatch(name) for name in self._disk.names(self._folder))
        return [int(match[1]) for match in found if match]

    def _see_that_it_refuses(self) -> None:
        with files.locked(self._folder / LOCK, self._world):
            source, target = self._folder / PROBE, self._folder / f"{PROBE}.target"
            self._disk.write(source, b"")
            self._disk.remove(target)
            self._disk.link(source, target)
            try:
                self._disk.link(source, target)
            except FileExistsError:
                return
            finally:
                self._disk.remove(target)
                self._disk.remove(source)
            raise ConditionalWriteUnsupported(backend=str(self._folder))  ##= surface.apply.weak-conditional-backend
