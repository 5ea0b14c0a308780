"""A project's tables, as each who asks may read them (read.face)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from contextful.authority.credential import Credential
from contextful.pipeline import compile
from contextful.pipeline.spec import ProjectSpec
from contextful.ports.read_face import ReadFace
from contextful.store import cache
from contextful.store.declare import Reading
from contextful.store.schema import Type
from contextful_contract.shapes import Grant

if TYPE_CHECKING:
    from contextful.adapters.answers import Answers
    from contextful.adapters.duckdb import DuckdbReads
    from contextful.adapters.parquet import ParquetStore

NONE: Mapping[str, Mapping[str, Type]] = MappingProxyType({})


class Tables:
    """What the project declares about its reads, the pepper of its masks, and the answers that a face keeps."""

    def __init__(self, spec: ProjectSpec, pepper: bytes | None) -> None:
        self._spec = spec
        self._pepper = pepper
        self._answers: Answers | None = None

    @cached_property
    def readings(self) -> Sequence[Reading]:
        """What each table declares about its reads."""
        plans = [plan for spec in self._spec.pipelines for plan in compile.tables(spec)]
        plans += [plan for spec in self._spec.jobs for plan in compile.job(spec).tables.values()]
        return [plan.reading for plan in plans]

    def operators(self, store: ParquetStore) -> DuckdbReads:
        """What the operator's own text reads through: every table, and every value as it stands."""
        from contextful.adapters.duckdb import DuckdbReads

        return DuckdbReads(store, [reading.clear() for reading in self.readings])

    def masked(
        self,
        store: ParquetStore,
        grants: Sequence[Grant] | None,
        *,
        given: Mapping[str, Mapping[str, Type]] = NONE,
    ) -> DuckdbReads:
        """What the holder of these grants reads through, or without them whoever may read all.

        The columns `given` are those of tables that declare none.
        """
        from contextful.adapters.duckdb import DuckdbReads

        readings = [
            reading if reading.columns else replace(reading, columns=given.get(reading.table, reading.columns))
            for reading in self.readings
        ]
        return DuckdbReads(store, readings, grants=grants, pepper=self._pepper)

    def answering(self, store: ParquetStore, credential: Credential | None, revocation_epoch: int) -> ReadFace:
        """What whoever presents the credential reads through, which looks among the kept answers first."""
        reads = self.masked(store, None if credential is None else credential.grants)
        if self._answers is None:
            return reads
        return self._answers.over(reads, cache.caller(credential, revocation_epoch))

    def keep_answers(self, bytes_max: int) -> Answers:
        """Keep answers about tables that declare `result_cache`, up to so many bytes of them."""
        from contextful.adapters.answers import Answers

        self._answers = Answers(bytes_max)
        return self._answers
