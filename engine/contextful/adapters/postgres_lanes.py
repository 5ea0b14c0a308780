"""A few connections to one PostgreSQL database, opened when they are needed, and anew where they were lost."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, LifoQueue
from typing import cast

import psycopg
from psycopg import conninfo
from psycopg.types.numeric import Int8BinaryDumper
from psycopg.types.string import StrBinaryDumper, TextBinaryLoader

from contextful.adapters import nul
from contextful.kernel.failure import StorageFailed

LANES_MAX = 8
BUSY_MS = 30_000  # how long a row, or every lane, may be held by others
PAUSES_MS = (0, 50, 100, 200, 400, 800, 1_600, 3_200, 5_000)  # a database that restarts is back within these
PREPARED_MAX = 256
DEFAULTS = {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
# A lane whose client is gone gives its locks back; one that promises to survive a power loss waits for the disk.
SESSION = f"""
    SELECT gen_random_uuid()::text,
        set_config('lock_timeout', '{BUSY_MS}', false),
        set_config('idle_in_transaction_session_timeout', '10000', false),
        CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END
""".encode()


class Lost(Exception):
    """The connection broke while it was in use."""


@dataclass(slots=True)
class Lane:
    """A connection, the slot under which it marks its commits, and how many it has begun."""

    connection: psycopg.Connection
    slot: str
    begun: int = 0


class Lanes:
    """At most so many connections; whoever finds all of them in use waits, for as long as they may be busy."""

    def __init__(
        self,
        address: str,
        pauses_ms: Sequence[int] = PAUSES_MS,
        *,
        lanes_max: int = LANES_MAX,
        busy_ms: int = BUSY_MS,
    ) -> None:
        self._pauses_ms = pauses_ms
        self._lanes_max = lanes_max
        self._busy_ms = busy_ms
        try:
            self._address = {**DEFAULTS, **conninfo.conninfo_to_dict(address), "client_encoding": "utf8"}
        except psycopg.ProgrammingError:  # its text quotes the address, and with it the password
            raise StorageFailed("the address of the PostgreSQL database cannot be read") from None
        self.name = _named(self._address)
        self._idle: LifoQueue[Lane | None] = LifoQueue()
        for _ in range(lanes_max - 1):
            self._idle.put(None)  # not opened yet: the queue hands out what was used last
        try:
            self._idle.put(self._opened())
        except psycopg.Error as error:
            raise self.failed("reached", error) from error

    def failed(self, asked: str, why: object) -> StorageFailed:
        """The refusal that names the database, and never its password."""
        return StorageFailed(f"{self.name} cannot be {asked}: {why}")

    @contextmanager
    def lane(self) -> Iterator[Lane]:
        """A lane of one's own. One that raises is closed, for what state it was left in is not known."""
        kept = None
        try:
            lane = self._idle.get(timeout=self._busy_ms / 1_000)
        except Empty:
            raise self.failed("used", f"all {self._lanes_max} connections are held") from None
        try:
            lane = lane or self._patiently_opened()
            yield lane
            kept = lane
        except psycopg.Error as error:
            if lane is not None and lane.connection.broken:
                raise Lost(str(error)) from error
            raise
        finally:
            if kept is None and lane is not None:
                lane.connection.close()
            self._idle.put(kept)

    def close(self) -> None:
        """Close every lane. Whoever holds one is served first."""
        for _ in range(self._lanes_max):
            lane = self._idle.get()
            if lane is not None:
                lane.connection.close()

    def _patiently_opened(self) -> Lane:
        """A lane to a database that may be starting again."""
        for pause_ms in self._pauses_ms:
            threading.Event().wait(pause_ms / 1_000)
            try:
                return self._opened()
            except psycopg.OperationalError as error:
                last = error
        raise self.failed("reached", last) from last

    def _opened(self) -> Lane:
        connection = psycopg.connect(**self._address, autocommit=True, prepare_threshold=0)  # type: ignore[arg-type]
        connection.prepared_max = PREPARED_MAX
        connection.adapters.register_dumper(int, Int8BinaryDumper)  # of one type whatever its size: prepared once
        connection.adapters.register_dumper(str, _TextDumper)
        connection.adapters.register_loader("text", _TextLoader)
        slot = connection.execute(SESSION).fetchone()
        assert slot is not None, "a select of constants has one row"
        return Lane(connection, cast(str, slot[0]))


class _TextDumper(StrBinaryDumper):
    def dump(self, obj: str) -> bytes | bytearray | memoryview | None:
        return super().dump(nul.escaped(obj))


class _TextLoader(TextBinaryLoader):
    def load(self, data: bytes | bytearray | memoryview) -> bytes | str:
        return nul.unescaped(cast(str, super().load(data)))


def _named(address: Mapping[str, object]) -> str:
    host = address.get("host") or os.environ.get("PGHOST") or "the default host"
    database = address.get("dbname") or os.environ.get("PGDATABASE") or "of the user's name"
    return f"PostgreSQL database {database} at {host}"
