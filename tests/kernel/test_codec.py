"""Recorded bytes: what comes back, and what is refused."""

import datetime as dt
import enum
import json
import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextful.kernel import codec
from contextful_contract.shapes import FailureTag


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


@dataclass(frozen=True, slots=True)
class Card:
    number: str
    limits: tuple[int, ...] = ()


@dataclass
class Loud:
    name: str
    shout: str = field(init=False)

    def __post_init__(self) -> None:
        self.shout = self.name.upper()


class Point(NamedTuple):
    x: int


BERLIN = ZoneInfo("Europe/Berlin")
CAME_BACK = {
    "none": None,
    "true": True,
    "zero": 0,
    "an integer past 64 bits": 2**64,
    "an integer past the interpreter's decimal limit": -(10**6_000),
    "the least 64-bit integer": -(2**63),
    "a float": 0.1,
    "a float that looks like an integer": 1.0,
    "minus zero": -0.0,
    "infinity": math.inf,
    "the smallest float": 5e-324,
    "text": "naïve 🙂",
    "text with NUL": "a\x00b",
    "text with a line separator": "a\u2028b",
    "a lone surrogate": "\ud800",
    "two surrogates that are no pair": "\ud83d\ude00",
    "bytes": b"\x00\xff",
    "a bytearray": bytearray(b"ab"),
    "a tuple": (1, (2,), []),
    "a set": {1, "a", (2, 3)},
    "a frozenset": frozenset({b"x"}),
    "a dict": {"b": 1, "a": [None]},
    "a dict with other keys": {1: "a", (2,): "b", None: "c"},
    "a dict that looks like a tag": {"$tuple": [1]},
    "a dict that looks like a tag and more": {"$tuple": 1, "b": 2},
    "a decimal": Decimal("1.10"),
    "an infinite decimal": Decimal("-Infinity"),
    "a UUID": UUID(int=7),
    "a date": dt.date(2026, 3, 1),
    "a time": dt.time(1, 2, 3, 4),
    "a naive instant": dt.datetime(2026, 3, 1, 1, 2, 3, 4),
    "an instant in UTC": dt.datetime(2026, 3, 1, tzinfo=dt.UTC),
    "an instant at an offset": dt.datetime(2026, 3, 1, tzinfo=dt.timezone(dt.timedelta(hours=5, minutes=30))),
    "an instant in a zone, the second time": dt.datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=BERLIN),
    "a span": dt.timedelta(days=-1, microseconds=1),
    "an enumeration": Colour.RED,
    "an enumeration of integers": Level.HIGH,
    "a dataclass": Card("4242", (1, 2)),
    "a dataclass that makes its own fields": Loud("ada"),
}


@pytest.mark.parametrize("value", CAME_BACK.values(), ids=CAME_BACK.keys())
def test_a_value_comes_back_equal_and_of_its_type(value: object) -> None:
    back = codec.decode(codec.encode(value))

    assert (type(back), back, codec.canonical(back)) == (type(value), value, codec.canonical(value))


def test_nan_comes_back_as_nan() -> None:
    back = codec.decode(codec.encode({"mean": math.nan}))

    assert isinstance(back, dict)
    assert math.isnan(back["mean"])


def test_an_instant_keeps_its_second_time() -> None:
    value = CAME_BACK["an instant in a zone, the second time"]
    back = codec.decode(codec.encode(value))

    assert isinstance(back, dt.datetime)
    assert (back.fold, back.utcoffset()) == (1, dt.timedelta(hours=1))


def test_the_order_of_keys_comes_back() -> None:
    back = codec.decode(codec.encode({"b": 1, "a": 2}))

    assert isinstance(back, dict)
    assert list(back) == ["b", "a"]


cycle: list[object] = []
cycle.append(cycle)
branching: list[object] = []
branching += [branching] * 9
deep: list[object] = []
for _ in range(300):
    deep = [deep]

REFUSED = {
    "an object": ({"a": [object()]}, "value['a'][0]"),
    "a generator": ((n for n in []), "value"),
    "a subclass of dict": (OrderedDict(a=1), "value"),
    "a named tuple": ([Point(1)], "value[0]"),
    "a subclass of int": ({"n": type("N", (int,), {})(1)}, "value['n']"),
    "a function": ([print], "value[0]"),
    "a local class's instance": (dataclass(type("Local", (), {"__annotations__": {}}))(), "value"),
    "a value that holds itself": (cycle, "value" + "[0]" * 200),
    "a value that holds itself often": (branching, "value" + "[0]" * 200),
    "a value nested too deep": (deep, "value" + "[0]" * 200),
    "a named zone": (dt.datetime(2026, 1, 1, tzinfo=dt.timezone(dt.timedelta(0), "Zulu")), "value"),
}


@pytest.mark.parametrize(("value", "path"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_come_back_is_refused_with_its_path(value: object, path: str) -> None:
    with pytest.raises(codec.Unrecordable) as refusal:
        codec.encode(value)

    assert refusal.value.path == path


SAME_INPUT = {
    "keys in another order": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "other keys in another order": ({1: 1, 2: 2}, {2: 2, 1: 1}),
    "a set built in another order": ({"x", "y", "z"}, {"z", "y", "x"}),
    "NaN and NaN": (math.nan, float("nan")),
}
OTHER_INPUT = {
    "1 and 1.0": (1, 1.0),
    "1 and True": (1, True),
    "0.0 and minus zero": (0.0, -0.0),
    "a list and a tuple": ([1], (1,)),
    "NFC and NFD": ("\u00e9", "e\u0301"),
    "text and bytes": ("a", b"a"),
    "one instant in two zones": (
        dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        dt.datetime(2026, 1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1))),
    ),
    "1.0 and 1.00": (Decimal("1.0"), Decimal("1.00")),
}


@pytest.mark.parametrize(("one", "other"), SAME_INPUT.values(), ids=SAME_INPUT.keys())
def test_inputs_that_no_step_can_tell_apart_are_one(one: object, other: object) -> None:
    assert codec.canonical(one) == codec.canonical(other)


@pytest.mark.parametrize(("one", "other"), OTHER_INPUT.values(), ids=OTHER_INPUT.keys())
def test_inputs_that_a_step_can_tell_apart_are_two(one: object, other: object) -> None:
    assert codec.canonical(one) != codec.canonical(other)


leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.text(st.characters(categories=["Cs"]))
    | st.binary()
    | st.decimals(allow_nan=False)
    | st.datetimes()
    | st.timedeltas()
)
keys = st.text() | st.integers() | st.tuples(st.text())
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner) | st.dictionaries(keys, inner) | st.lists(inner).map(tuple),
    max_leaves=20,
)


@given(values)
def test_any_value_comes_back(value: object) -> None:
    back = codec.decode(codec.encode(value))

    assert (back, codec.canonical(back)) == (value, codec.canonical(value))


class Permission(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass
class Node:
    inner: object = None


@dataclass
class Page(list[int]):
    number: int


@dataclass
class Trouble(Exception):
    code: int


class Roomy:
    __slots__ = ("extra",)


@dataclass
class Furnished(Roomy):
    name: str


@dataclass
class Forged:
    name: str

    def __getattribute__(self, name: str) -> object:
        return "another" if name == "name" else object.__getattribute__(self, name)


@dataclass(eq=False)
class Alone:
    name: str


def furnished() -> Furnished:
    value = Furnished("sofa")
    value.extra = 1
    return value


def unset() -> Card:
    return object.__new__(Card)


def nested(depth: int) -> Node:
    value = Node()
    for _ in range(depth):
        value = Node(value)
    return value


UNRECORDABLE = {
    "flags together": (lambda: [Permission.READ | Permission.WRITE], "value[0]"),
    "no flag": (lambda: Permission(0), "value"),
    "a dataclass that is a list": (lambda: [Page(1)], "value[0]"),
    "a dataclass that is an error": (lambda: Trouble(1), "value"),
    "a slot that no field has": (furnished, "value.extra"),
    "a field that is not set": (lambda: {"card": unset()}, "value['card'].number"),
    "a class of no module": (lambda: dataclass(type("Lost", (), {"__module__": ""}))(), "value"),
}


@pytest.mark.parametrize(("make", "path"), UNRECORDABLE.values(), ids=UNRECORDABLE.keys())
def test_what_a_class_would_not_bring_back_is_refused_with_its_path(make: Callable[[], object], path: str) -> None:
    with pytest.raises(codec.Unrecordable) as refusal:
        codec.encode(make())

    assert refusal.value.path == path


def test_a_value_whose_code_raises_is_refused() -> None:
    class Raising(enum.Enum):
        ONE = 1

        @property
        def name(self) -> str:
            raise KeyError

    with pytest.raises(codec.Unrecordable, match="KeyError"):
        codec.encode([Raising.ONE])


def test_a_value_near_the_depth_that_is_allowed_comes_back() -> None:
    value = nested(codec.DEPTH_MAX - 1)

    assert codec.canonical(codec.decode(codec.encode(value))) == codec.canonical(value)


def test_what_is_recorded_is_what_a_dataclass_holds_and_not_what_it_says() -> None:
    back = codec.decode(codec.encode(Forged("ada")))

    assert object.__getattribute__(back, "name") == "ada"


def test_a_dataclass_that_equals_no_other_comes_back() -> None:
    back = codec.decode(codec.encode([Alone("ada")]))

    assert isinstance(back, list)
    assert back[0].name == "ada"


GONE = {
    "a module that is gone": {"$enum": ["shop.gone:Colour", "RED"]},
    "a class that is gone": {"$dataclass": [f"{__name__}:Gone", {}]},
    "a class that is none any more": {"$dataclass": [f"{__name__}:BERLIN", {}]},
    "other fields": {"$dataclass": [f"{__name__}:Card", {"number": "1"}]},
    "a name that is gone": {"$enum": [f"{__name__}:Colour", "BLUE"]},
    "an enumeration that is none any more": {"$enum": [f"{__name__}:Card", "RED"]},
}


DAMAGED = [
    b"",
    b"{",
    b'{"$tuple": 1}',
    b'{"$bytes": "\xff"}',
    b'{"$datetime": ["2026-01-01T00:00:00", 0, "Mars/Base"]}',
]


@pytest.mark.parametrize("recorded", DAMAGED, ids=repr)
def test_what_is_damaged_is_refused(recorded: bytes) -> None:
    with pytest.raises(codec.Unreadable):
        codec.decode(recorded)


@pytest.mark.parametrize("written", GONE.values(), ids=GONE.keys())
def test_a_value_whose_class_is_not_what_it_was_is_refused_by_name(written: dict[str, list[object]]) -> None:
    (inner,) = written.values()

    with pytest.raises(codec.Unreadable) as refusal:
        codec.decode(json.dumps([written]).encode())

    assert str(inner[0]) in str(refusal.value)
    assert refusal.value.failure.tag is FailureTag.CONFIG
