"""Answers in memory, up to so many bytes, and reads that look there first (read.cache)."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace

from contextful.adapters.duckdb import DuckdbReads
from contextful.kernel import digest
from contextful.kernel.shape import to_json
from contextful.ports.read_face import NONE, Answer
from contextful.store import cache, respond
from contextful.store.cache import Caller
from contextful_contract.shapes import ResultKey


@dataclass(frozen=True, slots=True)
class _Kept:
    key: ResultKey
    content: bytes


class Answers:
    """What a face has answered: to one question of one caller, the answer of one state of the tables."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._kept: dict[str, _Kept] = {}  # in the order in which they came
        self._bytes = 0
        self._lock = threading.Lock()
        self.hits = 0

    def over(self, reads: DuckdbReads, caller: Caller) -> RememberedReads:
        """What the caller reads through, that looks here first."""
        return RememberedReads(reads, self, caller)

    def snapshots(self, key: ResultKey) -> Mapping[str, str]:
        """Of what state of the tables the question's answer is kept; of none, where there is none."""
        with self._lock:
            kept = self._kept.get(_question(key))
        return {} if kept is None else kept.key.snapshots

    def find(self, key: ResultKey) -> Answer | None:
        """The answer that is kept under the key."""
        with self._lock:
            kept = self._kept.get(_question(key))
            if kept is None or kept.key != key:
                return None
            self.hits += 1
        found: Answer = pickle.loads(kept.content)
        return found

    def keep(self, key: ResultKey, answer: Answer) -> None:
        """Keep the answer, in the place of the oldest ones where there is no room for it beside them."""
        content = pickle.dumps(answer)
        question = _question(key)
        with self._lock:
            self._drop(question)
            if len(content) > self._bytes_max:
                return
            while self._bytes + len(content) > self._bytes_max:
                self._drop(next(iter(self._kept)))
            self._kept[question] = _Kept(key, content)
            self._bytes += len(content)

    def _drop(self, question: str) -> None:
        if (kept := self._kept.pop(question, None)) is not None:
            self._bytes -= len(kept.content)


class RememberedReads:
    """What a caller reads through at a face that keeps answers."""

    def __init__(self, reads: DuckdbReads, answers: Answers, caller: Caller) -> None:
        self._reads = reads
        self._answers = answers
        self._caller = caller

    def query(
        self,
        sql: str,
        *,
        rows_max: int,
        as_of_ms: int | None = None,
        available_as_of_ms: int | None = None,
        tables_as_of_ms: Mapping[str, int] = NONE,
    ) -> Answer:
        """What the statement answers, or answered a moment ago where nothing has changed that this rests on."""
        bounds = respond.bounds(as_of_ms=as_of_ms, available_as_of_ms=available_as_of_ms) | {"rows": str(rows_max)}
        bounds |= {f"as_of of {table}": respond.bound(at_ms) for table, at_ms in tables_as_of_ms.items()}
        asked = cache.result_key(self._caller, sql, bounds=bounds, snapshots={})
        if tables := self._answers.snapshots(asked):
            standing = self._reads.snapshots(tables, as_of_ms=as_of_ms, tables_as_of_ms=tables_as_of_ms)
            if (found := self._answers.find(replace(asked, snapshots=standing))) is not None:
                return found
        answer = self._reads.query(
            sql,
            rows_max=rows_max,
            as_of_ms=as_of_ms,
            available_as_of_ms=available_as_of_ms,
            tables_as_of_ms=tables_as_of_ms,
        )
        if cache.may_keep(sql, answer.snapshots, self._reads.readings):
            self._answers.keep(replace(asked, snapshots=answer.snapshots), answer)
        return answer


def _question(key: ResultKey) -> str:
    return digest.of(to_json(replace(key, snapshots={})))
