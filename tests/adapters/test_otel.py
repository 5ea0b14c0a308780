"""Spans: one a run, in the trace that is on its row, and sent where OpenTelemetry's variables say."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from contextful.adapters.memory import MemoryRows
from contextful.adapters.otel import Spans
from contextful.faces.manifest import MANIFEST
from contextful.faces.profile import Project
from contextful.kernel.failure import Permanent
from contextful.testing import SkippingWorld, engine

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SHOP = """
site_id = "here"
project = { name = "shop" }
[[pipeline]]
id = "shop"
source = { name = "file", config = { path = "*.ndjson", format = "ndjson" } }
tables = ["orders"]
"""


@pytest.mark.clause("run.record.run-span")
def test_a_run_without_a_caller_begins_the_trace_that_is_on_its_row() -> None:
    exporter, runs = InMemorySpanExporter(), engine(MemoryRows(), world=SkippingWorld())
    runs.watch(Spans(SimpleSpanProcessor(exporter)))

    with runs.execution("orders", "v1", run_id="r-1"):
        pass

    (span,) = exporter.get_finished_spans()
    run = runs.run("r-1")
    assert run is not None
    assert span.parent is None
    assert span.context is not None
    assert f"{span.context.trace_id:032x}" == run.trace_id


def test_no_span_carries_a_credential() -> None:
    exporter, runs = InMemorySpanExporter(), engine(MemoryRows(), world=SkippingWorld())
    runs.watch(Spans(SimpleSpanProcessor(exporter), f"00-{TRACE}-{PARENT}-01"))

    with pytest.raises(Permanent), runs.execution("orders", "v1"):
        raise Permanent("401 for key sk_live_4242")

    (span,) = exporter.get_finished_spans()
    assert "sk_live_4242" not in span.to_json()


@pytest.fixture
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """A collector's address, and what was sent to it."""
    sent: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", sent
        server.shutdown()
        thread.join()


def test_a_command_sends_its_spans_before_it_leaves(
    tmp_path: Path, collector: tuple[str, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, sent = collector
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
    monkeypatch.setenv("TRACEPARENT", f"00-{TRACE}-{PARENT}-01")
    (tmp_path / MANIFEST).write_text(SHOP)
    (tmp_path / "orders.ndjson").write_text('{"id": 1}\n')

    with Project.open(tmp_path) as project:
        project.run("shop", "r-1")

    assert bytes.fromhex(TRACE) in b"".join(sent)
    assert b"contextful.run" in b"".join(sent)
