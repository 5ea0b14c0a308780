"""Names and manifests of the store."""

import json
from dataclasses import replace

import pytest

from contextful.errors import StoreManifestUnreadable, StoreNodeIdInvalid
from contextful.store import lay_out
from contextful.store.lay_out import Manifest

MANIFEST = Manifest(
    run_id="r-1",
    table="shop_orders",
    node_id="n-1",
    parts=("part-00000.parquet",),
    committed_ms=1_772_323_200_000,
    commit_seq=7,
    pipeline_id="shop",
    position='{"page":3}',
)


@pytest.mark.clause("store.lay-out.part-name")
def test_parts_are_numbered_in_five_digits() -> None:
    assert [lay_out.part_name(ordinal) for ordinal in (0, 12)] == ["part-00000.parquet", "part-00012.parquet"]


@pytest.mark.clause("store.lay-out.run-id-shape")
@pytest.mark.parametrize(
    ("run_id", "is_one"),
    [
        ("r-1", True),
        ("a" * 128, True),
        ("a" * 129, False),
        ("", False),
        (".", False),
        ("..", False),
        ("...", True),
        ("a/b", False),
        ("a:b", False),
        ("r\n", False),
        ("é", False),
    ],
)
def test_a_run_id_is_one_segment_of_a_path(run_id: str, is_one: bool) -> None:
    assert lay_out.is_run_id(run_id) is is_one


@pytest.mark.clause("store.lay-out.node-id-shape")
def test_a_node_is_called_as_declared_or_after_its_host_and_store() -> None:
    assert lay_out.node_id("tokyo.1", host="h", store="/s") == "tokyo.1"
    assert lay_out.node_id(None, host="h", store="/s") == lay_out.node_id(None, host="h", store="/s")
    assert lay_out.node_id(None, host="h", store="/s") != lay_out.node_id(None, host="h", store="/t")


@pytest.mark.clause("store.lay-out.node-id-shape")
@pytest.mark.parametrize("declared", ["", "tokyo/1", "a" * 65, ".."])
def test_a_node_id_of_another_shape_is_refused(declared: str) -> None:
    with pytest.raises(StoreNodeIdInvalid) as refusal:
        lay_out.node_id(declared, host="h", store="/s")

    assert refusal.value.node_id == declared


@pytest.mark.parametrize(
    "manifest",
    [MANIFEST, replace(MANIFEST, position=None), replace(MANIFEST, parts=())],
    ids=["whole", "at none", "empty"],
)
def test_a_manifest_file_holds_the_manifest(manifest: Manifest) -> None:
    assert lay_out.from_json(lay_out.to_json(manifest), path="p") == manifest


def test_a_manifest_is_spelled_with_sorted_keys_and_the_bare_position() -> None:
    assert lay_out.to_json(MANIFEST).decode() == (
        "{\n"
        ' "commit_seq": 7,\n'
        ' "committed_at": "2026-03-01T00:00:00Z",\n'
        ' "cursor": {\n  "page": 3\n },\n'
        ' "fence": null,\n'
        ' "node_id": "n-1",\n'
        ' "parts": [\n  {\n   "key_version": 0,\n   "name": "part-00000.parquet"\n  }\n ],\n'
        ' "pipeline_id": "shop",\n'
        ' "run_id": "r-1",\n'
        ' "table": "shop_orders"\n'
        "}\n"
    )


@pytest.mark.clause("store.lay-out.manifest-unreadable")
@pytest.mark.parametrize("length", [0, 1, 40, 200])
def test_half_a_manifest_is_refused_with_its_path(length: int) -> None:
    with pytest.raises(StoreManifestUnreadable) as refusal:
        lay_out.from_json(lay_out.to_json(MANIFEST)[:length], path="runs/r-1/_manifest.json")

    assert refusal.value.path == "runs/r-1/_manifest.json"


@pytest.mark.clause("store.lay-out.manifest-unreadable")
@pytest.mark.parametrize(
    "content", [b"[]", b"{}", b"null", b'"x"', b'{"committed_at": "yesterday"}', b"\xff", b"[" * 5_000]
)
def test_what_is_no_manifest_is_refused(content: bytes) -> None:
    with pytest.raises(StoreManifestUnreadable):
        lay_out.from_json(content, path="p")


@pytest.mark.clause("store.lay-out.manifest-unreadable")
@pytest.mark.parametrize(
    ("key", "value"),
    [("commit_seq", "1"), ("parts", [1]), ("committed_at", 5), ("run_id", None), ("parts", [{"name": "../x"}])],
)
def test_a_manifest_whose_values_are_of_another_kind_is_refused(key: str, value: object) -> None:
    held = json.loads(lay_out.to_json(MANIFEST)) | {key: value}

    with pytest.raises(StoreManifestUnreadable):
        lay_out.from_json(json.dumps(held).encode(), path="p")
