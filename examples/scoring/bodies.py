"""The body of the job: one paid call a flight, which a kill anywhere does not make two."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from typing import Any

import contextful

PROMPT = "How likely is it that this flight lands in time? Answer with a number from 0 to 100."
PRICE_USD = 0.02
TIMEOUT_S = 1.0
PATIENT = contextful.Schedule(backoff=contextful.Backoff.FIXED, base_ms=100, attempts=20)


@contextful.body("score", effects=["judge"], dependencies={"prompt": PROMPT})
def score(row: contextful.Row) -> None:
    """Have the flight judged, and land what was said."""
    flight = {name: row[name] for name in ("carrier", "flight", "origin", "dest", "dep_delay")}

    def paid(asked: dict[str, Any]) -> int:
        likely = judge(asked)
        row.spend(PRICE_USD, "USD")  # here, where a call that is on record is not made again
        return likely

    verdict = row.step("judge", paid, flight, retry=PATIENT)
    row.emit("verdicts", {"id": row["id"], "carrier": row["carrier"], "likely": verdict})


@contextful.body("outlook")
def outlook(row: contextful.Row) -> None:
    """Say how many of the flights so far were late. An origin that no flight precedes has nothing to say."""
    if row["flights"]:
        row.emit("outlook", {"flights": row["flights"], "late": row["late"]})


def judge(flight: dict[str, Any]) -> int:
    """Ask the service. The key is the same at every attempt, so that it bills one call however often it is sent."""
    request = urllib.request.Request(
        os.environ["SCORING_SERVICE"],
        json.dumps({"prompt": PROMPT, "flight": flight}).encode(),
        {"content-type": "application/json", "idempotency-key": contextful.idempotency_key()},
    )
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return int(json.load(answer)["likely"])
    except urllib.error.HTTPError as error:
        if error.code == 429:
            raise contextful.RateLimited(
                "throttled", retry_after_ms=int(error.headers["retry-after"]) * 1_000
            ) from None
        raise contextful.Transient(f"the service answered {error.code}") from None
    except OSError as error:  # nobody listens, or no answer came in time
        raise contextful.Transient(str(error)) from None
