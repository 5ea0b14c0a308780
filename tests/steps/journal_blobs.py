"""Steps of run.journal about where a value's bytes are, and for how long."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from pytest_bdd import given, parsers, then, when

from contextful.adapters.d1.blobs import R2Blobs
from contextful.adapters.d1.rows import D1Rows
from contextful.adapters.row_blobs import RowBlobs
from contextful.kernel import codec, digest
from contextful.pipeline import pull
from contextful.testing import Crash, Crashes, CrashingRows, SkippingWorld
from contextful_contract.shapes import Json, RecordedInput
from tests.steps.script import Page, position
from tests.steps.shift import Shift
from tests.steps.shop import Shop
from tests.steps.stage import Stage, instant_ms, returns

MINUTE_MS = 60_000


@given(parsers.parse("the blob sweep last ran at `{at}`"))
def sweep_last_ran(stage: Stage, at: str) -> None:
    stage.world = SkippingWorld(now_ms=instant_ms(at))
    stage.attempt()
    assert stage.sweeps() == [stage.world.now_ms()]


@when(parsers.parse("the clock reads `{at}`"))
def clock_reads(stage: Stage, at: str) -> None:
    swept = stage.sweeps()
    stage.world.skip(instant_ms(at) - stage.world.now_ms() - 1)
    stage.attempt()
    assert stage.sweeps() == swept
    stage.world.skip(1)
    stage.attempt()


@then(parsers.parse("the blob sweep has run {count:d} times"))
def sweep_has_run(stage: Stage, count: int) -> None:
    assert (count, stage.sweeps()) == (2, [stage.world.now_ms()])


@when(parsers.parse("step `{label}` records a value of {size:d} bytes"))
@given(parsers.parse("step `{label}` has recorded a value of {size:d} bytes"))
def records_a_value(stage: Stage, label: str, size: int) -> None:
    stage.label = label
    stage.content = b'"' + b"x" * (size - 2) + b'"'
    stage.effect().script = [returns("x" * (size - 2))]
    stage.leave_pending()


@when(parsers.parse("a step of kind `pull` records a value of {size:d} bytes"))
def pull_records(stage: Stage, shop: Shop, size: int) -> None:
    """The page's rows make most of its answer, and the position after them the last bytes of it."""
    rows = [{"id": 1, "load": "".join(digest.of(n) for n in range(size // 55))}]
    shorter = len(codec.encode(pull.batch(rows, position=position(""), more=False)))
    assert shorter < size
    shop.listing.pages = [Page(rows, position("p" * (size - shorter)), more=False)]
    stage.content = codec.encode(pull.batch(rows, position=shop.listing.pages[0].after, more=False))
    assert len(stage.content) == size
    shop.dies(before_marker=shop.die)


@when(parsers.parse("a step of kind `input` records a value of {size:d} bytes"))
def input_records(stage: Stage, shift: Shift, size: int) -> None:
    """A statement's rows, the last of which makes up the size; its process dies in the first row's body."""
    rows = [{"id": digest.of(number) * 32} for number in range(size // 2_100)]
    shorter = len(codec.encode(_input(stage, shift, [*rows, {"id": ""}])))
    assert shorter < size
    rows.append({"id": "x" * (size - shorter)})
    stage.content = codec.encode(_input(stage, shift, rows))
    assert len(stage.content) == size
    shift.reads.given = [tuple(row.values()) for row in rows]
    shift.enters = lambda _: stage.crashes.die()
    shift.fire()


def _input(stage: Stage, shift: Shift, rows: Sequence[dict[str, Json]]) -> RecordedInput:
    return RecordedInput(as_of=stage.world.now_ms(), snapshots={"tickets": shift.reads.snapshot}, rows=tuple(rows))


@then("its row holds the value inline")
def holds_inline(stage: Stage) -> None:
    assert [(entry["content"], entry["blob"]) for entry in stage.entries()] == [(stage.content, None)]


@then("its row references a blob named by the value's sha256")
def references_a_blob(stage: Stage) -> None:
    sha256 = digest.of_bytes(stage.content)
    assert [(entry["content"], entry["blob"]) for entry in stage.entries("recorded")] == [(None, sha256)]
    assert stage.blobs.get(sha256) == stage.content


@then(parsers.parse("the blob store holds {count:d} blobs"))
def holds_blobs(stage: Stage, count: int) -> None:
    assert stage.blob_count() == count


@when(parsers.parse("a writer dies halfway through a blob of {size:d} bytes"))
def writer_dies(stage: Stage, size: int) -> None:
    """A writer dies before its first operation, another when that is done and not yet answered, a third thereafter."""
    content = b"\xff" * size
    for at in range(3):
        rows = CrashingRows(stage.rows, Crashes(at))
        dying = R2Blobs(stage.rows.worker, rows) if isinstance(stage.rows, D1Rows) else RowBlobs(rows)
        with pytest.raises(Crash):
            dying.put(digest.of_bytes(content), content, now_ms=stage.world.now_ms())


@when(parsers.parse("{writers:d} writers put one blob of {size:d} bytes at once"))
def writers_put(stage: Stage, writers: int, size: int) -> None:
    content = b"\xff" * size
    start = threading.Barrier(writers)

    def put(_: int) -> None:
        start.wait()
        stage.blobs.put(digest.of_bytes(content), content, now_ms=stage.world.now_ms())

    with ThreadPoolExecutor(writers) as pool:
        stage.outcome = list(pool.map(put, range(writers)))


@then(parsers.parse("all {writers:d} writes succeed"))
def writes_succeed(stage: Stage, writers: int) -> None:
    assert stage.outcome == [None] * writers


@given("its blob is gone")
def blob_is_gone(stage: Stage) -> None:
    assert stage.blobs.delete(digest.of_bytes(stage.content), put_before_ms=1 << 62)


@then(parsers.parse("its `{field}` is the value's sha256"))
def field_is_the_digest(stage: Stage, field: str) -> None:
    assert getattr(stage.shown, field) == digest.of_bytes(stage.content)


@given(parsers.parse("a blob written {age:d} min ago that nothing references"))
def stray_blob(stage: Stage, age: int) -> None:
    stage.blobs.put(digest.of_bytes(b"stray"), b"stray", now_ms=stage.world.now_ms() - age * MINUTE_MS)


@given(parsers.parse("a blob written {age:d} min ago that a journal row references"))
def referenced_blob(stage: Stage, age: int) -> None:
    records_a_value(stage, "fetch", (1 << 20) + 1)
    stage.world.skip(age * MINUTE_MS)


@when("the blob sweep runs")
def blob_sweep_runs(stage: Stage) -> None:
    stage.engine().sweep_blobs()
