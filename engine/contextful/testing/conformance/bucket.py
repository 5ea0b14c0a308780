"""What every `Bucket` does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from contextful.ports.bucket import Bucket, Object

RACERS = 8


class BucketSuite:
    """Give it a `bucket` fixture, empty."""

    def test_a_missing_object_is_none(self, bucket: Bucket) -> None:
        assert bucket.get("shop/a") is None

    def test_an_object_is_read_back_with_its_version(self, bucket: Bucket) -> None:
        version = bucket.put("shop/a", b"\x00\xff" * 500_000)

        assert version is not None
        assert bucket.get("shop/a") == Object(b"\x00\xff" * 500_000, version)

    def test_an_empty_object_is_an_object(self, bucket: Bucket) -> None:
        version = bucket.put("shop/a", b"")

        assert version is not None
        assert bucket.get("shop/a") == Object(b"", version)

    def test_an_object_is_made_once(self, bucket: Bucket) -> None:
        version = bucket.put("shop/a", b"first")

        assert bucket.put("shop/a", b"second") is None
        assert bucket.put("shop/a", b"first") is None
        assert bucket.get("shop/a") == Object(b"first", version or "")

    def test_an_object_is_replaced_by_whoever_saw_it(self, bucket: Bucket) -> None:
        first = bucket.put("shop/a", b"first")
        second = bucket.put("shop/a", b"second", over=first)

        assert second not in (None, first)
        assert bucket.put("shop/a", b"third", over=first) is None
        assert bucket.put("shop/b", b"third", over=first) is None
        assert bucket.get("shop/a") == Object(b"second", second or "")

    def test_of_many_who_make_one_object_one_does(self, bucket: Bucket) -> None:
        with ThreadPoolExecutor(RACERS) as pool:
            made = list(pool.map(lambda racer: bucket.put("shop/a", str(racer).encode()), range(RACERS)))

        winners = [racer for racer, version in enumerate(made) if version is not None]
        found = bucket.get("shop/a")
        assert found is not None
        assert [found.content] == [str(racer).encode() for racer in winners]

    def test_keys_are_listed_in_order_up_to_the_limit(self, bucket: Bucket) -> None:
        keys = ["shop/", "shop/a b", "shop/a/../b", "shop/a?c=d&e#f%2F", "shop/é", "shop/😀", "shops/a"]
        for key in reversed(keys):
            bucket.put(key, key.encode())

        assert [found.content for key in keys if (found := bucket.get(key))] == [key.encode() for key in keys]
        assert bucket.keys("shop/") == keys[:-1]
        assert bucket.keys("", limit=2) == keys[:2]
        assert bucket.keys("shop/", after=keys[3], limit=1) == [keys[4]]

    def test_an_object_that_was_deleted_is_gone(self, bucket: Bucket) -> None:
        bucket.put("shop/a", b"first")

        bucket.delete("shop/a")
        bucket.delete("shop/a")

        assert bucket.get("shop/a") is None
        assert bucket.keys("shop/") == []
        assert bucket.put("shop/a", b"again") is not None
