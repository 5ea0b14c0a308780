"""The file source: rows by the batch, from where the last read ended."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import pytest

from contextful.adapters.sources.file import LINE_BYTES_MAX, FileRecords
from contextful.kernel.failure import Permanent, Transient
from contextful.pipeline.pull import Ask, Batch
from contextful.pipeline.spec import FileSource
from contextful.store.lay_out import position

NDJSON = FileSource(path="{table}/*", format="ndjson", batch_rows=2)
CSV = replace(NDJSON, format="csv")


def at(name: str, offset: int) -> str:
    """The position in a file of rows `{"id": 1}` and so on, read to its end."""
    content = b"".join(b'{"id": %d}\n' % number for number in range(1, 4))[:offset]
    return position({"files": {f"orders/{name}": [offset, offset, crc32(content, crc32(content))]}})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "orders").mkdir()
    return tmp_path


def write(folder: Path, name: str, content: bytes) -> None:
    """A file of the table."""
    packed = gzip.compress(content) if name.endswith(".gz") else content
    (folder / "orders" / name).write_bytes(packed)


def ask(folder: Path, asked: str | None = None, spec: FileSource = NDJSON) -> Batch:
    """The next batch."""
    return FileRecords(spec, "orders", folder).pull(Ask(asked), idempotency_key="key-1")


Told = tuple[list[dict[str, object]], str | None, bool]


def told(batch: Batch) -> Told:
    """Rows, position, and whether there is more."""
    return batch.records(), batch.position, batch.more


def walked(folder: Path, spec: FileSource = NDJSON) -> list[list[dict[str, object]]]:
    """The batches of a whole walk."""
    batches, asked = [], None
    for _ in range(20):
        answer = ask(folder, asked, spec)
        batches.append(answer.records())
        if not answer.more:
            return batches
        asked = answer.position
    raise AssertionError("the walk did not end")


@pytest.mark.parametrize("suffix", ["", ".gz"], ids=["plain", "packed"])
def test_a_walk_reads_every_file_in_order_by_the_batch(folder: Path, suffix: str) -> None:
    write(folder, f"b.ndjson{suffix}", b'{"id": 4}\n')
    write(folder, f"a.ndjson{suffix}", b'{"id": 1}\n\n{"id": 2}\n{"id": 3}\n')

    assert walked(folder) == [[{"id": 1}, {"id": 2}], [{"id": 3}, {"id": 4}]]


def test_a_position_is_a_file_and_the_bytes_read_of_it(folder: Path) -> None:
    write(folder, "a", b'{"id": 1}\n{"id": 2}\n{"id": 3}\n')

    first = ask(folder)

    assert first.position is not None
    _, _, summed = json.loads(at("a", 20))["files"]["orders/a"]
    assert json.loads(first.position) == {"files": {"orders/a": [20, 0, summed]}}
    assert (first.records(), first.more) == ([{"id": 1}, {"id": 2}], True)
    assert told(ask(folder, first.position)) == ([{"id": 3}], at("a", 30), False)


def test_a_poll_reads_what_was_added(folder: Path) -> None:
    write(folder, "a", b'{"id": 1}\n')
    first = ask(folder)
    write(folder, "a", b'{"id": 1}\n{"id": 2}\n')

    assert told(ask(folder, first.position)) == ([{"id": 2}], at("a", 20), False)


def test_a_poll_that_finds_nothing_stays_where_it_was(folder: Path) -> None:
    write(folder, "a", b'{"id": 1}\n')
    first = ask(folder)

    assert told(ask(folder, first.position)) == ([], at("a", 10), False)


@pytest.mark.clause("connector.source.no-file")
def test_a_glob_that_matches_nothing_is_refused(folder: Path) -> None:
    with pytest.raises(Permanent) as refusal:
        ask(folder)

    assert "there is no file orders/*" in refusal.value.failure.message


@pytest.mark.clause("connector.source.file-growth")
@pytest.mark.parametrize(
    ("name", "content", "row"),
    [("0", b'{"id": 7}\n', {"id": 7}), ("a", b'{"id": 1}\n{"id": 8}\n', {"id": 8})],
    ids=["a file that sorts before", "an earlier file that grows"],
)
def test_what_comes_behind_the_last_file_lands_too(
    folder: Path, name: str, content: bytes, row: dict[str, object]
) -> None:
    write(folder, "a", b'{"id": 1}\n')
    write(folder, "b", b'{"id": 2}\n')
    first = ask(folder)
    write(folder, name, content)

    second = ask(folder, first.position)

    assert (first.more, second.records(), second.more) == (False, [row], False)
    assert told(ask(folder, second.position)) == ([], second.position, False)


def test_a_byte_order_mark_is_passed_over(folder: Path) -> None:
    write(folder, "a", b'\xef\xbb\xbf{"id": 1}\n{"id": 2}\n{"id": 3}\n')

    assert walked(folder) == [[{"id": 1}, {"id": 2}], [{"id": 3}]]


def test_a_byte_order_mark_alone_is_nothing_yet(folder: Path) -> None:
    write(folder, "a", b"\xef\xbb\xbf")
    first = ask(folder)
    write(folder, "a", b'\xef\xbb\xbf{"id": 1}\n')

    assert (first.records(), first.more) == ([], False)
    assert ask(folder, first.position).records() == [{"id": 1}]


def test_empty_files_are_passed_over(folder: Path) -> None:
    write(folder, "a", b"")
    write(folder, "b", b'{"id": 1}\n')

    assert told(ask(folder)) == ([{"id": 1}], at("b", 10), False)


@pytest.mark.clause("connector.source.file-tail")
def test_a_line_that_is_still_being_written_waits_for_its_end(folder: Path) -> None:
    write(folder, "a", b'{"id": 1}\n{"id"')
    first = ask(folder)
    write(folder, "a", b'{"id": 1}\n{"id": 2}\n')

    assert (first.records(), first.more) == ([{"id": 1}], False)
    assert told(ask(folder, first.position)) == ([{"id": 2}], at("a", 20), False)


@pytest.mark.clause("connector.source.file-tail")
@pytest.mark.parametrize("tail", [b"2,te", b'2,"te', b'2,"te\n'], ids=["a field", "a quote", "a line within a quote"])
def test_half_a_csv_record_lands_nothing_until_it_is_whole(folder: Path, tail: bytes) -> None:
    write(folder, "a", b"id,note\n1,tea\n" + tail)
    first = ask(folder, spec=CSV)
    with pytest.raises(Transient) as refusal:
        ask(folder, first.position, CSV)
    write(folder, "a", b"id,note\n1,tea\n2,tea\n3,tea\n")

    assert (first.records(), first.more) == ([{"id": "1", "note": "tea"}], True)
    assert "after byte 14 may be half a record" in refusal.value.failure.message
    assert [row["id"] for row in ask(folder, first.position, CSV).records()] == ["2", "3"]


@pytest.mark.clause("connector.source.file-changed")
def test_a_header_that_was_put_in_another_order_is_refused(folder: Path) -> None:
    write(folder, "a", b"id,note\n1,tea\n")
    first = ask(folder, spec=CSV)
    write(folder, "a", b"note,id\n1,tea\n2,tea\n")

    with pytest.raises(Permanent) as refusal:
        ask(folder, first.position, CSV)

    assert "was changed before byte 14" in refusal.value.failure.message


def test_a_packed_csv_file_is_whole_and_may_end_as_it_does(folder: Path) -> None:
    write(folder, "a.gz", b"id\n1\n2")

    assert walked(folder, CSV) == [[{"id": "1"}, {"id": "2"}]]


def test_a_last_line_may_end_as_its_file_does(folder: Path) -> None:
    write(folder, "a", b'{"id": 1}')
    first = ask(folder)
    write(folder, "a", b'{"id": 1}\n{"id": 2}')

    assert first.position == at("a", 9)
    assert ask(folder, first.position).records() == [{"id": 2}]


@pytest.mark.parametrize("suffix", ["", ".gz"], ids=["plain", "packed"])
def test_csv_fields_are_texts_under_the_header_and_empty_ones_null(folder: Path, suffix: str) -> None:
    write(folder, f"a.csv{suffix}", b'\xef\xbb\xbfid,note\r\n1,"two\nlines"\r\n2,\r\n3,"a ""b"""\r\n')

    assert walked(folder, CSV) == [
        [{"id": "1", "note": "two\nlines"}, {"id": "2", "note": None}],
        [{"id": "3", "note": 'a "b"'}],
    ]


@pytest.mark.parametrize(
    ("spec", "content", "reason"),
    [
        (NDJSON, b'{"id": 1}\nnonsense\n', "has no JSON object in the line at byte 10"),
        (NDJSON, b"[1]\n", "has no JSON object in the line at byte 0"),
        (NDJSON, b'{"id": "\xff"}\n', "has no JSON object in the line at byte 0"),
        (NDJSON, b"[" * 5_000 + b"\n", "has no JSON object in the line at byte 0"),
        (NDJSON, b'{"id": 1} {"id": 2}\n', "has no JSON object in the line at byte 0"),
        (NDJSON, b'{"id": 1},{"id": 2}\n', "has no JSON object in the line at byte 0"),
        (CSV, b"id,note\n1\n", "has 1 fields before byte 10, and its header has 2"),
        (CSV, b"id\n\xff\n", "cannot be read"),
        (CSV, b"id,note,id\n1,a,2\n", "has two columns id in its header"),
        (CSV, b"id,,note\n1,a,2\n", "has no name for its column 2"),
    ],
    ids=[
        "no JSON",
        "no object",
        "no text",
        "a deep nest",
        "two",
        "two with a comma",
        "a short record",
        "no text in CSV",
        "a column twice",
        "a column without a name",
    ],
)
def test_garbage_is_refused_with_its_place(folder: Path, spec: FileSource, content: bytes, reason: str) -> None:
    write(folder, "a", content)

    with pytest.raises(Permanent) as refusal:
        ask(folder, spec=spec)

    assert refusal.value.failure.message.startswith(f"orders/a {reason}")


@pytest.mark.parametrize("spec", [NDJSON, CSV], ids=["ndjson", "csv"])
def test_a_line_that_would_fill_the_memory_is_refused(folder: Path, spec: FileSource) -> None:
    write(folder, "a", b"id\n" * (spec is CSV) + b"x" * (LINE_BYTES_MAX + 1))

    with pytest.raises(Permanent) as refusal:
        ask(folder, spec=spec)

    assert refusal.value.failure.message == f"orders/a has a line of more than {LINE_BYTES_MAX} bytes"


def test_a_csv_field_may_be_a_long_text(folder: Path) -> None:
    write(folder, "a", b"id\n" + b"x" * 200_000 + b"\n")

    assert len(str(ask(folder, spec=CSV).records()[0]["id"])) == 200_000


def test_half_of_a_packed_file_is_refused(folder: Path) -> None:
    (folder / "orders" / "a.gz").write_bytes(gzip.compress(b'{"id": 1}\n' * 1_000)[:40])

    with pytest.raises(Permanent) as refusal:
        ask(folder)

    assert refusal.value.failure.message.startswith("orders/a.gz cannot be read")


@pytest.mark.clause("connector.source.file-changed")
@pytest.mark.parametrize("changed", [0, 1, 9_000])
def test_a_change_near_the_beginning_or_the_end_of_what_was_read_is_found_out(folder: Path, changed: int) -> None:
    lines = [b'{"id": %4d}\n' % number for number in range(1_000)]
    write(folder, "a", b"".join(lines))
    spec = replace(NDJSON, batch_rows=1_000)
    first = ask(folder, spec=spec)
    lines[changed // 10] = b'{"id": 9999}\n'
    write(folder, "a", b"".join(lines) + b'{"id": 1000}\n')

    with pytest.raises(Permanent, match="was changed"):
        ask(folder, first.position, spec)


@pytest.mark.clause("connector.source.file-changed")
@pytest.mark.parametrize(
    "content",
    [b"", b'{"id": 111}\n{"id": 2}\n', b'{"id": 9}\n{"id": 2}\n', b'{"id": 1} {"id": 2}\n'],
    ids=["shorter", "other lines", "another beginning", "another end"],
)
def test_a_file_that_was_changed_is_refused(folder: Path, content: bytes) -> None:
    write(folder, "a", content)

    with pytest.raises(Permanent) as refusal:
        ask(folder, at("a", 10))

    assert "was changed" in refusal.value.failure.message


@pytest.mark.parametrize(
    "position", ['{"page":3}', '{"files":{"a":7}}', '{"files":[]}', '{"next":null}', '"text"', "7"]
)
def test_a_position_of_another_source_is_refused(folder: Path, position: str) -> None:
    write(folder, "a", b'{"id": 1}\n')

    with pytest.raises(Permanent) as refusal:
        ask(folder, position)

    assert position in refusal.value.failure.message


def test_a_file_that_is_gone_is_refused(folder: Path) -> None:
    write(folder, "b", b'{"id": 2}\n')

    with pytest.raises(Permanent) as refusal:
        ask(folder, at("a", 10))

    assert "orders/a was read, and orders/* has no such file any more" in refusal.value.failure.message


def test_pulls_are_journaled() -> None:
    assert FileRecords.journaled
