"""Steps that open a project's folder, as every command does."""

from __future__ import annotations

import pytest
from pytest_bdd import given, parsers, when

import contextful
from contextful.faces.manifest import MANIFEST
from contextful.faces.profile import Project
from contextful.kernel.failure import Failed
from tests.steps.shop import Shop
from tests.steps.stage import Stage


@given(parsers.parse("the environment has `{name}` as `{value}`"))
def environment_has(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)


@given(parsers.parse("the environment has no `{name}`"))
def environment_has_no(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv(name, raising=False)


@when("the engine starts")
def engine_starts(stage: Stage, shop: Shop) -> None:
    (shop.folder / MANIFEST).write_text(shop.manifest())
    stage.error = None
    try:
        with Project.open(shop.folder, world=stage.world) as project:
            stage.seen["node ids"].append(project.node_id)
            stage.outcome = "started"
    except (contextful.ContextfulError, Failed, ExceptionGroup) as refusal:
        stage.error = refusal
