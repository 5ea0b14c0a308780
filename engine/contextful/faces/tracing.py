"""Where the environment configures an exporter of spans, every run of a command exports one."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextful.adapters.otel import Spans

LOG = logging.getLogger(__name__)
TRACEPARENT = "TRACEPARENT"
TRACESTATE = "TRACESTATE"
ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")  # as OpenTelemetry spells them
DISABLED = "OTEL_SDK_DISABLED"


def configured(environ: Mapping[str, str]) -> Spans | None:
    """What exports spans, under the caller's; nothing where no exporter is configured, or its extra is missing."""
    if not any(environ.get(name) for name in ENDPOINTS) or environ.get(DISABLED, "").lower() == "true":
        return None
    try:
        from contextful.adapters import otel
    except ImportError:
        LOG.warning("an exporter is configured, and no spans are exported: pip install 'contextful[otel]'")
        return None
    return otel.Spans(otel.otlp(), environ.get(TRACEPARENT), environ.get(TRACESTATE))
