"""The snapshot: a line a clause, and nothing that is not understood."""

from pathlib import Path

import pytest

from tools import snapshot
from tools.command import Trouble
from tools.snapshot import Line

LINES = (Line("run.retry.a", "aaaaaaaa", "met"), Line("run.retry.b", "bbbbbbbb", "open"))


def test_it_is_read_as_it_was_written_sorted(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()

    snapshot.write(tmp_path, reversed(LINES))

    assert tuple(snapshot.read(tmp_path).values()) == LINES
    text = (tmp_path / snapshot.WHERE).read_text()
    assert text == snapshot.HEAD + "run.retry.a aaaaaaaa met\nrun.retry.b bbbbbbbb open\n"


def test_none_was_ever_accepted(tmp_path: Path) -> None:
    assert snapshot.read(tmp_path) == {}


@pytest.mark.parametrize("line", ["run.retry.a met", "run.retry.a aaaaaaaa mett"])
def test_a_line_that_is_none_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / snapshot.WHERE).write_text(f"# a comment\n\n{line}\n")

    with pytest.raises(Trouble, match=r"tools/trace\.snapshot:3: not `id rev verdict`"):
        snapshot.read(tmp_path)
