"""Buckets do what every bucket does: in memory, in a folder, and over S3."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from contextful.adapters.folder_bucket import FolderBucket
from contextful.adapters.memory import MemoryBucket
from contextful.adapters.s3 import Place, S3Bucket
from contextful.adapters.system import SystemWorld
from contextful.kernel.failure import StorageFailed
from contextful.ports.bucket import Bucket
from contextful.testing import seaweed as seaweed_
from contextful.testing.conformance import BucketSuite


class TestMemoryBucket(BucketSuite):
    @pytest.fixture
    def bucket(self) -> Bucket:
        return MemoryBucket()


class TestFolderBucket(BucketSuite):
    @pytest.fixture
    def bucket(self, tmp_path: Path) -> Bucket:
        return FolderBucket(tmp_path, SystemWorld(), prefix="shop")


class TestS3Bucket(BucketSuite):
    @pytest.fixture
    def bucket(self, seaweed: str) -> Bucket:
        return S3Bucket(seaweed_.place(seaweed, f"test-{uuid.uuid4()}"))


def test_a_bucket_that_does_not_answer_is_a_failure_of_storage() -> None:
    bucket = S3Bucket(Place("corpus", "shop", "http://127.0.0.1:9", None, "key", "secret"))

    with pytest.raises(StorageFailed, match="bucket corpus"):
        bucket.get("manifest.json")
