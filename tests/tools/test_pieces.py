"""What goes when a cite's line is cut: the smallest thing that begins or ends there."""

import ast

import pytest

from tools import cites, pieces
from tools.cites import Cite
from tools.command import ROOT, Trouble


def cite(source: str) -> Cite:
    """The one cite of a source."""
    [row] = [number for number, row in enumerate(source.split("\n"), 1) if "##=" in row]
    alone = source.split("\n")[row - 1].lstrip().startswith("##=")
    return Cite("run.retry.gone", "engine/a.py", row + alone, "", row)


@pytest.mark.parametrize(
    ("source", "cut"),
    [
        pytest.param("if a:\n    return b  ##=\n", "if a:\n    pass  ##=\n", id="a statement"),
        pytest.param("if a:\n    ##=\n    raise b(\n        c\n    )\n", "if a:\n    ##=\n    pass\n", id="one below"),
        pytest.param("A = {\n    b,\n}  ##=\nc = 1\n", "pass  ##=\nc = 1\n", id="one over several lines"),
        pytest.param("##=\nfor a in b:\n    c()\nd()\n", "##=\npass\nd()\n", id="a loop with its block"),
        pytest.param("for a in b:  ##=\n    c()\n", "pass\n", id="a loop marked behind its colon"),
        pytest.param("##=\nif a:\n    b()\n", "##=\npass\n", id="an if with its block"),
        pytest.param("if a:  ##=\n    b()\nelse:\n    c()\n", "if True:\n    b()\nelse:\n    c()\n", id="a condition"),
        pytest.param("with a(\n    b,\n):  ##=\n    c()\n", "if True:\n    c()\n", id="a guard over several lines"),
        pytest.param("with a, b:  ##=\n    c()\n", "if True:\n    c()\n", id="a guard"),
        pytest.param("f(\n    a,\n    b=c(d),  ##=\n)\n", "f(\n    a,\n      ##=\n)\n", id="an argument"),
        pytest.param('A = {\n    "ä": b,  ##=\n    "c": d,\n}\n', 'A = {\n      ##=\n    "c": d,\n}\n', id="an entry"),
        pytest.param("A = (\n    (b, c),  ##=\n    d,\n)\n", "A = (\n      ##=\n    d,\n)\n", id="an element"),
        pytest.param(
            "if (\n    a\n    and b(c)  ##=\n):\n    d()\n",
            "if (\n    a\n    and True  ##=\n):\n    d()\n",
            id="a part",
        ),
        pytest.param(
            "a = (\n    b  ##=\n    if c\n    else d\n)\n", "a = (\n    d  ##=\n    if c\n    else d\n)\n", id="an arm"
        ),
    ],
)
def test_the_smallest_thing_on_the_marked_line_goes(source: str, cut: str) -> None:
    assert pieces.without(source.encode(), cite(source)).decode() == cut


def test_a_cite_of_nothing_is_refused_by_its_place() -> None:
    source = "try:\n    a()\nexcept (\n    b.\n    c  ##=\n):\n    pass\n"

    with pytest.raises(Trouble, match=r"^engine/a\.py:5 is no statement, and no part of one that could go"):
        pieces.without(source.encode(), cite(source))


def test_whatever_the_engine_cites_can_be_cut() -> None:
    for found in cites.read(ROOT):
        source = (ROOT / found.file).read_bytes()

        cut = pieces.without(source, found)

        assert cut != source
        ast.parse(cut)
