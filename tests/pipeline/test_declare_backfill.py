"""What a manifest may say of a pipeline's backfill."""

from __future__ import annotations

import pytest

from contextful.errors import PipelineChunkParallelism, PipelineReplaceUnsupported, PipelineSpecInvalid
from contextful.pipeline import declare
from contextful.run.backfill import Span, Window

HEAD = 'site_id = "here"\nproject = { name = "shop" }\n[[pipeline]]\nid = "shop"\n'
CLOCKED = 'cursor = "monotonic"\nincremental = "at"\n'
PYTHON = 'source = { name = "python", config = { function = "shop:pages" } }\n'
TABLES = 'tables = ["orders"]\n'
HTTP = 'source = { name = "http", config = { endpoint = "http://v/x", since_param = "since" } }\n'
FILE = 'source = { name = "file", config = { path = "x", format = "csv" } }\n'
SQL = 'cursor = "snapshot-id"\nsource = { name = "sql", config = { database = "x", query = "q" } }\n'
REPLACED = 'tables = [{ name = "orders", write_mode = "replace" }]\n'


def declared(text: str) -> Span | None:
    """The backfill of the only pipeline."""
    (spec,) = declare.read(HEAD + text, file="contextful.toml").pipelines
    return spec.backfill


@pytest.mark.parametrize(
    ("keys", "span"),
    [
        ("until = 30, chunk_size = 10", Span(Window(0, 30), 10)),
        (
            'start_from = "2026-01-01T00:00:00Z", until = "2026-03-01T00:00:00Z", chunk_size = "7d", units = 4',
            Span(Window("2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z"), 604_800_000, 4),
        ),
    ],
    ids=["numbers", "instants"],
)
def test_a_backfill_is_declared_from_where_to_where_and_in_what_steps(keys: str, span: Span) -> None:
    assert declared(f"{CLOCKED}{PYTHON}{TABLES}backfill = {{ {keys} }}\n") == span


def test_without_the_key_there_is_none() -> None:
    assert declared(f"{CLOCKED}{PYTHON}{TABLES}") is None


@pytest.mark.parametrize(
    ("pipeline", "keys", "said"),
    [
        (CLOCKED + PYTHON + TABLES, "chunk_size = 10", "until"),
        (CLOCKED + PYTHON + TABLES, "until = 30", "chunk_size"),
        (CLOCKED + PYTHON + TABLES, "until = -1, chunk_size = 10", "until"),
        (CLOCKED + PYTHON + TABLES, 'until = "2026-01-01T00:00:00Z", chunk_size = "1d"', "until"),
        (CLOCKED + PYTHON + TABLES, 'until = "tomorrow", chunk_size = 1', "until"),
        (CLOCKED + PYTHON + TABLES, 'until = 30, chunk_size = "7d"', "chunk_size"),
        (CLOCKED + PYTHON + TABLES, "until = 30, chunk_size = 0", "chunk_size"),
        (CLOCKED + PYTHON + TABLES, "until = 5000, chunk_size = 1", "max_chunks"),
        (CLOCKED + FILE + TABLES, "until = 30, chunk_size = 10", "files"),
        (CLOCKED + HTTP + TABLES, "until = 30, chunk_size = 10", "until_param"),
        (SQL + TABLES, "until = 30, chunk_size = 10", "monotonic"),
    ],
    ids=lambda each: each[-24:],
)
def test_what_cannot_be_cut_or_asked_for_is_refused_as_it_is_read(pipeline: str, keys: str, said: str) -> None:
    with pytest.raises(ExceptionGroup) as faults:
        declared(f"{pipeline}backfill = {{ {keys} }}\n")

    assert [type(fault) for fault in faults.value.exceptions] == [PipelineSpecInvalid]
    assert said in str(faults.value.exceptions[0])


@pytest.mark.clause("run.backfill.chunk-parallelism")
def test_chunks_of_a_token_are_not_asked_for_at_once() -> None:
    with pytest.raises(ExceptionGroup) as faults:
        declared(f"{PYTHON}{TABLES}backfill = {{ until = 30, units = 2 }}\n")

    assert [type(fault) for fault in faults.value.exceptions] == [PipelineChunkParallelism]


@pytest.mark.clause("run.declare.replace-unsupported")
def test_a_table_that_is_replaced_has_no_history_to_read() -> None:
    replaced = f'cursor = "snapshot-id"\n{PYTHON}{REPLACED}backfill = {{ until = 30, chunk_size = 10 }}\n'
    with pytest.raises(ExceptionGroup) as faults:
        declared(replaced)

    assert [type(fault) for fault in faults.value.exceptions] == [PipelineReplaceUnsupported]
