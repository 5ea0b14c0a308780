"""run.declare, the part about backfills: from where to where history is read, and in chunks of what size."""

from __future__ import annotations

from collections.abc import Sequence

from contextful.pipeline.block import Block
from contextful.pipeline.spec import FileSource, HttpSource, SourceSpec, SqlSource, TableSpec
from contextful.run import backfill
from contextful.run.advance import Clock
from contextful.run.backfill import Span, Window
from contextful_contract.base import ContextfulError
from contextful_contract.errors import PipelineReplaceUnsupported
from contextful_contract.shapes import CursorKind, WriteMode

CHUNKS = 1_000  # unless the manifest says how many there may be
CHUNKS_MAX = 10_000


def span(block: Block, cursor: CursorKind, source: SourceSpec, tables: Sequence[TableSpec]) -> Span | None:
    """The backfill that a pipeline declares, if it declares one that its source can be read by."""
    within = block.block("backfill")
    begins, ends = within.bound("start_from", 0), within.bound("until", None)
    step = within.step("chunk_size")
    units = within.integer("units", 1, 1, 64)
    chunks_max = within.integer("max_chunks", CHUNKS, 1, CHUNKS_MAX)
    within.end()
    if not block.has("backfill"):
        return None
    needed = {"until": ends, **({} if cursor is CursorKind.OPAQUE_TOKEN else {"chunk_size": step})}
    for key in needed:
        if not within.has(key):
            within.fault(key, "is missing")
    if begins is None or ends is None or None in needed.values():
        return None
    if not backfill.is_window(begins, ends):
        within.fault("until", f"must come after start_from, and be as it is: {backfill.FITS}")
        return None
    declared = Span(Window(begins, ends), _measure(within, begins, step), units)
    _see_source(block, cursor, source)
    for at, table in enumerate(tables):
        if table.write_mode is WriteMode.REPLACE:
            block.refuse(PipelineReplaceUnsupported(table=table.name, reason="a backfill"), "tables", at)
    try:
        backfill.admit_units(block.pipeline, cursor, units)
    except ContextfulError as refusal:
        within.refuse(refusal, "units")
    if (count := backfill.count(cursor, declared)) > chunks_max:
        within.fault("chunk_size", f"cuts it into {count} chunks, and max_chunks lets {chunks_max} through")
        return None
    return declared


def _measure(block: Block, begins: Clock, step: int | str | None) -> int:
    """A chunk's size in the units of the bounds; 1 where nothing is cut."""
    measured = 1 if step is None else backfill.measure(begins, step)
    if measured is None:
        block.fault("chunk_size", 'must be a length of time such as "7d" between instants, and else a whole number')
    return measured or 1


def _see_source(block: Block, cursor: CursorKind, source: SourceSpec) -> None:
    """A chunk pulls its window alone, so the source has to be one that can be asked for a window."""
    match source:
        case FileSource():
            block.fault("backfill", "reads a source by windows, and files are read from where they were left")
        case SqlSource() if cursor is not CursorKind.MONOTONIC:
            block.fault("backfill", 'takes a cursor that is "monotonic" of an sql source, whose clock has the windows')
        case HttpSource() if source.since_param is None or source.until_param is None:
            block.fault("backfill", "takes an http source with since_param and until_param, which name a window's ends")
        case _:
            pass
