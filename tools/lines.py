"""Which lines of the engine each unit ran: `build/lines.json`, distilled from coverage's contexts.

Coverage's own file is large and its reader heavy; this one is read by `tools/trace` in a few milliseconds.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tools.command import Trouble
from tools.units import Unit

WHERE = Path("build/lines.json")
SOURCE = Path("build/coverage")
RANGES = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*")

Ranges = str
Ran = Mapping[str, Mapping[str, Ranges]]


class _Rows(Mapping[str, Mapping[str, Ranges]]):
    """A unit a line, each read when it is asked for: there are a thousand, and most questions are about a few."""

    def __init__(self, rows: Mapping[str, str]) -> None:
        self._rows = rows

    def __getitem__(self, unit: str) -> Mapping[str, Ranges]:
        try:
            files: Mapping[str, Ranges] = json.loads(self._rows[unit])
            if all(RANGES.fullmatch(ranges) for ranges in files.values()):
                return files
        except (ValueError, AttributeError, TypeError):
            pass
        raise Trouble(f"{WHERE} cannot be read at {unit}: remove it, and run `make test` again")

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def read(root: Path) -> Ran:
    """For each unit, the lines of each file that it ran, as `3-7,9`."""
    try:
        text = (root / WHERE).read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as fault:
        raise Trouble(f"{WHERE} cannot be read ({fault.reason}): remove it, and run `make test` again") from None
    pairs = (row.rstrip(",").partition('": ') for row in text.removeprefix("{").removesuffix("}\n").split("\n") if row)
    return _Rows({unit.removeprefix('"'): files for unit, _, files in pairs})


def distil(root: Path, units: Iterable[Unit]) -> None:
    """Bring the lines up to date with the run that coverage has just recorded, if it did."""
    fresh = _measured(root / SOURCE, {unit.id for unit in units})
    if not fresh:
        return
    merged = {**_known(root), **fresh}
    rows = [f"{json.dumps(unit)}: {json.dumps(merged[unit], sort_keys=True)}" for unit in sorted(merged)]
    (root / WHERE).write_text("{" + ",\n".join(rows) + "}\n", encoding="utf-8")


def ranges(numbers: Iterable[int]) -> Ranges:
    """`3-7,9` for 3, 4, 5, 6, 7 and 9."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(f"{first}-{last}" if last > first else str(first) for first, last in runs)


def union(texts: Iterable[Ranges]) -> Ranges:
    """The lines of any of them."""
    return ranges(
        number
        for text in texts
        for first, _, last in _bounds(text)
        for number in range(int(first), int(last or first) + 1)
    )


def within(number: int, text: Ranges) -> bool:
    """Whether a line is one of the ranges."""
    return any(int(first) <= number <= int(last or first) for first, _, last in _bounds(text))


def _known(root: Path) -> Ran:
    """The lines so far; what cannot be read any more is none."""
    try:
        return dict(read(root))
    except Trouble:
        return {}


def _bounds(text: Ranges) -> Iterable[Sequence[str]]:
    return (part.partition("-") for part in text.split(",") if part)


def _measured(source: Path, wanted: set[str]) -> dict[str, dict[str, Ranges]]:
    """The lines under each wanted unit; a context is a node id, a bar and the phase."""
    if not source.exists():
        return {}
    from coverage import CoverageData

    recorded = CoverageData(basename=str(source))
    recorded.read()
    numbers: dict[str, dict[str, set[int]]] = {}
    for file in sorted(recorded.measured_files()):
        for number, contexts in recorded.contexts_by_lineno(file).items():
            for context in contexts:
                unit = context.partition("|")[0].partition("[")[0]
                if unit in wanted:
                    numbers.setdefault(unit, {}).setdefault(file, set()).add(number)
    return {unit: {file: ranges(lines) for file, lines in files.items()} for unit, files in numbers.items()}
