"""A job of paid calls is killed twice and its service once; the bill at the end has every call once.

    python examples/scoring/demo.py [--flights 2000] [--seed 1]

Every claim that is printed with a tick was checked; the first one that does not hold ends the demo with exit code 1.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

HERE = Path(__file__).parent
FLIGHTS = HERE.parent / "flights" / "flights-2013-01.csv.gz"
CONTEXTFUL = (sys.executable, "-m", "contextful")
KILLS = 2
WAIT_S = 300


def main() -> None:
    """Tell the story, and check it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flights", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=None, help="decides when the job is killed")
    parser.add_argument("--lapse", action="store_true", help="lapse a dead process's lease, in place of waiting 30 s")
    parser.add_argument("--sweep", action="store_true", help="ask for an outlook at twelve instants of the past, too")
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    with tempfile.TemporaryDirectory(prefix="contextful-scoring-") as temporary:
        folder = project(Path(temporary), asked.flights)
        bill = folder / "bill.ndjson"
        service, port = serve(bill, 0)
        try:
            say(f"{asked.flights} flights land in a table; each is to be judged by a service that bills every call.")
            run("pipeline", "run", "flights", "--project", str(folder), port=port)
            for kill in range(KILLS):
                answered = len(billed(bill))
                job = fire(folder, f"fire-{kill}", port)
                stop = answered + chance.randint(1, max(1, (asked.flights - answered) // (KILLS - kill + 1)))
                until(lambda stop=stop, job=job: len(billed(bill)) >= stop or job.poll() is not None)
                job.send_signal(signal.SIGKILL)
                _, told = job.communicate()
                say(f"    {progress(told)}")
                say(f"    the job is killed, with {len(billed(bill))} calls on the bill")
                if kill == 0:
                    service.kill()
                    service.wait()
                    service, port = serve(bill, port)
                    say("    and so is the service, which comes back")
                lapse(folder, f"fire-{kill}", wait=not asked.lapse)
            say(run("job", "fire", "score", "--project", str(folder), "--run-id", "last", port=port).strip())
        finally:
            service.kill()
            service.wait()
        check_bill(folder, bill, asked.flights)
        if asked.sweep:
            check_sweep(folder)


def check_bill(folder: Path, bill: Path, flights: int) -> None:
    """What was billed, and what has landed."""
    lines = [json.loads(line) for line in bill.read_text().splitlines()]
    keys = {line["key"] for line in lines}
    check(
        len(keys) == flights,
        f"{flights} calls were sent under {len(keys)} idempotency keys, {len(lines)} requests in all",
    )
    check(len(billed(bill)) == flights, f"the bill has {len(billed(bill))} calls: not one more")
    answer = json.loads(
        run("query", "SELECT count(*), count(DISTINCT id) FROM score_verdicts", "--project", str(folder), "--json")
    )
    check(answer["rows"] == [[flights, flights]], f"and {flights} verdicts have landed, each of them once")


def check_sweep(folder: Path) -> None:
    """What each origin has said rests on what had departed by then."""
    say(run("job", "fire", "outlook", "--project", str(folder)).strip())
    differ = """
        SELECT count(*), count(*) FILTER (o.flights <> (SELECT count(*) FROM flights_departures d
            WHERE d.time_hour <= o.said_at)) FROM outlook_outlook o"""
    answer = json.loads(run("query", differ, "--project", str(folder), "--json"))
    check(
        answer["rows"] == [[12, 0]],
        "each of 12 origins has counted the flights that had departed by then, and no other",
    )


def project(folder: Path, flights: int) -> Path:
    """A folder with the manifest, the body, and so many flights."""
    for name in ("contextful.toml", "bodies.py"):
        shutil.copy(HERE / name, folder / name)
    with gzip.open(FLIGHTS, "rt") as packed, (folder / "departures.csv").open("w", newline="") as unpacked:
        csv.writer(unpacked).writerows(islice(csv.reader(packed), flights + 1))
    return folder


def serve(bill: Path, port: int) -> tuple[subprocess.Popen[str], int]:
    """The service, at that port or one that is free."""
    argv = [sys.executable, str(HERE / "service.py"), "--port", str(port), "--bill", str(bill)]
    service = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    assert service.stdout is not None
    return service, json.loads(service.stdout.readline())["port"]


def fire(folder: Path, run_id: str, port: int) -> subprocess.Popen[str]:
    """The job, under way."""
    argv = [*CONTEXTFUL, "job", "fire", "score", "--project", str(folder), "--run-id", run_id]
    return subprocess.Popen(argv, env=environment(port), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def progress(told: str) -> str:
    """The last that the job has said of its rows."""
    lines = [line for line in told.splitlines() if " rows: " in line]
    return lines[-1] if lines else "the job has just begun"


def run(*arguments: str, port: int = 0) -> str:
    """What a command prints that ends well."""
    ended = subprocess.run(
        [*CONTEXTFUL, *arguments], env=environment(port), capture_output=True, text=True, check=False
    )
    check(
        ended.returncode == 0, f"`contextful {' '.join(arguments[:3])}` ends well", otherwise=ended.stderr, quiet=True
    )
    return ended.stdout


def environment(port: int) -> dict[str, str]:
    """Where the body finds its service."""
    return {**os.environ, "SCORING_SERVICE": f"http://127.0.0.1:{port}/judge"}


def billed(bill: Path) -> Sequence[str]:
    """The keys that were billed, each as often as it was."""
    lines = bill.read_text().splitlines() if bill.exists() else []
    return [line["key"] for line in map(json.loads, lines) if line["billed"]]


def lapse(folder: Path, run_id: str, *, wait: bool) -> None:
    """Let the dead process's lease of 30 s lapse."""
    if wait:
        say("    for 30 s yet it might be one that is only slow: waiting")
        time.sleep(31)
        return
    with closing(sqlite3.connect(folder / ".contextful" / "machine.sqlite")) as machine:
        machine.execute(
            "UPDATE run SET lease_expires_ms = 1 WHERE run_id LIKE ? AND status = 'running'", (f"{run_id}%",)
        )
        machine.commit()


def until(happened: object) -> None:
    """Wait for it."""
    assert callable(happened)
    for _ in range(WAIT_S * 100):
        if happened():
            return
        time.sleep(0.01)
    raise SystemExit("it took too long")


def say(text: str) -> None:
    """A line of the story."""
    print(text, flush=True)


def check(holds: bool, claim: str, *, otherwise: str = "", quiet: bool = False) -> None:
    """Print a claim that holds; end where one does not."""
    if not holds:
        raise SystemExit(f"✗ {claim}\n{otherwise}")
    if not quiet:
        say(f"✓ {claim}")


if __name__ == "__main__":
    main()
