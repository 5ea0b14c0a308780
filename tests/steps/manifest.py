"""The manifest of the scenarios: one pipeline over a few tables, whose keys a scenario adds or takes away."""

from __future__ import annotations

import json
from typing import Any

from contextful.pipeline import declare
from contextful.pipeline.spec import PipelineSpec, ProjectSpec

SHOP, ORDERS, SITE = "shop", "orders", "here"


class Declared:
    """What the project declares: keys of its own, of its pipeline, and of each of its tables."""

    def __init__(self) -> None:
        self.project: dict[str, Any] = {"site_id": SITE, "project": {"name": SHOP}}
        self.pipeline: dict[str, Any] = {
            "source": {"name": "file", "config": {"path": "data/{table}.ndjson", "format": "ndjson"}}
        }
        self.table: dict[str, Any] = {}
        self.tables = [ORDERS]
        self.called = SHOP

    def declared(self, *ids: str) -> ProjectSpec:
        """The project as its manifest declares it now."""
        return declare.read(self.manifest(*ids), file="contextful.toml")

    def manifest(self, *ids: str) -> str:
        """The manifest's text, with a block of the pipeline under each of these ids."""
        tables = [{"name": name, **self.table} for name in self.tables]
        blocks = [{"id": each, "tables": tables, **self.pipeline} for each in ids or [self.called]]
        return "".join(f"{key} = {_toml(value)}\n" for key, value in {**self.project, "pipeline": blocks}.items())

    def spec(self) -> PipelineSpec:
        """The pipeline as it is declared now."""
        (spec,) = self.declared().pipelines
        return spec


def _toml(value: object) -> str:
    match value:
        case dict():
            return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case _:
            return json.dumps(value)
