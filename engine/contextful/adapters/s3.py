"""Objects in a bucket that speaks S3: made under `If-None-Match: *`, replaced under `If-Match` with the ETag seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from obstore import exceptions
from obstore.store import S3Store

from contextful.adapters import bucket_keys
from contextful.kernel.failure import StorageFailed
from contextful.ports.bucket import Object

TIMES: Any = {"timeout": "60s", "connect_timeout": "5s"}
RETRIES: Any = {"max_retries": 2, "retry_timeout": timedelta(seconds=20)}


@dataclass(frozen=True, slots=True)
class Place:
    """Which bucket it is and how it is reached; what is left out, the standard variables `AWS_…` say."""

    bucket: str
    prefix: str = ""
    endpoint: str | None = None
    region: str | None = None
    access_key_id: str | None = None
    secret_access_key: str | None = None
    session_token: str | None = None


class S3Bucket:
    """The objects under one prefix of one bucket."""

    def __init__(self, place: Place) -> None:
        given: dict[str, Any] = {
            "endpoint": place.endpoint,
            "region": place.region or "auto",
            "access_key_id": place.access_key_id,
            "secret_access_key": place.secret_access_key,
            "session_token": place.session_token,
        }
        config: Any = {name: value for name, value in given.items() if value is not None}
        client: Any = {**TIMES, "allow_http": (place.endpoint or "").startswith("http://")}
        self._name = f"bucket {place.bucket}"
        with self._asked():
            self._store = S3Store(
                place.bucket,
                prefix=place.prefix or None,
                config=config,
                client_options=client,
                retry_config=RETRIES,
            )

    def get(self, key: str) -> Object | None:
        """The object under the key."""
        with self._asked():
            try:
                found = self._store.get(bucket_keys.spelled(key))
                content = bytes(found.bytes())
            except (FileNotFoundError, exceptions.NotFoundError):
                return None
        return Object(content, self._version(found.meta["e_tag"]))

    def put(self, key: str, content: bytes, *, over: str | None = None) -> str | None:
        """Write where no object stands, or over the version given; the version it has now, none if another stands.

        Where an answer is lost and the write is sent again, its own object may be found to stand.
        """
        mode: Any = "create" if over is None else {"e_tag": over}
        with self._asked():
            try:
                made = self._store.put(bucket_keys.spelled(key), content, mode=mode, use_multipart=False)
            except (FileNotFoundError, exceptions.NotFoundError):
                return None
            except (exceptions.AlreadyExistsError, exceptions.PreconditionError):
                return None
        return self._version(made["e_tag"])

    def keys(self, prefix: str, *, after: str = "", limit: int = 1_000) -> Sequence[str]:
        """The keys that begin so and come after that one, in the order of their code points."""
        with self._asked():
            found = [bucket_keys.read(each["path"]) for page in self._store.list() for each in page]
        return sorted(key for key in found if key.startswith(prefix) and key > after)[:limit]

    def delete(self, key: str) -> None:
        """Drop the object, if there is one."""
        with self._asked():
            self._store.delete(bucket_keys.spelled(key))

    def _version(self, etag: str | None) -> str:
        if not etag:
            raise StorageFailed(f"{self._name} gives its objects no ETag, by which a write could be made conditional")
        return etag

    @contextmanager
    def _asked(self) -> Iterator[None]:
        """What the bucket refuses, or does not answer, is a failure of storage."""
        try:
            yield
        except exceptions.BaseError as error:
            raise StorageFailed(f"{self._name} did not do what it was asked: {_said(error)}") from None


def _said(error: Exception) -> str:
    """The first line of what the library says: what follows it is for those who debug it."""
    return str(error).strip().splitlines()[0][:500]
