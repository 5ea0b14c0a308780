"""Steps of run.declare and run.compile: what a project file declares, what it is refused for, what identifies it."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pytest_bdd import given, parsers, then, when

import contextful
from contextful.faces.profile import Project
from contextful.kernel.failure import Failed
from contextful.pipeline import compile
from contextful.pipeline.compile import Node
from contextful_contract.shapes import NodeKind
from tests.steps.manifest import Declared
from tests.steps.shop import Shop
from tests.steps.stage import Stage

TABLE_KEYS = ("write_mode", "primary_key", "order_by")


@when(parsers.re(r"pipeline `(?P<pipeline>[\w-]+)` is declared with `(?P<keys>.+)`"))
def pipeline_is_declared(stage: Stage, pipeline: str, keys: str) -> None:
    """Keys of a table stand in its block; what an earlier declaration had is gone."""
    declared = {} if keys.startswith(("no ", "a second ")) else tomllib.loads(f"it = {{ {keys} }}")["it"]
    other = Declared()
    other.tables = declared.pop("tables", other.tables)
    other.table = {key: declared.pop(key) for key in TABLE_KEYS if key in declared}
    other.pipeline |= declared
    ids = [pipeline] * (2 if keys == "a second block of its id" else 1)
    try:
        (spec,) = other.declared(*ids).pipelines
    except ExceptionGroup as faults:
        stage.error = faults
        return
    stage.seen["content hashes"].append(compile.content_hash(spec))
    stage.outcome = spec
    stage.shown = {"table": compile.tables(spec)[0].table.table}


@when(parsers.parse("a project file has the blocks `{block}`"))
def project_file_has(stage: Stage, shop: Shop, block: str) -> None:
    shop.project[block] = {}
    try:
        shop.declared()
    except ExceptionGroup as faults:
        stage.error = faults


@when(parsers.parse("a table is declared by the name `{table}`"))
def table_is_declared(stage: Stage, shop: Shop, table: str) -> None:
    shop.tables = [table]
    try:
        shop.declared()
    except ExceptionGroup as faults:
        stage.error = faults


@given("a folder without a project file")
def folder_without_a_file(shop: Shop) -> None:
    shop.folder = shop.folder / "empty"
    shop.folder.mkdir()


@when("its project is opened")
def project_is_opened(stage: Stage, shop: Shop) -> None:
    try:
        Project.open(shop.folder, world=stage.world)
    except contextful.ContextfulError as refusal:
        stage.error = refusal


@then("the folder is empty")
def folder_is_empty(shop: Shop) -> None:
    assert list(Path(shop.folder).iterdir()) == []


@when(parsers.parse("a plan of step `{label}` is compiled"))
def plan_of_step(stage: Stage, label: str) -> None:
    version = compile.plan_version("shop", [Node(NodeKind.STEP, label)])
    stage.seen["plan versions"].append(version)
    stage.shown = {"plan version": version}


@then(parsers.parse("its `{field}` has {count:d} chars"))
def field_has_chars(stage: Stage, field: str, count: int) -> None:
    assert isinstance(stage.shown, dict)
    assert len(stage.shown[field]) == count


@when(parsers.parse("a plan with nodes `{labels}` is compiled"))
def plan_with_nodes(stage: Stage, labels: str) -> None:
    try:
        stage.outcome = compile.plan_version("shop", [_node(label) for label in labels.split(", ")])
    except Failed as refusal:
        stage.error = refusal


def _node(text: str) -> Node:
    if not text.startswith("join of "):
        return Node(NodeKind.STEP, text)
    return Node(NodeKind.PARALLEL, "join", of=tuple(text.removeprefix("join of ").split(" and ")))
