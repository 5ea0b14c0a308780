"""run.guard-secrets: what looks like a secret in a pull's rows is replaced before anything else sees them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from contextful.kernel import credential
from contextful.pipeline import pull
from contextful.pipeline.pull import Batch

INSTEAD = "[REDACTED:secret]"


def guarded(batch: Batch) -> Batch:
    """The batch without secrets; the one that it is where it has none."""
    if not credential.may_hold_secrets(pull.unpacked(batch)):
        return batch
    rows = batch.records()
    clean = [_clean(row) for row in rows]
    if clean == rows:
        return batch
    return replace(batch, packed=pull.pack(clean))  ##= run.guard-secrets.replacement


def _clean(value: Any) -> Any:
    match value:
        case str():
            return credential.without_secrets(value, INSTEAD)
        case dict():
            return {name: _clean(item) for name, item in value.items()}
        case list():
            return [_clean(item) for item in value]
        case _:
            return value
