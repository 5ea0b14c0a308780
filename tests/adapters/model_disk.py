"""A disk in memory: its process may end at any operation, its power may go, and it may fail.

After a power loss it holds what was synced, and whatever part of the rest: any of the contents that a file had since,
perhaps cut short or with nought in the end, and any of the names that a folder gained or lost.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from contextful.testing import Crash


@dataclass(eq=False)
class File:
    """What processes see, what is on the disk, and what came between."""

    content: bytes = b""
    synced: bytes = b""
    since: list[bytes] = field(default_factory=list)
    at_ms: int = 0

    def becomes(self, content: bytes) -> None:
        self.content = content
        self.since.append(content)

    def sync(self) -> None:
        self.synced, self.since = self.content, []

    def lose_power(self, chance: random.Random) -> None:
        content = chance.choice([self.synced, *self.since])
        if self.since and chance.random() < 0.5:
            torn = content[: chance.randrange(len(content) + 1)]
            content = torn + bytes(chance.choice([0, len(content) - len(torn)]))
        self.content = self.synced = content
        self.since = []


@dataclass(eq=False)
class Folder:
    """The names that processes see, those on the disk, and what came between."""

    names: dict[str, Node] = field(default_factory=dict)
    synced: dict[str, Node] = field(default_factory=dict)
    since: list[tuple[str, Node | None]] = field(default_factory=list)

    def becomes(self, name: str, node: Node | None) -> None:
        self.names = _with(self.names, name, node)
        self.since.append((name, node))

    def sync(self) -> None:
        self.synced, self.since = self.names, []

    def lose_power(self, chance: random.Random) -> None:
        for name, node in self.since:
            if chance.random() < 0.5:
                self.synced = _with(self.synced, name, node)
        self.names, self.since = self.synced, []
        for node in self.names.values():
            node.lose_power(chance)


Node = File | Folder


def _with(names: dict[str, Node], name: str, node: Node | None) -> dict[str, Node]:
    rest = {held: other for held, other in names.items() if held != name}
    return rest if node is None else {**rest, name: node}


class ModelDisk:
    """Counts what changes it. Ends its process at operation `ends_at`, and fails those in `fails` with their errors."""

    def __init__(self) -> None:
        self.root = Folder()
        self.boots = 1
        self.count = 0
        self.ends_at: int | None = None
        self.fails: dict[int, int] = {}

    def reborn(self) -> None:
        """The process that ended is followed by another."""
        self.count, self.ends_at, self.fails = 0, None, {}

    def lose_power(self, seed: int) -> None:
        """What was not synced is left to chance."""
        self.boots += 1
        self.root.lose_power(random.Random(seed))

    def boot(self) -> bytes:
        return b"boot-%d" % self.boots

    @contextmanager
    def held(self, path: str) -> Iterator[None]:
        yield

    def read(self, path: str) -> bytes | None:
        node = self._node(path)
        return node.content if isinstance(node, File) else None

    def size(self, path: str) -> int | None:
        content = self.read(path)
        return None if content is None else len(content)

    def names(self, folder: str) -> list[str]:
        node = self._node(folder)
        return list(node.names) if isinstance(node, Folder) else []

    def write(self, path: str, content: bytes) -> None:
        self._change(path, content, b"")

    def append(self, path: str, content: bytes) -> None:
        self._change(path, content, self.read(path) or b"")

    def truncate(self, path: str, size: int) -> None:
        self._pass_by()
        file = self._node(path)
        assert isinstance(file, File)
        file.becomes(file.content[:size])

    def sync(self, path: str) -> None:
        self._pass_by()
        node = self._node(path)
        if node is not None:
            node.sync()

    def rename(self, source: str, target: str) -> None:
        self._pass_by()
        file, folder = self._node(source), self._folder(target)
        if folder is None or file is None:
            raise FileNotFoundError(target)
        folder.becomes(_name(target), file)
        self._known(source).becomes(_name(source), None)

    def remove(self, path: str) -> None:
        self._pass_by()
        if self._node(path) is not None:
            self._known(path).becomes(_name(path), None)

    def make_folder(self, path: str) -> None:
        above = ""
        for name in path.split("/"):
            whole = f"{above}/{name}".strip("/")
            if self._node(whole) is None:
                self._pass_by()
                self._known(whole).becomes(name, Folder())
            above = whole

    def drop_folder(self, path: str) -> bool:
        self._pass_by()
        folder = self._node(path)
        if isinstance(folder, Folder) and folder.names:
            return False
        if folder is not None:
            self._known(path).becomes(_name(path), None)
        return True

    def date(self, path: str, at_ms: int) -> None:
        self._pass_by()
        file = self._node(path)
        assert isinstance(file, File)
        file.at_ms = at_ms

    def dated_ms(self, path: str) -> int | None:
        node = self._node(path)
        return node.at_ms if isinstance(node, File) else None

    def _change(self, path: str, content: bytes, before: bytes) -> None:
        node = self._node(path)
        if node is None:
            node = File()
            self._known(path).becomes(_name(path), node)
        assert isinstance(node, File)
        try:
            self._pass_by()
        except BaseException:
            node.becomes(before + content[: len(content) // 2])
            raise
        node.becomes(before + content)

    def _pass_by(self) -> None:
        """Go on, or fail, or end: once the process has ended, nothing is done any more."""
        if self.ends_at is not None and self.count >= self.ends_at:
            raise Crash
        self.count += 1
        if self.count - 1 in self.fails:
            raise OSError(self.fails[self.count - 1], "the disk says no")

    def _node(self, path: str) -> Node | None:
        node: Node | None = self.root
        for name in filter(None, path.split("/")):
            node = node.names.get(name) if isinstance(node, Folder) else None
        return node

    def _folder(self, path: str) -> Folder | None:
        folder = self._node(path.rpartition("/")[0])
        return folder if isinstance(folder, Folder) else None

    def _known(self, path: str) -> Folder:
        folder = self._folder(path)
        if folder is None:
            raise FileNotFoundError(path)
        return folder


def _name(path: str) -> str:
    return path.rpartition("/")[2]
