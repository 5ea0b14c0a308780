"""A store's own configuration, `config.toml`: what is of this node and its machine, and is never pushed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from contextful.faces import binding
from contextful.kernel.failure import Failed, Failure
from contextful_contract.shapes import FailureTag

CONFIG = "config.toml"


class Sync(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What `[sync]` says."""

    bucket: str | None = None
    endpoint: str | None = None
    region: str | None = None
    access_key_id: str | None = None
    secret_access_key: str | None = None
    session_token: str | None = None
    prefix: str | None = None
    prefix_from: str | None = None
    pull_before_run: bool | None = None
    push_after_run: bool | None = None
    pull_tables: list[str] | None = None


class Config(msgspec.Struct):
    """What the store's own configuration says, of what is looked at here."""

    node: dict[str, str] = {}
    encryption: dict[str, Any] | None = None
    delegates: dict[str, binding.Delegate] = {}
    sync: Sync | None = None


def read(root: Path) -> Config:
    """The configuration of the store at this root."""
    path = root / CONFIG
    if not path.exists():
        return Config()
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Config)
    except (ValueError, RecursionError) as error:
        raise Failed(Failure(FailureTag.CONFIG, f"{path} cannot be read: {error}")) from None
