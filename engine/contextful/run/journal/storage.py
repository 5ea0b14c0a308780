"""run.journal, under its heading storage: which stores a profile names, and whether a database may be used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from contextful.kernel.change import Insert
from contextful.kernel.table import Kind, Row, Table
from contextful_contract.errors import (
    ExecutionRecoveryMismatch,
    ExecutionSchemaIncompatible,
    StorageProfileUnsupported,
)
from contextful_contract.shapes import StorageProfile

ANEW = "a new database begins with `contextful storage initialize`, or Engine.initialize"
EMBEDDED = "embedded"  # what no profile is called
SUPPORTED = 1  # the schema of the tables that this code reads and writes
IDENTITY = Table(
    "execution_identity",
    key=("name",),
    columns={"name": Kind.TEXT, "schema_version": Kind.INTEGER, "project": Kind.TEXT},
)  # one row: which schema the database is in, and whose it is


def profile(name: str | None) -> StorageProfile | None:
    """The profile of this name; without a name, none: storage is local."""
    if name is None:
        return None
    try:
        return StorageProfile(name)
    except ValueError:
        ##= run.journal.storage-unsupported
        raise StorageProfileUnsupported(profile=name, reason="no storage profile has that name") from None


def beside_corpus(profile: StorageProfile | None, *, encrypted: bool) -> None:
    """Let executions keep what they record beside a corpus. No adapter of ours seals it."""
    if encrypted:
        raise StorageProfileUnsupported(
            profile=EMBEDDED if profile is None else profile.value,
            reason="the corpus is encrypted, and what runs record would be kept beside it in clear",
        )


def identity(project: str) -> Insert:
    """The row that a new database begins with."""
    return Insert(IDENTITY, {"name": "execution", "schema_version": SUPPORTED, "project": project})


def admit(row: Row | None, missing: Sequence[str], *, project: str, supported: int = SUPPORTED) -> None:
    """Let executions into the database with this identity, which lacks these tables; or say why not."""
    if row is not None and row["schema_version"] != supported:
        ##= run.journal.execution-schema
        raise ExecutionSchemaIncompatible(
            found=str(row["schema_version"]),
            supported=str(supported),
            remedy="Run the release that made it, or begin with a new database.",
        )
    if missing or row is None:
        ##= run.journal.execution-recovery
        raise ExecutionRecoveryMismatch(
            expected="all of its tables",
            found=f"no table {', '.join(missing) or IDENTITY.name} ({ANEW})",
        )
    if row["project"] != project:
        raise ExecutionRecoveryMismatch(expected=_named(project), found=_named(cast(str, row["project"])))


def _named(project: str) -> str:
    return f"project {project}" if project else "no project"
