"""A span a run, by OpenTelemetry (run.record.run-span)."""

from __future__ import annotations

from contextvars import ContextVar

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import NonRecordingSpan, SpanContext, Status, StatusCode, TraceFlags, set_span_in_context
from opentelemetry.trace.span import TraceState

from contextful.kernel import trace
from contextful.ports.observer import Observer, Progress, RunClosed
from contextful.run import record
from contextful_contract.shapes import RunStatus

NAME = "contextful.run"
NS = 1_000_000  # in a millisecond
FAILED = (RunStatus.FAILED, RunStatus.PARTIAL_FAILURE)


def otlp() -> SpanProcessor:
    """Sends spans in the background, wherever OpenTelemetry's own variables say."""
    return BatchSpanProcessor(OTLPSpanExporter())


class Spans:
    """Watches runs, and exports a span for each as it closes."""

    def __init__(self, processor: SpanProcessor, traceparent: str | None = None, tracestate: str | None = None) -> None:
        """The caller's span, where `traceparent` names one, is the parent of those of its trace."""
        self._ids = _Ids()
        self._provider = TracerProvider(
            sampler=ALWAYS_ON, resource=Resource.create({SERVICE_NAME: "contextful"}), id_generator=self._ids
        )
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("contextful")
        self._caller = _caller(traceparent, tracestate)

    def watching(self, run: record.Run) -> Observer:
        """What exports the run's span once it has closed."""
        return _Watch(self, run)

    def close(self) -> None:
        """Send what has not been sent."""
        self._provider.shutdown()

    def export(self, run: record.Run, closed: RunClosed) -> None:
        """Export the span of a run that has closed."""
        self._ids.run.set(run)
        parent = self._parent(run)
        context = Context() if parent is None else set_span_in_context(NonRecordingSpan(parent), Context())
        facts = {
            "contextful.run_id": run.run_id,
            "contextful.pipeline": run.pipeline_id or run.host_scope,
            "contextful.table": run.table,
            "contextful.status": closed.status.value,
            "contextful.rows": closed.rows,
            "contextful.bytes": closed.bytes,
        }
        if closed.failure is not None:
            facts["error.type"] = closed.failure.tag.value
        ##= run.record.run-span
        span = self._tracer.start_span(NAME, context, attributes=facts, start_time=run.started_ms * NS)
        if closed.status in FAILED and closed.failure is not None:
            span.set_status(Status(StatusCode.ERROR, record.capped(closed.failure.message)))
        span.end(max(closed.at_ms, run.started_ms) * NS)

    def _parent(self, run: record.Run) -> SpanContext | None:
        """The span that the run's is under: that of the run whose work it is a part of, or else the caller's."""
        if run.parent_run_id is not None:
            return _remote(str(run.trace_id), trace.span_of_run(run.parent_run_id))
        ours = self._caller is not None and trace.spell(self._caller.trace_id) == run.trace_id
        return self._caller if ours else None


class _Watch:
    """The observer of one run."""

    def __init__(self, spans: Spans, run: record.Run) -> None:
        self._spans = spans
        self._run = run

    def tell(self, progress: Progress) -> None:
        """Export the span, once that is all."""
        if isinstance(progress, RunClosed):
            self._spans.export(self._run, progress)


class _Ids(IdGenerator):
    """The ids of a run's span: the trace that is on its row, and one made from the run's own."""

    def __init__(self) -> None:
        self.run: ContextVar[record.Run] = ContextVar("run")

    def generate_trace_id(self) -> int:
        """The run's trace, where no caller has one."""
        run = self.run.get()
        assert run.trace_id is not None, "a run that opens has a trace"
        return int(run.trace_id, 16)

    def generate_span_id(self) -> int:
        """The run's own."""
        return int(trace.span_of_run(self.run.get().run_id), 16)


def _caller(traceparent: str | None, tracestate: str | None) -> SpanContext | None:
    trace_id, span_id = trace.of_caller(traceparent), trace.span_of_caller(traceparent)
    if trace_id is None or span_id is None:
        return None
    return _remote(trace_id, span_id, TraceState.from_header([tracestate] if tracestate else []))


def _remote(trace_id: str, span_id: str, state: TraceState | None = None) -> SpanContext:
    flags = TraceFlags(TraceFlags.SAMPLED)
    return SpanContext(int(trace_id, 16), int(span_id, 16), is_remote=True, trace_flags=flags, trace_state=state)
