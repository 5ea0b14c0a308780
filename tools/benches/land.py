"""What a landed row costs, beside a raw loop in the same run that decodes the same lines and writes Parquet."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.benches import Goal, Row, best_s
from tools.command import ROOT

ROWS = 200_000
BATCH_ROWS = 20_000
RAW = "raw lines to Parquet"
MANIFEST = f"""
site_id = "bench"

[project]
name = "bench"

[[pipeline]]
id = "bench"
tables = ["rows"]
source = {{ name = "file", config = {{ path = "in/*", format = "ndjson", batch_rows = {BATCH_ROWS} }} }}
"""


def rows() -> Sequence[Row]:
    """Rows a second: pulled, recorded, staged, committed and closed."""
    sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "generated")]
    with TemporaryDirectory(dir=ROOT / "build") as folder:
        given = Path(folder) / "rows.ndjson"
        given.write_bytes(b"".join(map(_line, range(ROWS))))
        raw_s = best_s(_raw(given, Path(folder)), rounds=3)
        land_s = best_s(_land(given, Path(folder)), rounds=3)
        poll_s = _poll_s(Path(folder) / "project-0")
    return (
        Row(RAW, ROWS / raw_s, "rows a second"),
        Row("rows landed", ROWS / land_s, "rows a second", RAW, Goal(at_least=0.2, of_ratio=True)),
        Row("a poll that finds nothing new, of 20 the tenth", poll_s * 1_000, "ms", goal=Goal(at_most=50)),
    )


def _line(at: int) -> bytes:
    name, instant = f"customer {at % 5_000}", f"2026-03-01T{at // 3600 % 24:02}:{at // 60 % 60:02}:{at % 60:02}Z"
    fair = "true" if at % 3 else "false"
    row = f'{{"id":{at},"name":"{name}","amount":{at % 997}.25,"fair":{fair},"at":"{instant}","items":{at % 13}}}\n'
    return row.encode()


def _raw(given: Path, folder: Path) -> Callable[[], None]:
    import msgspec
    import pyarrow as pa
    import pyarrow.parquet as pq

    decode = msgspec.json.Decoder(dict).decode

    def write() -> None:
        with given.open("rb") as lines:
            batches = iter(lambda: [decode(line) for _, line in zip(range(BATCH_ROWS), lines, strict=False)], [])
            first = pa.Table.from_pylist(next(batches))
            with pq.ParquetWriter(folder / "raw.parquet", first.schema, compression="zstd") as parquet:
                parquet.write_table(first)
                for batch in batches:
                    parquet.write_table(pa.Table.from_pylist(batch))

    return write


def _land(given: Path, folder: Path) -> Callable[[], None]:
    from contextful.faces.profile import Project

    numbers = count()

    def land() -> None:
        project = folder / f"project-{next(numbers)}"
        (project / "in").mkdir(parents=True)
        (project / "in" / "rows.ndjson").hardlink_to(given)
        (project / "contextful.toml").write_text(MANIFEST)
        with Project.open(project) as opened:
            opened.run("bench")

    return land


def _poll_s(project: Path) -> float:
    """How long a fire takes that finds what has landed: as long as half of twenty."""
    from contextful.faces.profile import Project

    with Project.open(project) as opened:
        return sorted(best_s(lambda: opened.run("bench"), rounds=1) for _ in range(20))[9]
