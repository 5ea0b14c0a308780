"""The pages, looked at again and again: each time one was saved, what that came to."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from time import sleep

from codegen import load, output, report
from codegen.render import render
from tools import changes, contract, places
from tools.contract import Contract
from tools.render import changes as rendered

EVERY_S = 0.1

Stamps = Mapping[str, tuple[int, int]]


def ticks() -> Iterator[None]:
    """The moments to look. They end with Ctrl-C: an author watches for as long as there is writing to do."""
    while True:
        yield
        sleep(EVERY_S)


def watch(root: Path, moments: Iterable[None]) -> Iterator[str]:
    """At the first moment and after each save: the findings, or what was written, what changed, what is stale."""
    seen: Stamps = {}
    last: Contract | None = None
    for _ in moments:
        stamps = dict(_stamps(root))
        if stamps != seen:
            seen = stamps
            last, told = _look(root, last)
            yield told


def _look(root: Path, last: Contract | None) -> tuple[Contract | None, str]:
    """The contract as it is now, and what to say of it; as it was, while the pages are not sound."""
    placed, findings = load.load(root)
    count = report.Count.of(placed)
    if findings:
        return last, report.text(findings, count) + "\n"
    files = render(placed)
    written = output.write(root / "generated", files)
    now = contract.of(json.loads(files["contract.json"]))
    lines = "".join(f"wrote generated/{difference.path}\n" for difference in written)
    if last is None:
        return now, f"{lines}read {count}\n"
    changed = changes.compare(last, now)
    return now, lines + rendered.told(changed, places.by_id(places.marks(root)) if changed else {}, "the last save")


def _stamps(root: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    for path in load.paths(root):
        try:
            status = (root / path).stat()
        except OSError:
            continue  # gone between two looks
        yield path, (status.st_mtime_ns, status.st_size)
