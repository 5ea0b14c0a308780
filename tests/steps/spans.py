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
from tests.steps.stage import Stage


@pytest.fixture
def exported() -> Iterator[InMemorySpanExporter]:
    """What has been exported."""
    exporter = InMemorySpanExporter()
    yield exporter
    exporter.shutdown()


@given("an exporter")
def an_exporter(stage: Stage, exported: InMemorySpanExporter) -> None:
    """The caller is named by the environment as it is when the run opens."""

    stage.exporter = lambda: Spans(SimpleSpanProcessor(exported), os.environ.get(TRACEPARENT))


@then(parsers.parse("{count:d} spans named `{name}` are exported"))
def spans_are_exported(stage: Stage, exported: InMemorySpanExporter, count: int, name: str) -> None:
    found = [span for span in exported.get_finished_spans() if span.name == name]
    assert len(found) == count
    for span in found:
        assert span.context is not None
        assert span.parent is not None
        facts = dict(span.attributes or {})
        parent = f"{span.parent.span_id:016x}"
        stage.seen["traces"].append(span.context.trace_id)
        stage.named[f"parent of {facts['contextful.table']}"] = span.parent.span_id
        stage.named[f"span of {facts['contextful.run_id']}"] = span.context.span_id
        stage.shown = {"span": {"parent": parent, "status": facts["contextful.status"], "tag": facts.get("error.type")}}


@then(parsers.parse("the spans of tables `{tables}` have the execution's span as parent"))
def have_the_execution_as_parent(stage: Stage, tables: str) -> None:
    parents = {stage.named[f"parent of {table}"] for table in tables.split(", ")}
    assert parents == {stage.named[f"span of {stage.run_id}"]}
