"""Texts as people are shown them: what a terminal would obey is spelled out, and no credential is printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from contextful.kernel import credential

WIDTH = 160  # where there is no terminal that has one
COLUMN_CHARS = 14  # what a column is read at; where so many would not fit, each row stands upright
LINES = "\n\t"


def shown(text: str) -> str:
    """A message."""
    return spelled(credential.masked(text))


def spelled(text: str) -> str:
    """The text, its control characters as Python spells them."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in LINES else repr(char)[1:-1] for char in text)


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Print rows under their columns. No cell is markup."""
    shape = Table(*(Column(Text(spelled(column))) for column in columns), box=None, pad_edge=False)
    for row in rows:
        shape.add_row(*(Text(spelled(cell)) for cell in row))
    _console().print(shape)


def answer(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under their columns, or where so many do not fit, each row upright beside their names."""
    if len(columns) * COLUMN_CHARS <= _console().width:
        table(columns, rows)
        return
    for number, row in enumerate(rows, 1):
        table((f"row {number}", ""), zip(columns, row, strict=True))


def _console() -> Console:
    return Console(width=None if Console().is_terminal else WIDTH)


def counted(count: int, noun: str) -> str:
    """So many of them."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
