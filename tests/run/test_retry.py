"""What a schedule may say."""

from __future__ import annotations

from typing import Any

import pytest

from contextful.run.retry import Schedule, admit

FAULTS: dict[str, dict[str, Any]] = {
    "retry_on as a text": {"retry_on": "Transient"},
    "retry_on as nothing": {"retry_on": None},
    "retry_on of texts": {"retry_on": ("later",)},
    "half a millisecond": {"base_ms": 0.5},
    "attempts as a text": {"attempts": "3"},
    "no attempt": {"attempts": 0},
    "a delay past a week": {"max_delay_ms": 8 * 86_400_000},
}


@pytest.mark.parametrize("given", FAULTS.values(), ids=FAULTS.keys())
def test_what_no_schedule_can_be_is_refused_by_name(given: dict[str, Any]) -> None:
    (name,) = given

    with pytest.raises(ValueError, match=f"^{name} is "):
        Schedule(**given)


def test_what_is_no_schedule_at_all_is_refused() -> None:
    no_schedule: Any = None

    with pytest.raises(TypeError, match=r"^retry is None"):
        admit(no_schedule, "fetch")
