"""`contextful query`: a question in SQL about what is committed."""

from __future__ import annotations

import json
import math
from typing import Annotated

import typer

from contextful.faces import profile
from contextful.faces.cli import shown
from contextful.faces.cli.options import HERE, Folder, Json
from contextful.ports.read_face import Answer

WIDTH_BITS = 32


def query(
    sql: Annotated[str, typer.Argument(help="One SELECT. A table is called <pipeline>_<table>.")],
    project: Folder = HERE,
    limit: Annotated[int, typer.Option(min=1, max=profile.ROWS_MAX, help="How many rows at the most.")] = 100,
    as_json: Json = False,
) -> None:
    """Answer one SELECT over the committed rows, within a minute."""
    with profile.Project.open(project) as opened:
        answer = opened.query(sql, rows_max=limit)
    if as_json:
        typer.echo(json.dumps(_facts(answer), default=str))
        return
    shown.table(answer.columns, (["" if cell is None else str(cell) for cell in row] for row in answer.rows))
    if answer.truncated:
        typer.echo(f"the first {shown.counted(limit, 'row')}; --limit shows more", err=True)


def _facts(answer: Answer) -> dict[str, object]:
    columns = [{"name": n, "type": t} for n, t in zip(answer.columns, answer.types, strict=True)]
    return {
        "columns": columns,
        "rows": [[_cell(cell) for cell in row] for row in answer.rows],
        "truncated": answer.truncated,
    }


def _cell(cell: object) -> object:
    """The cell as every JSON reader takes it: what is no number of theirs is text (read.respond.wide-numbers)."""
    if isinstance(cell, float) and not math.isfinite(cell):
        return "NaN" if math.isnan(cell) else str(cell)
    if isinstance(cell, int) and cell.bit_length() > WIDTH_BITS:
        return str(cell)
    return cell
