"""A pipeline is killed in the middle, goes on, and lands what it would have landed: `make demo`.

    python examples/flights/demo.py

Every claim that is printed with a tick was checked; the first one that does not hold ends the demo with exit code 1.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
EVIDENCE = ROOT / "build" / "evidence.json"
CONTEXTFUL = (sys.executable, "-m", "contextful")
PAGES = 28
KILL_AFTER_PAGES = 12
WAIT_S = 60
MORNING = "2026-03-01T06:00:00Z"
A_MINUTE_LATER = "2026-03-01T06:01:00Z"

CARRIERS = (
    "SELECT carrier, count(*) AS flights, round(avg(dep_delay), 1) AS minutes_late"
    " FROM flights_departures GROUP BY carrier HAVING flights > 100 ORDER BY minutes_late DESC LIMIT 5"
)
COUNT = "SELECT count(*), count(DISTINCT _row_seq) FROM flights_departures"


def main() -> None:
    """Tell the story, and check it."""
    began = time.monotonic()
    say("A server hands out 27,004 flights of January 2013, 1,000 a page. A pipeline pulls them into a table.")
    with tempfile.TemporaryDirectory(prefix="contextful-demo-") as temporary, served(Path(temporary)) as (port, log):
        killed, whole = (project(Path(temporary) / name, port) for name in ("killed", "whole"))
        a_run_is_killed(killed, log)
        the_next_run_goes_on(killed, log)
        the_bytes_are_the_same(killed, whole)
        what_is_there_now(killed)
    the_contract_says()
    say(f"\nDone in {time.monotonic() - began:.0f} s.")


def a_run_is_killed(folder: Path, log: Path) -> None:
    """The first attempt, as far as it comes."""
    title("1. The pipeline runs, and its process is killed in the middle")
    child = subprocess.Popen([*CONTEXTFUL, *fire(folder, "monday", MORNING)], stderr=subprocess.PIPE, text=True)
    until(lambda: answered(log) >= KILL_AFTER_PAGES or child.poll() is not None)
    child.send_signal(signal.SIGKILL)
    _, error = child.communicate()
    killed = child.returncode == -signal.SIGKILL
    check(killed, f"the process was killed with SIGKILL after {answered(log)} pages", otherwise=error)
    went = Counter(request["went"] for request in requests(log))
    check(
        went["throttled"] == went["cut off"] == went["slow"] == 1,
        "by then the server had refused one page with 429, cut one answer off, and been slow once",
    )
    check(not manifests(folder), "nothing is committed: the table has no rows that anyone could read")
    say(f"    the journal holds {recorded_pulls(folder)} pulls: each was recorded before its rows went any further")


def the_next_run_goes_on(folder: Path, log: Path) -> None:
    """The second attempt, once the first one's lease is over."""
    title("2. Once the lease of 30 s has lapsed the pipeline runs again")
    owner = json.loads(contextful("run", "show", "monday", "--project", str(folder)))["owner"]
    rest_s = (datetime.fromisoformat(owner["lease_expires_at"]) - datetime.now(UTC)).total_seconds()
    say(f"    for {rest_s:.0f} s yet the dead attempt might be one that is only slow: waiting")
    time.sleep(max(0.0, rest_s))
    before, pulls = requests(log), recorded_pulls(folder)
    say(indented(contextful(*fire(folder, "tuesday", A_MINUTE_LATER))))
    after = requests(log)[len(before) :]
    again = [request for request in after if request["page"] <= pulls]
    check(not again, f"the server was asked for none of the {pulls} recorded pages again")
    in_flight = {request["page"]: request["key"] for request in before if request["page"] > pulls}
    repeated = [request for request in after if request["page"] in in_flight]
    if repeated:
        same = all(request["key"] == in_flight[request["page"]] for request in repeated)
        check(
            same, f"page {repeated[0]['page']}, in flight at the kill, was asked again under its first idempotency key"
        )
    check(
        sorted({request["page"] for request in before + after}) == list(range(1, PAGES + 1)),
        f"over both attempts it was asked for all of pages 1 to {PAGES}",
    )
    check(len(manifests(folder)) == 1, "the table has one commit, and with it the position")


def the_bytes_are_the_same(killed: Path, whole: Path) -> None:
    """The same run in another store, with nobody killing it."""
    title("3. The same run in an empty store, uninterrupted")
    say(indented(contextful(*fire(whole, "tuesday", A_MINUTE_LATER))))
    ours, theirs = parts(killed), parts(whole)
    check(ours == theirs and len(ours) == PAGES, f"all {len(ours)} Parquet parts are equal, byte for byte")
    check(position(killed) == position(whole), f"and so is the position: {position(killed)}")


def what_is_there_now(folder: Path) -> None:
    """What the record and the table say."""
    title("4. $ contextful run history")
    say(indented(contextful("run", "history", "--project", str(folder))))
    history = json.loads(contextful("run", "history", "--project", str(folder), "--json"))["runs"]
    check(len({run["execution_id"] for run in history}) == 1, "both attempts belong to one execution")
    title(f"5. $ contextful query '{CARRIERS}'")
    say(indented(contextful("query", CARRIERS, "--project", str(folder))))
    counted = json.loads(contextful("query", COUNT, "--project", str(folder), "--json"))["rows"]
    check(counted == [[27_004, 27_004]], "the table has 27,004 flights, each of them once")


def the_contract_says() -> None:
    """Where the promise that was just shown is written down, decided and proved."""
    trace, coverage = ("tools/trace", "run.journal.step-output"), ("tools/coverage",)
    if not all(os.access(ROOT / tool[0], os.X_OK) for tool in (trace, coverage)):
        return
    title("6. Where this is promised, decided and tested: tools/trace run.journal.step-output")
    say(answer(trace).rstrip())
    title("7. How much of the contract is met: the last line of tools/coverage")
    last = answer(coverage).splitlines()[-1]
    say(last if EVIDENCE.exists() else "Nobody knows here yet: `make test` runs what shows it, and counts.")


def answer(argv: Sequence[str]) -> str:
    """What a program prints that ends well."""
    ended = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    check(ended.returncode == 0, f"`{' '.join(argv)}` ends well", otherwise=ended.stderr, quiet=True)
    return ended.stdout


def fire(folder: Path, run_id: str, now: str) -> Sequence[str]:
    """The arguments that fire the pipeline, at a clock that stands still."""
    return ["pipeline", "run", "flights", "--project", str(folder), "--run-id", run_id, "--now", now]


def contextful(*arguments: str) -> str:
    """What a command prints that ends well."""
    return answer([*CONTEXTFUL, *arguments])


def indented(text: str) -> str:
    """The text, set in."""
    return "\n".join(f"    {line}" for line in text.rstrip().splitlines())


@contextmanager
def served(folder: Path) -> Iterator[tuple[int, Path]]:
    """The server on a free port, and its log."""
    log = folder / "requests.ndjson"
    log.touch()
    argv = [sys.executable, str(HERE / "server.py"), "--port", "0", "--log", str(log)]
    server = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())["port"], log
    finally:
        server.kill()
        server.wait()


def project(folder: Path, port: int) -> Path:
    """A project's folder of its own, which asks the server where it is."""
    folder.mkdir()
    manifest = (HERE / "contextful.toml").read_text()
    (folder / "contextful.toml").write_text(manifest.replace("127.0.0.1:8013", f"127.0.0.1:{port}"))
    return folder


def requests(log: Path) -> list[dict[str, object]]:
    """Every request so far, as the server wrote it down."""
    return [json.loads(line) for line in log.read_text().splitlines()]


def answered(log: Path) -> int:
    """How many pages the server has answered."""
    return sum(request["went"] in ("answered", "slow") for request in requests(log))


def recorded_pulls(folder: Path) -> int:
    """How many pulls the journal has on record."""
    with closing(sqlite3.connect(folder / ".contextful" / "machine.sqlite")) as machine:
        (count,) = machine.execute("SELECT count(*) FROM entry WHERE state = 'recorded'").fetchone()
    return int(count)


def manifests(folder: Path) -> list[Path]:
    """The commits of the one table."""
    return sorted(folder.glob(".contextful/context/flights/tables/flights_departures/data/runs/*/*/_manifest.json"))


def parts(folder: Path) -> dict[str, str]:
    """The committed parts by name, each with its digest."""
    (manifest,) = manifests(folder)
    names = [part["name"] for part in json.loads(manifest.read_text())["parts"]]
    return {name: hashlib.sha256((manifest.parent / name).read_bytes()).hexdigest() for name in names}


def position(folder: Path) -> object:
    """The committed position."""
    (manifest,) = manifests(folder)
    return json.loads(manifest.read_text())["cursor"]


def until(holds: object) -> None:
    """Wait until it holds."""
    ends = time.monotonic() + WAIT_S
    while not holds():  # type: ignore[operator]
        check(time.monotonic() < ends, f"it came about within {WAIT_S} s", quiet=True)
        time.sleep(0.01)


def check(holds: bool, claim: str, *, otherwise: str = "", quiet: bool = False) -> None:
    """Show a claim that holds; end with one that does not."""
    if not holds:
        sys.exit(f"  ✗ {claim}\n{otherwise}")
    if not quiet:
        say(f"  ✓ {claim}")


def title(text: str) -> None:
    """A heading."""
    width = shutil.get_terminal_size().columns
    say(f"\n{text}\n{'─' * min(len(text), width)}")


def say(text: str) -> None:
    """A line of the story."""
    print(text, flush=True)


if __name__ == "__main__":
    main()
