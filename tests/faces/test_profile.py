"""A project's folder, from its manifest to its answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from contextful.adapters.system import SystemWorld
from contextful.errors import PipelineManifestMissing, PipelineSpecInvalid, PipelineTableFailed, SiteIdUnresolved
from contextful.faces.embedded import Engine
from contextful.faces.profile import Project
from contextful.kernel.failure import Failed, Transient
from contextful.run.record import Counts
from contextful.run.site import Site
from contextful.runner.land import Success
from contextful.testing import SkippingWorld
from contextful.testing.clock import START_MS
from contextful_contract.shapes import FailureTag, RunStatus

MANIFEST = """
site_id = "here"

[project]
name = "shop"

[[pipeline]]
id = "My-Shop"
tables = [{ name = "orders", primary_key = "id" }]
source = { name = "file", config = { path = "in/*.csv", format = "csv" } }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "contextful.toml").write_text(MANIFEST)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("id,note\n1,a\n2,b\n1,c\n")
    return tmp_path


def test_a_pipeline_of_a_folder_is_run_recorded_and_read(folder: Path) -> None:
    with Project.open(folder, world=SkippingWorld()) as project:
        (outcome,) = project.run("My-Shop", "r-1")
        (run,) = project.engine.history(pipeline="My-Shop")
        answer = project.query("SELECT id, note FROM my_shop_orders ORDER BY id")

    assert isinstance(outcome, Success)
    assert (run.run_id, run.status, run.site_id, run.table) == ("r-1", RunStatus.SUCCESS, "here", "orders")
    assert run.counts == Counts(rows=3, bytes=outcome.bytes, batches=1)
    assert answer.rows == [("1", "c"), ("2", "b")]


@pytest.mark.clause("run.advance.commit-with-rows")
def test_a_fire_lands_what_was_added_since(folder: Path) -> None:
    with Project.open(folder, world=SkippingWorld()) as project:
        project.run("My-Shop", "r-1")
    with (folder / "in" / "a.csv").open("a") as file:
        file.write("3,d\n")

    with Project.open(folder, world=SkippingWorld(now_ms=START_MS + 1, seed=1)) as project:
        (outcome,) = project.run("My-Shop", "r-2")

    assert isinstance(outcome, Success)
    assert outcome == Success("r-2", "my_shop_orders", rows=1, bytes=outcome.bytes, parts=1, commits=1)


def test_a_pipeline_that_is_not_declared_is_refused_with_those_that_are(folder: Path) -> None:
    with Project.open(folder) as project, pytest.raises(Failed) as refusal:
        project.run("shop")

    assert refusal.value.failure.tag is FailureTag.CONFIG
    assert str(refusal.value) == "there is no pipeline shop: contextful.toml declares My-Shop"


@pytest.mark.clause("run.declare.manifest-missing")
def test_a_folder_without_a_manifest_is_refused_and_left_empty(tmp_path: Path) -> None:
    with pytest.raises(PipelineManifestMissing) as refusal:
        Project.open(tmp_path)

    assert refusal.value.path == str(tmp_path / "contextful.toml")
    assert list(tmp_path.iterdir()) == []


def test_a_manifest_with_faults_makes_nothing(folder: Path) -> None:
    (folder / "contextful.toml").write_text(MANIFEST.replace("format", "fromat"))

    with pytest.raises(ExceptionGroup) as group:
        Project.open(folder)

    assert [type(error).__name__ for error in group.value.exceptions] == [
        "PipelineSpecInvalid",
        "PipelineUnknownConfigKey",
    ]
    assert isinstance(group.value.exceptions[0], PipelineSpecInvalid)
    assert not (folder / ".contextful").exists()


@pytest.mark.clause("run.record.site-id-unresolved")
def test_a_project_without_a_site_is_refused_at_startup(folder: Path) -> None:
    (folder / "contextful.toml").write_text(MANIFEST.replace('site_id = "here"', ""))

    with pytest.raises(SiteIdUnresolved) as refusal:
        Project.open(folder)

    assert refusal.value.reason == "nothing declares one"


@pytest.mark.clause("run.record.site-id-unresolved")
def test_a_site_may_be_given_for_one_run(folder: Path) -> None:
    with Project.open(folder, world=SkippingWorld(), site=Site("osaka-2")) as project:
        project.run("My-Shop", "r-1")
        answer = project.query("SELECT DISTINCT _site_id FROM my_shop_orders")

    assert answer.rows == [("osaka-2",)]


SECRETIVE = 'source = { name = "http", config = { endpoint = "http://127.0.0.1:1/", headers = { A = "env:UNSET" } } }'


def test_a_secret_that_is_not_there_fails_the_run_before_any_request(folder: Path) -> None:
    text = "\n".join(SECRETIVE if line.startswith("source") else line for line in MANIFEST.splitlines())
    (folder / "contextful.toml").write_text(text)

    with Project.open(folder, world=SkippingWorld()) as project:
        with pytest.raises(PipelineTableFailed) as refusal:
            project.run("My-Shop", "r-1")
        (run,) = project.engine.history()

    assert (refusal.value.table, refusal.value.tag) == ("orders", FailureTag.SECRET_NOT_FOUND)
    assert (run.run_id, run.status, run.error_kind) == ("r-1", RunStatus.FAILED, FailureTag.SECRET_NOT_FOUND)


@pytest.mark.parametrize("run_id", ["a/b", "..", "a" * 129, ""])
@pytest.mark.clause("store.lay-out.run-id-shape")
def test_a_run_id_that_names_no_folder_is_refused_before_any_work(folder: Path, run_id: str) -> None:
    with Project.open(folder, world=SkippingWorld()) as project:
        with pytest.raises(Failed) as refusal:
            project.run("My-Shop", run_id)
        history = project.engine.history()

    assert refusal.value.failure.tag is FailureTag.CONFIG
    assert history == []


@pytest.mark.clause("store.lay-out.node-id-shape")
def test_the_store_may_say_how_its_node_is_called(folder: Path) -> None:
    config = folder / ".contextful/context/shop/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[node]\nid = "tokyo"\n')

    with Project.open(folder, world=SkippingWorld()) as project:
        project.run("My-Shop", "r-1")

    assert {path.parent.name for path in folder.rglob("_manifest.json")} == {"tokyo"}


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = "import sys, contextful; print([m for m in ('pyarrow', 'duckdb', 'httpx') if m in sys.modules])"

    path = {"PYTHONPATH": ":".join(sys.path)}
    printed = subprocess.run([sys.executable, "-c", heavy], env=path, capture_output=True, text=True, check=True).stdout

    assert printed == "[]\n"


@pytest.mark.clause("run.record.orphan-reap")
@pytest.mark.parametrize("days", [-365, 365], ids=["a year ago", "in a year"])
def test_a_clock_that_stands_still_elsewhere_reaps_no_live_run_and_loses_none(folder: Path, days: int) -> None:
    still = SystemWorld(now_ms=SystemWorld().now_ms() + days * 86_400_000)
    with Project.open(folder) as theirs, Project.open(folder, world=still) as ours:
        their_run = theirs.engine.execution("index-42", "plan-a", run_id="theirs")
        our_run = ours.engine.execution("index-43", "plan-a", run_id="ours")

        assert [theirs.engine.reap(), ours.engine.reap()] == [0, 0]
        with pytest.raises(Transient):
            theirs.engine.execution("index-43", "plan-a")
        with our_run, their_run:
            pass


@pytest.mark.parametrize(
    "config", ["[node]\nid = 5\n", "node = 1\n", "a = " + "[" * 50_000], ids=["a number", "no block", "deep"]
)
def test_a_configuration_that_cannot_be_read_is_refused(folder: Path, config: str) -> None:
    path = folder / ".contextful/context/shop/config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(config)

    with pytest.raises(Failed) as refusal:
        Project.open(folder)

    assert refusal.value.failure.tag is FailureTag.CONFIG
    assert "config.toml cannot be read" in refusal.value.failure.message


def test_a_file_is_no_folder_of_an_engine(folder: Path) -> None:
    with pytest.raises(Failed) as refusal:
        Engine.open(folder / "contextful.toml")

    assert refusal.value.failure.tag is FailureTag.STORAGE


@pytest.mark.clause("run.declare.manifest-missing")
def test_a_file_is_no_project(folder: Path) -> None:
    with pytest.raises(PipelineManifestMissing):
        Project.open(folder / "contextful.toml")


def test_a_manifest_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "contextful.toml").mkdir()

    with pytest.raises(Failed) as refusal:
        Project.open(tmp_path)

    assert refusal.value.failure.message.endswith("contextful.toml cannot be read: Is a directory")
