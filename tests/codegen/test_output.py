"""What is written below `generated/`, and what is left alone."""

from __future__ import annotations

import os
from pathlib import Path

from codegen.output import Difference, compare, write

FILES = {"a.txt": b"a", "deep/b.txt": b"b"}


def test_what_is_written_is_then_found_as_it_should_be(tmp_path: Path) -> None:
    written = write(tmp_path, FILES)

    assert [difference.path for difference in written] == ["MANIFEST", "a.txt", "deep/b.txt"]
    assert (tmp_path / "MANIFEST").read_text() == "a.txt\ndeep/b.txt\n"
    assert compare(tmp_path, FILES) == []


def test_a_difference_is_modified_missing_or_extra(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    (tmp_path / "a.txt").write_bytes(b"by hand")
    (tmp_path / "deep" / "b.txt").unlink()
    (tmp_path / "c.txt").write_bytes(b"c")

    assert compare(tmp_path, FILES) == [
        Difference("a.txt", "modified"),
        Difference("c.txt", "extra"),
        Difference("deep/b.txt", "missing"),
    ]


def test_only_what_the_last_manifest_lists_is_deleted(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    (tmp_path / "mine.txt").write_bytes(b"mine")

    written = write(tmp_path, {"a.txt": b"a"})

    assert [(difference.path, difference.kind) for difference in written] == [
        ("MANIFEST", "modified"),
        ("deep/b.txt", "extra"),
    ]
    assert sorted(path.name for path in tmp_path.rglob("*.txt")) == ["a.txt", "mine.txt"]


def test_a_manifest_reaches_no_file_outside(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_bytes(b"outside")
    folder = tmp_path / "generated"
    write(folder, FILES)
    with (folder / "MANIFEST").open("a") as manifest:
        manifest.write(f"../outside.txt\n{outside}\n")

    write(folder, FILES)

    assert outside.read_bytes() == b"outside"


def test_a_file_that_is_right_is_not_written_again(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    before = (tmp_path / "a.txt").stat().st_mtime_ns

    assert write(tmp_path, FILES) == []
    assert (tmp_path / "a.txt").stat().st_mtime_ns == before


def test_the_caches_of_a_test_run_are_not_extra(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_bytes(b"")

    assert compare(tmp_path, FILES) == []


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "generated"
    write(outside, {"a.txt": b"mine", "b.txt": b"mine"})
    write(folder, FILES)
    for path, target in ((folder / "a.txt", outside / "a.txt"), (folder / "deep/b.txt", outside / "b.txt")):
        path.unlink()
        path.symlink_to(target)
    (folder / "deep" / "b.txt").unlink()
    (folder / "deep").rmdir()
    (folder / "deep").symlink_to(outside)

    assert {difference.path for difference in compare(folder, FILES)} == {"a.txt", "deep/b.txt"}
    write(folder, FILES)

    assert compare(folder, FILES) == []
    assert compare(outside, {"a.txt": b"mine", "b.txt": b"mine"}) == []


def test_a_pipe_is_neither_read_nor_kept_where_a_file_belongs(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    (tmp_path / "a.txt").unlink()
    os.mkfifo(tmp_path / "a.txt")

    assert compare(tmp_path, FILES) == [Difference("a.txt", "modified")]
    write(tmp_path, FILES)

    assert compare(tmp_path, FILES) == []


def test_a_manifest_that_is_no_text_is_written_anew(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    (tmp_path / "MANIFEST").write_bytes(b"\xff\x00")

    assert write(tmp_path, FILES) == [Difference("MANIFEST", "modified")]
