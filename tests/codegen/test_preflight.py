"""The bytes of a page: what no line may hold is found where it stands, and reading goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.findings import Notes
from codegen.load import load
from codegen.preflight import preflight
from tests.codegen.corpus import PAGE, edited, findings, marked, placed, project

CASES = {
    "a byte order mark": (b"\xef\xbb\xbfone\n", "byte-order-mark", "1:1", "one\n"),
    "Windows line ends": (b"one\r\ntwo\r\n", "line-end", "1:4", "one\ntwo\n"),
    "a lone carriage return": (b"one\rtwo\n", "control-character", "1:4", "one\rtwo\n"),
    "no last newline": (b"one\ntwo", "last-newline", "2:4", "one\ntwo\n"),
    "a tab": (b"one\ttwo\n", "tab", "1:4", "one two\n"),
    "spaces at the end": (b"one\ntwo  \n", "trailing-space", "2:4", "one\ntwo\n"),
    "a form feed": (b"one\x0ctwo\n", "control-character", "1:4", "one\x0ctwo\n"),
    "a next-line": ("one\u0085two\n", "control-character", "1:4", "one\u0085two\n"),
    "a line separator": ("one\u2028two\n", "control-character", "1:4", "one\u2028two\n"),
    "a zero-width space": ("one\n\u200btwo\n", "invisible-character", "2:1", "one\n\u200btwo\n"),
    "a bidirectional override": ("one \u202etwo\n", "invisible-character", "1:5", "one \u202etwo\n"),
    "a letter in parts": ("é e\u0301\n", "not-nfc", "1:3", "é e\u0301\n"),
    "a byte that is not UTF-8": (b"one\n\xc3\xa9\xff\n", "encoding", "2:2", None),
    "a binary file": (b"\x7fELF\n\x00\x01", "binary", "2:1", None),
}


@pytest.mark.parametrize(("raw", "code", "place", "text"), CASES.values(), ids=CASES)
def test_what_a_page_may_not_hold(raw: bytes | str, code: str, place: str, text: str | None) -> None:
    notes = Notes("page.md")

    assert preflight(raw if isinstance(raw, bytes) else raw.encode("utf-8"), notes) == text
    assert [(f.code, f"{f.line}:{f.column}") for f in notes] == [(code, place)]


def test_columns_are_the_same_under_windows_line_ends(tmp_path: Path) -> None:
    broken = edited("- `seed` — Chance", "- `seed` - Chance")

    unix = findings(tmp_path / "unix", retry=broken)
    windows = findings(tmp_path / "windows", retry=broken.replace("\n", "\r\n"))

    assert [finding for finding in windows if finding.code != "line-end"] == unix


def test_a_line_separator_is_no_end_of_a_line(tmp_path: Path) -> None:
    page, places = marked(edited("Chance has", "Chance¦\u2028has"))

    assert placed(findings(tmp_path, retry=page)) == places


def test_a_file_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    root = project(tmp_path)
    (root / "spec" / "run" / "retry.md").mkdir()

    assert [finding.code for finding in load(root)[1]] == ["no-clauses", "unreadable"]


@pytest.mark.parametrize(
    ("path", "code"),
    [("run/retry.MD", "page-path"), ("run/picture.svg", "page-path"), ("run/README.md", "front-matter")],
)
def test_no_file_of_the_folder_is_ignored(path: str, code: str, tmp_path: Path) -> None:
    root = project(tmp_path, wake=PAGE)
    (root / "spec" / path).write_text("text\n")

    assert (f"spec/{path}", code) in [(finding.path, finding.code) for finding in load(root)[1]]


@pytest.mark.parametrize("name", [".retry.md.swp", "retry.md~"])
def test_what_an_editor_leaves_is_no_page(name: str, tmp_path: Path) -> None:
    root = project(tmp_path, retry=PAGE)
    (root / "spec" / "run" / name).write_text("text\n")

    assert load(root)[1] == []
