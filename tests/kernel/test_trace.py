"""Trace ids."""

from __future__ import annotations

import pytest

from contextful.kernel import trace

ID = "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.clause("run.record.trace-context")
@pytest.mark.parametrize(
    ("traceparent", "trace_id"),
    [
        (f"00-{ID}-b7ad6b7169203331-01", ID),
        (f"cc-{ID}-b7ad6b7169203331-01-what-comes-later", ID),
        (None, None),
        ("", None),
        (f"ff-{ID}-b7ad6b7169203331-01", None),
        (f"00-{'0' * 32}-b7ad6b7169203331-01", None),
        (f"00-{ID}-{'0' * 16}-01", None),
        (f"00-{ID.upper()}-b7ad6b7169203331-01", None),
        (f"00-{ID}-b7ad6b7169203331", None),
    ],
)
def test_a_caller_s_trace_is_taken_where_it_is_spelled_as_w3c_spells_it(
    traceparent: str | None, trace_id: str | None
) -> None:
    assert trace.of_caller(traceparent) == trace_id


def test_a_fresh_id_has_thirty_two_digits() -> None:
    assert trace.spell(255) == "0" * 30 + "ff"
