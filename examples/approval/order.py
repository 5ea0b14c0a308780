"""An order that a person has to approve: quoted, sent to whoever decides, charged once. README.md tells the story.

python examples/approval/order.py --run-id RUN_ID [--hold SPAN] [--now INSTANT]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import contextful
from contextful.adapters.system import SystemWorld
from contextful.kernel import instant
from contextful.ports.observer import Progress, StepRecorded, StepRetrying

DESK = Path("desk")  # the engine's state, and beside it what leaves the process
OUTBOX = DESK / "outbox"
LEDGER = DESK / "ledger.ndjson"  # every call that costs money


def main() -> int:
    """One attempt at the order; 0 once it is charged."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--run-id", required=True)
    parser.add_argument("--hold", help="for how long to wait in this process; otherwise it ends, and waits")
    parser.add_argument("--now", type=instant.read, help="stand the clock still at this instant")
    asked = parser.parse_args()
    with contextful.Engine.open(DESK, world=SystemWorld(now_ms=asked.now), observer=Teller()) as engine:
        try:
            with engine.execution(scope="order-7", plan="v1", run_id=asked.run_id) as run:
                say(order(run, asked.hold))
        except (contextful.Suspended, contextful.Stopped, contextful.Transient) as why:
            say(f"{asked.run_id}: {why}")
            return 1
    return 0


def order(run: contextful.Execution, hold: str | None) -> str:
    """The body. Killed anywhere and begun again, it pays for nothing twice."""
    cents = run.step("quote", quote, "a kayak")
    approval = run.awakeable("approve", ttl="24h")
    run.step("send", send, approval.token)
    say(f"the token is in {OUTBOX}; it is good until {approval.deadline} …")
    answer = approval.wait(hold=hold)
    if not answer["approved"]:
        return f"{answer['by']} said no"
    return run.step("charge", charge, cents, retry=contextful.Schedule(attempts=3))


def quote(item: str) -> int:
    """A paid call."""
    pay(f"a quote for {item}")
    return 89_900


def send(token: str) -> None:
    """Put the token where the person finds it who decides: in a mail, a chat, a ticket."""
    OUTBOX.write_text(token)


def charge(cents: int) -> str:
    """A paid call to a vendor who is busy at first."""
    asked_before = Path(DESK, "busy")
    if not asked_before.exists():
        asked_before.touch()
        raise contextful.RateLimited("the vendor is busy", retry_after_ms=240_000)
    pay(f"a charge of {cents} cents")
    return f"charged {cents} cents"


def pay(what: str) -> None:
    """Write down what was paid for, and under which key."""
    with LEDGER.open("a") as ledger:
        ledger.write(json.dumps({"paid": what, "key": contextful.idempotency_key()}) + "\n")


class Teller:
    """Says what a person at the terminal wants to know."""

    def tell(self, progress: Progress) -> None:
        """Something has happened."""
        match progress:
            case StepRecorded(label, _, replayed=True):
                say(f"{label}: on record")
            case StepRetrying(label, _, message, delay_ms):
                say(f"{label}: {message}, and asleep for {delay_ms // 1_000} s …")
            case _:
                pass


def say(line: str) -> None:
    """A line of the story; one that ends in … is followed by a wait."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
