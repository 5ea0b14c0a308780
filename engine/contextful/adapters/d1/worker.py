"""What the Worker is asked and answers, in terms of statements and bytes.

Numbers cross as text, for JavaScript's have 53 bits. Text crosses without NUL, and bytes in base 64.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import quote

import msgspec

from contextful.adapters import nul
from contextful.adapters.d1.wire import Answer, Unanswered, Wire
from contextful.adapters.sql import Statement
from contextful.kernel.failure import StorageFailed
from contextful.kernel.table import Kind, Row, Scalar, Table
from contextful.ports.bucket import Object
from contextful_contract import limits
from contextful_contract.errors import StorageBindingUnavailable

PROTOCOL = 1
PARAMETERS_MAX = 100
STATEMENT_BYTES_MAX = 100_000
VALUE_BYTES_MAX = 2_000_000
KEYS_MAX = 1_000
INTEGERS = range(-(2**63), 2**63)
OK, NOTHING, SERVER_FAULT = 200, 204, 500
Told = TypeVar("Told")


class _Base64(msgspec.Struct):
    base64: str


class _Asked(msgspec.Struct):
    sql: str
    parameters: list[str | _Base64 | None]


class _Found(msgspec.Struct):
    rows: list[list[str | None]]


class _Done(msgspec.Struct):
    changed: list[int] = []
    refused: bool = False


class _Health(msgspec.Struct):
    protocol: int
    missing: list[str]


class _Anything(msgspec.Struct):
    """It was done, and nobody asks how."""


class _Written(msgspec.Struct):
    version: str | None


class _Keys(msgspec.Struct):
    keys: list[str]
    more: bool


class _Fault(msgspec.Struct):
    error: str


class Worker:
    """One Worker, and the database and the bucket that it is bound to."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.name = wire.name

    def lacks(self) -> Sequence[str]:
        """What the Worker would need and does not have."""
        health = self._told(self._wire.again("GET", "/health"), _Health)
        return health.missing if health.protocol == PROTOCOL else [f"Worker that speaks protocol {PROTOCOL}"]

    def read(self, statement: Statement) -> list[list[str | None]]:
        """The rows that the statement finds."""
        return self._told(self._wire.again("POST", "/read", self._spelled(_asked(statement))), _Found).rows

    def initialize(self, statements: Sequence[Statement]) -> None:
        """Have the database do all of the statements, which leave what they left if they are done again."""
        content = self._spelled([_asked(statement) for statement in statements])
        self._told(self._wire.again("POST", "/batch", content), _Done)  ##= run.journal.d1-initialize

    def batch(self, statements: Sequence[Statement]) -> bool:
        """Have the database do all of the statements, or none where one of them is not as expected."""
        content = self._spelled([_asked(statement) for statement in statements])
        try:
            answer = self._wire.once("POST", "/batch", content)
            if answer.status >= SERVER_FAULT:
                raise Unanswered(_fault(answer))  # whoever says it does not know what was done
            done = self._told(answer, _Done)
        except Unanswered as lost:
            ##= run.journal.d1-transport
            raise StorageBindingUnavailable(binding=self.name, statement=statements[-1].sql) from lost
        return not done.refused and all(
            changed == 1 or not statement.exact for changed, statement in zip(done.changed, statements, strict=True)
        )

    def put(self, sha256: str, content: bytes) -> None:
        """Have the bucket keep the bytes under their digest, if it holds none there."""
        self._told(self._wire.again("PUT", f"/blobs/{sha256}", content), _Anything)

    def get(self, sha256: str) -> bytes | None:
        """The bytes that the bucket holds under the digest."""
        answer = self._wire.again("GET", f"/blobs/{sha256}")
        if answer.status == NOTHING:
            return None
        self._admitted(answer)
        return answer.content

    def delete(self, sha256: str, right: Statement) -> None:
        """Have the bucket drop what it holds under the digest, if the statement still finds a row."""
        self._told(self._wire.again("DELETE", f"/blobs/{sha256}", self._spelled(_asked(right))), _Anything)

    def object(self, key: str) -> Object | None:
        """The object that the bucket holds under the key."""
        answer = self._wire.again("GET", f"/object?key={_quoted(key)}")
        if answer.status == NOTHING:
            return None
        self._admitted(answer)
        return Object(answer.content, answer.version)

    def write(self, key: str, content: bytes, over: str | None) -> str | None:
        """Have the bucket hold the bytes in the place of that version, or of none; their version, if it does.

        Where an answer is lost, the next one may say that others stand which are these.
        """
        condition = {"If-None-Match": "*"} if over is None else {"If-Match": over}
        path, lost = f"/object?key={_quoted(key)}", False
        for _ in range(limits.D1_TRANSPORT_ATTEMPTS):
            try:
                version = self._told(self._wire.once("PUT", path, content, condition), _Written).version
            except Unanswered as error:
                lost, last = True, error
                continue
            if version is None and lost:
                standing = self.object(key)
                return standing.version if standing is not None and standing.content == content else None
            return version
        raise StorageFailed(f"{self.name} did not say whether it wrote {key}: {last}")

    def keys(self, prefix: str, after: str, limit: int) -> list[str]:
        """The keys of the bucket that begin so, after that one, in their order."""
        keys: list[str] = []
        while len(keys) < limit:  # ends: each answer but the last has a key
            asked = f"prefix={_quoted(prefix)}&after={_quoted(after)}&limit={min(limit - len(keys), KEYS_MAX)}"
            page = self._told(self._wire.again("GET", f"/keys?{asked}"), _Keys)
            keys += page.keys
            if not page.more or not page.keys:
                break
            after = page.keys[-1]
        return keys

    def drop(self, key: str) -> None:
        """Have the bucket hold nothing under the key."""
        self._told(self._wire.again("DELETE", f"/object?key={_quoted(key)}"), _Anything)

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def _spelled(self, asked: _Asked | list[_Asked]) -> bytes:
        try:
            return msgspec.json.encode(asked)
        except UnicodeEncodeError as error:
            raise StorageFailed(f"{self.name} cannot hold what it was given: {error}") from None

    def _told(self, answer: Answer, kind: type[Told]) -> Told:
        self._admitted(answer)
        try:
            return msgspec.json.decode(answer.content, type=kind)
        except msgspec.DecodeError as error:
            raise StorageFailed(f"{self.name} answered what no Worker of contextful does: {error}") from None

    def _admitted(self, answer: Answer) -> None:
        if answer.status != OK:
            raise StorageFailed(f"{self.name} refused: {_fault(answer)}")


def _quoted(text: str) -> str:
    return quote(text, safe="")


def row(table: Table, told: Sequence[str | None]) -> Row:
    """The row that a read of all of the table's columns found."""
    return {name: _value(kind, text) for (name, kind), text in zip(table.columns.items(), told, strict=True)}


def _value(kind: Kind, text: str | None) -> Scalar:
    if text is None:
        return None
    match kind:
        case Kind.TEXT:
            return nul.unescaped(text)
        case Kind.INTEGER:
            return int(text)
        case Kind.BYTES:
            return b64decode(text)


def _asked(statement: Statement) -> _Asked:
    """The statement as it goes out, if D1 takes it."""
    if len(statement.parameters) > PARAMETERS_MAX:
        raise StorageFailed(
            f"D1 takes {PARAMETERS_MAX} parameters, not {len(statement.parameters)}: {statement.sql:.200}"
        )
    if len(statement.sql) > STATEMENT_BYTES_MAX:
        raise StorageFailed(
            f"D1 takes statements of {STATEMENT_BYTES_MAX} bytes, not {len(statement.sql)}: {statement.sql:.200}"
        )
    return _Asked(statement.sql, [_parameter(given) for given in statement.parameters])


def _parameter(given: Scalar) -> str | _Base64 | None:
    match given:
        case None:
            return None
        case str():
            return nul.escaped(given)
        case int():
            if given not in INTEGERS:
                raise StorageFailed(f"D1 takes numbers of 64 bits, not {given}")
            return str(given)
        case bytes():
            return _Base64(b64encode(given).decode())


def _fault(answer: Answer) -> str:
    try:
        return f"{msgspec.json.decode(answer.content, type=_Fault).error} (status {answer.status})"
    except msgspec.DecodeError:
        return f"status {answer.status} {answer.content[:200]!r}"
