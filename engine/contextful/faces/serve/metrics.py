"""Figures in the text format of Prometheus. None of them names a pipeline or a run, so that whoever asks may have them.

Counters are of the runs that this process opens. Gauges are of the record, and so of every process at the store.
"""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Callable, Iterator, Sequence

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from contextful.ports.observer import (
    Observer,
    Progress,
    RunClosed,
    StepAwaiting,
    StepRecorded,
    StepRefused,
    StepRetrying,
    StepStarted,
)
from contextful.run.record import Run
from contextful_contract.shapes import RunStatus

InFlight = Callable[[], Sequence[Run]]
Figure = Callable[[], int]
UNENDED = [status for status in RunStatus if not status.terminal]


class Metrics:
    """What is counted. An onlooker of an engine, it hears of every step of every run."""

    def __init__(self, in_flight: InFlight, now_ms: Figure, subscribers: Figure) -> None:
        self._registry = CollectorRegistry()
        self._answers = self._counter("http_answers", "Answers by route and status.", "route", "status")
        self._seconds = Histogram(
            "contextful_http_answer_seconds", "How long an answer took.", ("route",), registry=self._registry
        )
        self._opened = self._counter("runs_opened", "Runs that were opened here.")
        self._closed = self._counter("runs_closed", "Runs that were closed here, by how.", "status")
        self._rows = self._counter("landed_rows", "Rows that runs landed.")
        self._steps = self._counter("steps", "Steps by what came of them: recorded, replayed, refused.", "outcome")
        self._claims = self._counter("claims", "Claims of a step: its effect was about to run.")
        self._retries = self._counter("retries", "Attempts at a step that failed and were followed by another.", "tag")
        self._waits = self._counter("waits", "Steps that came to wait for an answer from outside.")
        self._bytes = self._counter("journal_bytes", "Bytes of values that the journal recorded.")
        self._registry.register(_OnRecord(in_flight, now_ms, subscribers))

    def text(self) -> bytes:
        """All figures as of now."""
        return generate_latest(self._registry)

    def answered(self, route: str, status: int, *, took_ms: int) -> None:
        """The face has answered a request."""
        self._answers.labels(route, status).inc()
        self._seconds.labels(route).observe(max(0, took_ms) / 1_000)

    def watching(self, run: Run) -> Observer:  # noqa: ARG002 (one run counts as any other)
        """The observer of a run: this one, whichever it is."""
        self._opened.inc()
        return self

    def tell(self, progress: Progress) -> None:
        """Count what has happened."""
        match progress:
            case StepStarted():
                self._claims.inc()
            case StepRecorded(content_bytes=content_bytes, replayed=replayed):
                self._steps.labels("replayed" if replayed else "recorded").inc()
                self._bytes.inc(0 if replayed else content_bytes)
            case StepRetrying(failure=failure):
                self._retries.labels("" if failure is None else failure.tag.value).inc()
            case StepAwaiting():
                self._waits.inc()
            case StepRefused():
                self._steps.labels("refused").inc()
            case RunClosed(status=status, rows=rows):
                self._closed.labels(status.value).inc()
                self._rows.inc(rows)

    def _counter(self, name: str, says: str, *labels: str) -> Counter:
        return Counter(f"contextful_{name}", says, labels, registry=self._registry)


class _OnRecord(Collector):
    """What is read off the record whenever somebody asks."""

    def __init__(self, in_flight: InFlight, now_ms: Figure, subscribers: Figure) -> None:
        self._in_flight = in_flight
        self._now_ms = now_ms
        self._subscribers = subscribers

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges."""
        runs, now_ms = self._in_flight(), self._now_ms()
        leases = Count("held" if run.lease.expires_ms > now_ms else "lapsed" for run in runs if run.lease is not None)
        statuses = Count(run.status for run in runs)
        in_flight = {status.value: statuses[status] for status in UNENDED}
        yield _gauge("runs_in_flight", "Runs that have not ended, up to 1,000 of each status.", "status", in_flight)
        held = {state: leases[state] for state in ("held", "lapsed")}
        yield _gauge("leases", "Leases of runs that have not ended.", "state", held)
        family = GaugeMetricFamily("contextful_stream_subscribers", "Readers of the live view.")
        family.add_metric((), self._subscribers())
        yield family


def _gauge(name: str, says: str, label: str, values: dict[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"contextful_{name}", says, labels=(label,))
    for value, count in values.items():
        family.add_metric((value,), count)
    return family
