"""A block of a manifest under inspection: what is read from it, what is wrong with it, and what nobody read.

A fault never ends the reading: a value stands in for what was wrong, so that one pass finds every fault.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import TypeVar, cast

from contextful.kernel import instant
from contextful.pipeline.locate import Path, Place
from contextful_contract.base import ContextfulError
from contextful_contract.errors import PipelineSpecInvalid, PipelineUnknownBlock, PipelineUnknownConfigKey

Value = TypeVar("Value")
Member = TypeVar("Member", bound=Enum)
PROJECT = "(any)"  # whom a fault of the project's own keys concerns
ANY = re.compile(r".*", re.DOTALL)
NOTHING: dict[str, object] = {}
BOUND_SAYS = 'must be a number, or a UTC instant such as "2026-03-01T00:00:00Z"'
STEP_SAYS = 'must be a whole number from 1, or a length of time such as "7d"'


class Faults:
    """What is wrong with a manifest, each refusal noted with the place that it is about."""

    def __init__(self, file: str, places: Mapping[Path, Place]) -> None:
        self._found: list[tuple[Place, ContextfulError]] = []
        self._file = file
        self._places = places

    @property
    def found(self) -> Sequence[ContextfulError]:
        """The refusals, as a reader of the file meets what they are about."""
        return [refusal for _, refusal in sorted(self._found, key=lambda each: (each[0].line, each[0].column))]

    def add(self, path: Path, refusal: ContextfulError, hint: str | None = None) -> None:
        """The refusal, of what stands at the path or of the nearest block around it."""
        while path not in self._places and path:
            path = path[:-1]
        place = self._places.get(path, Place(1, 1))
        refusal.add_note(f"{self._file}:{place.line}:{place.column}")
        if hint is not None:
            refusal.add_note(hint)
        self._found.append((place, refusal))


class Block:
    """The keys and values at a path. Each is read by its kind; what was never asked for is unknown."""

    def __init__(self, held: Mapping[str, object], path: Path, faults: Faults, pipeline: str = PROJECT) -> None:
        self._held = held
        self._path = path
        self._faults = faults
        self._asked: list[str] = []
        self.pipeline = pipeline

    def text(self, key: str, default: str, *, shape: re.Pattern[str] | None = None, says: str = "") -> str:
        """A text, of a shape that is said in words."""
        return self._read(key, default, lambda held: _text(held, shape, says))

    def optional(self, key: str) -> str | None:
        """A text, or none where the key is absent."""
        return self._read(key, None, lambda held: _text(held, None, ""))

    def required(self, key: str, *, shape: re.Pattern[str] | None = None, says: str = "") -> str:
        """A text that must be there."""
        if key not in self._held:
            self.fault(key, "is missing")
        return self.text(key, "", shape=shape, says=says)

    def checked(self, key: str, check: Callable[[str], None], *, shape: re.Pattern[str], says: str) -> str:
        """A text that must be there, of a shape that is said in words, and that passes a check."""

        def read(held: object) -> str:
            text = _text(held, shape, says)
            check(text)
            return text

        if key not in self._held:
            self.fault(key, "is missing")
        return self._read(key, "", read)

    def integer(self, key: str, default: int, low: int, high: int) -> int:
        """A whole number in a range."""

        def read(held: object) -> int:
            if type(held) is not int or not low <= held <= high:
                raise ValueError(f"must be a whole number from {low} to {high}")
            return held

        return self._read(key, default, read)

    def whole(self, key: str) -> int | None:
        """A whole number; none where something else stands there, which is for the caller to refuse."""
        held = self._held.get(key)
        self._asked.append(key)
        return held if type(held) is int else None

    def boolean(self, key: str, default: bool) -> bool:
        """True or false."""

        def read(held: object) -> bool:
            if not isinstance(held, bool):
                raise ValueError("must be true or false")
            return held

        return self._read(key, default, read)

    def span_ms(self, key: str, default: int, low: str, high: str) -> int:
        """A length of time such as `90s` or `7d`, in a range, in milliseconds."""
        low_ms, high_ms = instant.span_ms(low), instant.span_ms(high)
        assert low_ms is not None
        assert high_ms is not None

        def read(held: object) -> int:
            read_ms = instant.span_ms(held) if isinstance(held, str) else None
            if read_ms is None or not low_ms <= read_ms <= high_ms:
                raise ValueError(f'must be a length of time such as "90s", "15m", "6h" or "7d", from {low} to {high}')
            return read_ms

        return self._read(key, default, read)

    def bound(self, key: str, default: int | float | str | None) -> int | float | str | None:
        """A number or an instant: what a cursor may stand at."""

        def read(held: object) -> int | float | str:
            if isinstance(held, bool) or not isinstance(held, int | float | str) or held != held:
                raise ValueError(BOUND_SAYS)
            if isinstance(held, str) and instant.read(held) is None:
                raise ValueError(BOUND_SAYS)
            return held

        return self._read(key, default, read)

    def step(self, key: str) -> int | str | None:
        """A whole number, or a length of time; none where it is absent."""

        def read(held: object) -> int | str:
            measured = instant.span_ms(held) if isinstance(held, str) else held
            if isinstance(held, bool) or not isinstance(held, int | str) or not isinstance(measured, int):
                raise ValueError(STEP_SAYS)
            if measured < 1:
                raise ValueError(STEP_SAYS)
            return held

        return self._read(key, None, read)

    def choice(self, key: str, default: Member) -> Member:
        """One of an enumeration's values."""
        return self._read(key, default, lambda held: member(type(default), held))

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """A text, or a list of them."""

        def read(held: object) -> tuple[str, ...]:
            items = [held] if isinstance(held, str) else held
            if not isinstance(items, list) or not items or not all(isinstance(item, str) and item for item in items):
                raise ValueError("must be a text or a list of texts, not empty")
            return tuple(items)

        return self._read(key, default, read)

    def values(self, key: str) -> tuple[str | int | float | bool, ...]:
        """A list of plain values that must be there."""

        def read(held: object) -> tuple[str | int | float | bool, ...]:
            if not isinstance(held, list) or not held or not all(isinstance(item, str | int | float) for item in held):
                raise ValueError("must be a list of texts, numbers and truth values, not empty")
            return tuple(held)

        if key not in self._held:
            self.fault(key, "is missing")
        return self._read(key, (), read)

    def members(self, key: str, kind: type[Member], default: tuple[Member, ...]) -> tuple[Member, ...]:
        """A list of an enumeration's values."""

        def read(held: object) -> tuple[Member, ...]:
            if not isinstance(held, list):
                raise ValueError("must be a list")
            return tuple(member(kind, item) for item in held)

        return self._read(key, default, read)

    def mapping(
        self, key: str, item: Callable[[object], Value], *, named: re.Pattern[str] = ANY, says: str = ""
    ) -> Mapping[str, Value]:
        """A table of further names, of a shape that is said in words, each with a value of one kind."""
        held = self._read(key, NOTHING, _mapping)
        inner = Block(held, (*self._path, key), self._faults, self.pipeline)
        for name in held:
            if not named.fullmatch(name):
                inner.fault(name, f"is no name here: it must be {says}")
        read = {name: inner._read(name, None, item) for name in held}
        return {name: value for name, value in read.items() if value is not None}

    def block(self, key: str) -> Block:
        """A block within; an empty one where there is none."""
        held = self._read(key, NOTHING, _mapping)
        return Block(held, (*self._path, key), self._faults, self.pipeline)

    def blocks(self, key: str) -> Mapping[str, Block]:
        """A table of further names, each with a block."""
        held = self._read(key, NOTHING, _mapping)
        inner = Block(held, (*self._path, key), self._faults, self.pipeline)
        return {name: inner.block(name) for name in held}

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        self._asked.append(key)
        return key in self._held

    def items(self, key: str) -> Sequence[Block | str]:
        """A list of blocks and bare texts."""

        def read(held: object) -> list[object]:
            if not isinstance(held, list) or not all(isinstance(item, dict | str) for item in held):
                raise ValueError("must be a list of names and blocks")
            return held

        found = self._read(key, list[object](), read)
        return [
            Block(item, (*self._path, key, at), self._faults, self.pipeline) if isinstance(item, dict) else str(item)
            for at, item in enumerate(found)
        ]

    def fault(self, key: str, reason: str) -> None:
        """The key's value cannot be used."""
        refusal = PipelineSpecInvalid(pipeline=self.pipeline, key=self._name(key), reason=reason)
        self.refuse(refusal, key)  ##= run.declare.invalid

    def refuse(self, refusal: ContextfulError, *path: str | int) -> None:
        """A refusal of its own about what stands at a path within."""
        self._faults.add((*self._path, *path), refusal)

    def end(self) -> None:
        """Everything that this block may hold has been asked for."""
        for key in self._held:
            if key in self._asked:
                continue
            close = difflib.get_close_matches(key, self._asked, n=1)
            known = ", ".join(sorted(self._asked))
            hint = f"did you mean {close[0]}?" if close else f"known here: {known}"
            refusal = (
                PipelineUnknownConfigKey(pipeline=self.pipeline, key=self._name(key))  ##= run.declare.unknown-key
                if self._path
                else PipelineUnknownBlock(block=key)  ##= run.declare.unknown-block
            )
            self._faults.add((*self._path, key), refusal, hint)

    def _read(self, key: str, default: Value, read: Callable[[object], Value]) -> Value:
        self._asked.append(key)
        if key not in self._held:
            return default
        try:
            return read(self._held[key])
        except ValueError as error:
            self.fault(key, str(error))
            return default

    def _name(self, key: str) -> str:
        """The key as one would say it: its blocks from the pipeline down, without the pipeline's own number."""
        names = [part for part in (*self._path, key) if isinstance(part, str)]
        return ".".join(names[1:] if names[0] == "pipeline" and len(names) > 1 else names)


def member(kind: type[Member], held: object) -> Member:
    """The member of an enumeration that a value spells."""
    for one in kind:
        if one.value == held:
            return one
    raise ValueError(f"must be one of {', '.join(repr(str(one.value)) for one in kind)}")


def _text(held: object, shape: re.Pattern[str] | None, says: str) -> str:
    if not isinstance(held, str) or not held:
        raise ValueError("must be a text, not empty")
    if shape is not None and not shape.fullmatch(held):
        raise ValueError(f"must be {says}")
    return held


def _mapping(held: object) -> dict[str, object]:
    if not isinstance(held, dict):
        raise ValueError("must be a block of keys")
    return cast(dict[str, object], held)
