"""`contextful query`: a question in SQL about what is committed."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from contextful.faces import profile
from contextful.faces.cli import shown
from contextful.faces.cli.options import HERE, AsOf, AvailableAsOf, Folder, Json
from contextful.faces.shapes import read_answer
from contextful.kernel.shape import to_json


def query(
    sql: Annotated[str, typer.Argument(help="One SELECT. A table is called <pipeline>_<table>.")],
    project: Folder = HERE,
    limit: Annotated[int, typer.Option(min=1, max=profile.ROWS_MAX, help="How many rows at the most.")] = 100,
    as_of: AsOf = None,
    available_as_of: AvailableAsOf = None,
    as_json: Json = False,
) -> None:
    """Answer one SELECT over the committed rows, within a minute."""
    with profile.Project.open(project) as opened:
        answer = opened.query(sql, rows_max=limit, as_of_ms=as_of, available_as_of_ms=available_as_of)
    if as_json:
        told = read_answer(answer, as_of_ms=as_of, available_as_of_ms=available_as_of)
        typer.echo(json.dumps(to_json(told), ensure_ascii=False))
        return
    shown.answer(answer.columns, (["" if cell is None else str(cell) for cell in row] for row in answer.rows))
    if answer.truncated:
        typer.echo(f"the first {shown.counted(limit, 'row')}; --limit shows more", err=True)
