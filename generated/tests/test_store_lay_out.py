"""The scenarios of store.lay-out, bound. Written by `python -m codegen` from spec/store/lay-out.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/store/lay-out.feature"
STEM = "store__lay_out"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("store.lay-out.run-manifest")
@pytest.mark.scenario("store__lay_out__run_manifest__s1")
@scenario(FEATURE, "store__lay_out__run_manifest__s1")
def test_store__lay_out__run_manifest__s1() -> None: ...


@pytest.mark.clause("store.lay-out.run-manifest")
@pytest.mark.scenario("store__lay_out__run_manifest__s2")
@scenario(FEATURE, "store__lay_out__run_manifest__s2")
def test_store__lay_out__run_manifest__s2() -> None: ...


@pytest.mark.clause("store.lay-out.uncommitted-run")
@pytest.mark.scenario("store__lay_out__uncommitted_run__s1")
@scenario(FEATURE, "store__lay_out__uncommitted_run__s1")
def test_store__lay_out__uncommitted_run__s1() -> None: ...


@pytest.mark.clause("store.lay-out.run-replay")
@pytest.mark.scenario("store__lay_out__run_replay__s1")
@scenario(FEATURE, "store__lay_out__run_replay__s1")
def test_store__lay_out__run_replay__s1() -> None: ...


@pytest.mark.clause("store.lay-out.run-conflict")
@pytest.mark.scenario("store__lay_out__run_conflict__s1")
@scenario(FEATURE, "store__lay_out__run_conflict__s1")
def test_store__lay_out__run_conflict__s1() -> None: ...


@pytest.mark.clause("store.lay-out.manifest-unreadable")
@pytest.mark.scenario("store__lay_out__manifest_unreadable__s1")
@scenario(FEATURE, "store__lay_out__manifest_unreadable__s1")
def test_store__lay_out__manifest_unreadable__s1() -> None: ...


@pytest.mark.clause("store.lay-out.unknown-table")
@pytest.mark.scenario("store__lay_out__unknown_table__s1")
@scenario(FEATURE, "store__lay_out__unknown_table__s1")
def test_store__lay_out__unknown_table__s1() -> None: ...


@pytest.mark.clause("store.lay-out.run-id-shape")
@pytest.mark.scenario("store__lay_out__run_id_shape__s1")
@scenario(FEATURE, "store__lay_out__run_id_shape__s1")
def test_store__lay_out__run_id_shape__s1() -> None: ...


@pytest.mark.clause("store.lay-out.run-id-shape")
@pytest.mark.scenario("store__lay_out__run_id_shape__s2")
@scenario(FEATURE, "store__lay_out__run_id_shape__s2")
def test_store__lay_out__run_id_shape__s2() -> None: ...


@pytest.mark.clause("store.lay-out.run-id-shape")
@pytest.mark.scenario("store__lay_out__run_id_shape__s3")
@scenario(FEATURE, "store__lay_out__run_id_shape__s3")
def test_store__lay_out__run_id_shape__s3() -> None: ...


@pytest.mark.clause("store.lay-out.part-name")
@pytest.mark.scenario("store__lay_out__part_name__s1")
@scenario(FEATURE, "store__lay_out__part_name__s1")
def test_store__lay_out__part_name__s1() -> None: ...


@pytest.mark.clause("store.lay-out.snapshot-id")
@pytest.mark.scenario("store__lay_out__snapshot_id__s1")
@scenario(FEATURE, "store__lay_out__snapshot_id__s1")
def test_store__lay_out__snapshot_id__s1() -> None: ...


@pytest.mark.clause("store.lay-out.node-id-shape")
@pytest.mark.scenario("store__lay_out__node_id_shape__s1")
@scenario(FEATURE, "store__lay_out__node_id_shape__s1")
def test_store__lay_out__node_id_shape__s1() -> None: ...


@pytest.mark.clause("store.lay-out.node-id-shape")
@pytest.mark.scenario("store__lay_out__node_id_shape__s2")
@scenario(FEATURE, "store__lay_out__node_id_shape__s2")
def test_store__lay_out__node_id_shape__s2() -> None: ...


@pytest.mark.clause("store.lay-out.rebuild-catalog")
@pytest.mark.scenario("store__lay_out__rebuild_catalog__s1")
@scenario(FEATURE, "store__lay_out__rebuild_catalog__s1")
def test_store__lay_out__rebuild_catalog__s1() -> None: ...
