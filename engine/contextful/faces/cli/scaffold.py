"""`contextful init`: a project that runs as it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

MANIFEST = """\
site_id = "local"

[project]
name = "{name}"

[[pipeline]]
id = "shop"
source.name = "file"
source.config = {{ path = "data/{{table}}*.ndjson", format = "ndjson" }}

[[pipeline.tables]]
name = "orders"
primary_key = ["id"]
"""
ORDERS = """\
{"id": 1, "item": "tea", "cents": 450}
{"id": 2, "item": "cake", "cents": 700}
"""


def init(
    folder: Annotated[Path, typer.Argument(help="Where the project goes; made where it is missing.")],
) -> None:
    """Write a small project: one pipeline that lands a file of orders."""
    written = {
        folder / "contextful.toml": MANIFEST.format(name=_name(folder)),
        folder / "data" / "orders.ndjson": ORDERS,
    }
    for path in written:
        if path.exists():
            raise FileExistsError(f"{path} stands already, and nothing was written")
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        typer.echo(path)
    typer.echo(f"\nnext: contextful pipeline run shop --project {folder}", err=True)


def _name(folder: Path) -> str:
    """The folder's own name, where it is one that a project may have."""
    kept = "".join(char for char in folder.resolve().name if char.isascii() and (char.isalnum() or char in "-_."))
    return kept.lstrip("-_.")[:64] or "project"
