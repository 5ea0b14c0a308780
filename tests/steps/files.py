"""Steps of connector.source's files: what stands in them, and what a read of them answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytest_bdd import given, parsers, then, when

from contextful.adapters.sources.file import FileRecords
from contextful.kernel.failure import Failed
from contextful.pipeline.pull import Ask
from contextful.pipeline.spec import FileSource
from tests.steps.stage import Stage


class Files:
    """A folder of files, and the position after the last read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.format = "ndjson"
        self.position: str | None = None
        self.rows: list[dict[str, object]] = []

    def add(self, name: str, content: str) -> None:
        """Add to the end of a file, which is made where it is missing."""
        with (self.folder / name).open("a", newline="") as file:
            file.write(content)

    def grow(self, name: str) -> None:
        """Add a row that nobody else has."""
        size = (self.folder / name).stat().st_size if (self.folder / name).exists() else 0
        self.add(name, json.dumps({"file": name, "at": size}) + "\n")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """The scenario's files."""
    (tmp_path / "files").mkdir()
    return Files(tmp_path / "files")


@given(parsers.parse("the files `{names}` of a row each"))
def files_of_a_row(files: Files, names: str) -> None:
    for name in names.split(", "):
        files.grow(name)


@given("no file")
def no_file(files: Files) -> None:
    assert not list(files.folder.iterdir())


@given(parsers.parse("a CSV file whose only record is `{record}` without its end"))
def csv_file(files: Files, record: str) -> None:
    files.format = "csv"
    files.add("a", f"id,note\r\n{record}")


@when(parsers.parse("its end `{rest}` comes"))
def end_comes(files: Files, rest: str) -> None:
    files.add("a", f"{rest}\r\n")


@when(parsers.parse("file `{name}` comes with a row"))
@when(parsers.parse("file `{name}` grows by a row"))
def file_grows(files: Files, name: str) -> None:
    files.grow(name)


@when(parsers.parse("file `{name}` is written anew"))
def file_is_written_anew(files: Files, name: str) -> None:
    (files.folder / name).unlink()
    files.add(name, '{"another": "beginning", "and": "as long as the one before it, or longer"}\n')


@when("the files are read")
def files_are_read(stage: Stage, files: Files) -> None:
    source = FileRecords(FileSource(path="*", format=files.format), "orders", files.folder)
    try:
        answer = source.pull(Ask(files.position), idempotency_key="key")
    except Failed as failed:
        stage.error = failed
        return
    files.position, files.rows = answer.position, answer.records()


@then(parsers.parse("the read answers the row of file `{name}` alone"))
def read_answers_the_row_of(files: Files, name: str) -> None:
    assert [row["file"] for row in files.rows] == [name]


@then(parsers.parse("the read answers `{row}`"))
def read_answers(files: Files, row: str) -> None:
    assert files.rows == [json.loads(row)]
