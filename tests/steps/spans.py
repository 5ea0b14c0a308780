"""Steps of run.record about spans: an exporter that keeps them, and what is on them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pytest_bdd import given, parsers, then

from contextful.adapters.otel import Spans
from contextful.faces.tracing import TRACEPARENT
from tests.steps.shop import Shop
from tests.steps.stage import Stage


@pytest.fixture
def exported() -> Iterator[InMemorySpanExporter]:
    """What has been exported."""
    exporter = InMemorySpanExporter()
    yield exporter
    exporter.shutdown()


@given("an exporter")
def an_exporter(shop: Shop, exported: InMemorySpanExporter) -> None:
    """The caller is named by the environment as it is when the run opens."""

    shop.exporter = lambda: Spans(SimpleSpanProcessor(exported), os.environ.get(TRACEPARENT))


@then(parsers.parse("{count:d} spans named `{name}` are exported"))
def spans_are_exported(stage: Stage, exported: InMemorySpanExporter, count: int, name: str) -> None:
    found = [span for span in exported.get_finished_spans() if span.name == name]
    assert len(found) == count
    (span, *_) = found
    assert span.parent is not None
    facts = span.attributes or {}
    shown = {"parent": f"{span.parent.span_id:016x}", "status": facts["contextful.status"], "tag": facts["error.type"]}
    stage.shown = {"span": shown}
