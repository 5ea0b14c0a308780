"""What every `Blobs` does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from contextful.kernel import digest
from contextful.ports.blobs import Blobs, Put

CONTENT = b"\x00\xff" * 700_000
SHA256 = digest.of_bytes(CONTENT)


class BlobsSuite:
    """Give it a `blobs` fixture, empty."""

    def test_a_missing_blob_is_none(self, blobs: Blobs) -> None:
        assert blobs.get(SHA256) is None

    def test_a_blob_is_read_back(self, blobs: Blobs) -> None:
        blobs.put(SHA256, CONTENT, now_ms=1)

        assert blobs.get(SHA256) == CONTENT

    @pytest.mark.clause("run.journal.blob-write")
    def test_writers_of_one_blob_agree(self, blobs: Blobs) -> None:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda at: blobs.put(SHA256, CONTENT, now_ms=at), range(8)))

        assert blobs.get(SHA256) == CONTENT
        assert len(blobs.older_than(100, limit=10)) == 1

    def test_old_blobs_come_oldest_first_up_to_the_limit(self, blobs: Blobs) -> None:
        for at, content in enumerate([b"c", b"a", b"b"]):
            blobs.put(digest.of_bytes(content), content, now_ms=at)

        old = blobs.older_than(2, limit=10)

        assert old == [Put(digest.of_bytes(b"c"), 0), Put(digest.of_bytes(b"a"), 1)]
        assert blobs.older_than(9, limit=1) == old[:1]

    def test_a_blob_put_again_is_young_again(self, blobs: Blobs) -> None:
        blobs.put(SHA256, CONTENT, now_ms=1)
        blobs.put(SHA256, CONTENT, now_ms=9)

        assert blobs.older_than(5, limit=10) == []
        assert not blobs.delete(SHA256, put_before_ms=5)
        assert blobs.get(SHA256) == CONTENT

    def test_an_old_blob_is_deleted(self, blobs: Blobs) -> None:
        blobs.put(SHA256, CONTENT, now_ms=1)

        assert blobs.delete(SHA256, put_before_ms=5)
        assert blobs.get(SHA256) is None
        assert not blobs.delete(SHA256, put_before_ms=5)
