"""What looks like a secret in rows, and what does not."""

from __future__ import annotations

import json

import pytest

from contextful.pipeline import guard_secrets, pull
from contextful.pipeline.guard_secrets import INSTEAD
from contextful.pipeline.pull import Batch


def batch(*rows: dict[str, object]) -> Batch:
    """A pull's answer."""
    return pull.batch(list(rows), position=None, more=False)


@pytest.mark.clause("run.guard-secrets.replacement")
@pytest.mark.parametrize(
    "secret",
    [
        "sk_live_4242",
        "sk-proj-abcdefghij1234567890",
        "ghp_" + "a1" * 18,
        "AKIAABCDEFGHIJKLMNOP",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln",
        "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----",
    ],
)
def test_a_secret_is_replaced_wherever_it_stands(secret: str) -> None:
    guarded = guard_secrets.guarded(batch({"id": 1, "a": {"b": [f"it is {secret}."]}}))

    assert guarded.records() == [{"id": 1, "a": {"b": [f"it is {INSTEAD}."]}}]
    assert guarded.row_count == 1


@pytest.mark.parametrize(
    "text",
    ["SK-12345678", "sk-00012345678901234567890", "task_live", "monkey", "pk_column_1", "eyJust.a.word", "risk_live_1"],
)
def test_a_code_that_people_use_is_none(text: str) -> None:
    plain = batch({"sku": text})

    assert guard_secrets.guarded(plain) is plain


def test_a_secret_in_escapes_is_found() -> None:
    escaped = pull.packed(
        json.dumps([{"a": "s\u006b_live_4242"}]).replace("sk_", "\\u0073k_").encode(), 1, position=None, more=False
    )

    assert guard_secrets.guarded(escaped).records() == [{"a": INSTEAD}]
