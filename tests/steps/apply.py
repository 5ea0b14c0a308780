"""Steps of surface.apply: versions of a project, and what an apply does about pending work."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters.control import Control
from contextful.adapters.files import Disk
from contextful.errors import ManifestVersionConflict
from contextful.faces import profile
from contextful.faces.cli import pipelines
from contextful.faces.manifest import MANIFEST
from contextful.faces.profile import Project
from contextful.faces.upkeep import Applied
from contextful.surface import apply
from tests.steps.manifest import SHOP
from tests.steps.shop import Shop
from tests.steps.stage import LEASE_LAPSED_MS, SCOPE, Stage


class Lax(Disk):
    """A disk on which whoever comes second creates the file again."""

    def link(self, source: Path, target: Path) -> None:
        super().remove(target)
        super().link(source, target)


@given("a project with 2 faults")
def project_with_faults(shop: Shop) -> None:
    _applied(shop)
    shop.pipeline |= {"shedule": "every 1h", "cursor": "sequence"}
    declare(shop)


@given("a project at version 1 without a change")
def project_without_a_change(shop: Shop) -> None:
    _applied(shop)


@given("a project at version 1 with a change")
def project_with_a_change(shop: Shop) -> None:
    _applied(shop)
    shop.pipeline["on_table_error"] = "continue"
    declare(shop)


@given("a pending owner that the change supersedes")
def superseded_owner(stage: Stage) -> None:
    run = stage.engine().execution(SCOPE, "plan-v1", run_id="pending")
    run.drop()
    stage.world.skip(LEASE_LAPSED_MS)


@given("a backend that ignores `If-None-Match`")
def lax_backend(stage: Stage) -> None:
    stage.named["disk"] = Lax()


@when("it is opened")
def is_opened(stage: Stage) -> None:
    disk = stage.named["disk"]
    assert isinstance(disk, Disk)
    try:
        Control(stage.folder / "control", stage.world, disk=disk)
    except contextful.ContextfulError as refusal:
        stage.error = refusal


@when("it is applied")
def is_applied(stage: Stage, shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        pipelines.apply(shop.folder)
    except contextful.ContextfulError as refusal:
        stage.error = refusal
    stage.named["printed"] = capsys.readouterr().out


@when("it is applied 2 times at once")
def is_applied_at_once(stage: Stage, shop: Shop) -> None:
    """Both have looked at the version that is current by the time that either claims the next one."""
    with Project.open(shop.folder) as project:
        drafts = [project.draft(), project.draft()]
        for draft in drafts:
            try:
                stage.seen["versions"].append(project.apply(draft).version)
            except contextful.ContextfulError as refusal:
                stage.seen["refusals"].append(refusal)


@when("the claim fails")
def claim_fails(shop: Shop) -> None:
    with Project.open(shop.folder) as project:
        draft = project.draft()
        project.apply(draft)
        with pytest.raises(ManifestVersionConflict):
            project.apply(draft, plans={SCOPE: ["plan-v2"]})


@when(parsers.parse("an apply gives job `{job}` plan `{plan}`"))
def apply_gives(stage: Stage, shop: Shop, job: str, plan: str) -> None:
    """What is applied is declared for the first time; the job is one of the host's."""
    declare(shop)
    with Project.open(shop.folder, world=stage.world) as project:
        stage.named["applied"] = project.apply(project.draft(), plans={f"job:{job}": [plan]})


@then("both faults are named")
def both_are_named(stage: Stage) -> None:
    assert "shedule" in str(stage.error)
    assert "cursor must be one of" in str(stage.error)


@then(parsers.parse("the current version is {version:d}"))
def current_version(stage: Stage, shop: Shop, version: int) -> None:
    folder = shop.folder / profile.CONTROL / SHOP
    assert Control(folder, stage.world).current() == version
    assert (folder / apply.file_name(version)).exists()


@then("`ManifestVersionConflict` is raised for one of them")
def conflict_for_one(stage: Stage) -> None:
    assert stage.seen["versions"] == [2]
    (refusal,) = stage.seen["refusals"]
    assert isinstance(refusal, ManifestVersionConflict)
    assert refusal.version == 2


@then("it prints `unchanged`")
def prints_unchanged(stage: Stage) -> None:
    assert str(stage.named["printed"]).startswith("unchanged")


@then("the snapshot is claimed")
def snapshot_is_claimed(stage: Stage, shop: Shop) -> None:
    current_version(stage, shop, 1)


@then("standard error names its execution and `contextful run rewind`")
def standard_error_names(stage: Stage) -> None:
    applied = stage.named["applied"]
    assert isinstance(applied, Applied)
    (refusal,) = applied.refused
    assert refusal.execution_id == stage.execution_id
    assert f"contextful run rewind {stage.execution_id}" in pipelines.left(refusal)


def declare(shop: Shop) -> None:
    (shop.folder / MANIFEST).write_text(shop.manifest())


def _applied(shop: Shop) -> None:
    declare(shop)
    with Project.open(shop.folder) as project:
        assert project.apply(project.draft()).version == 1
