"""What a name of the contract is called in Python."""

from __future__ import annotations

import keyword
import re

from codegen.model import Limit

FACTORS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
FACTORS_MS = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
_RESERVED_FIELDS = {"args", "clause", "sentence", "http_status", "exit_code", "add_note", "with_traceback"}


def constant(limit: Limit) -> str:
    """The constant of a limit: its name, then what it counts, once."""
    unit = limit.unit.value
    suffix = "BYTES" if unit in FACTORS else "MS" if unit in FACTORS_MS else unit.upper()
    name = limit.name.value.upper().replace("-", "_")
    return name if name.endswith(f"_{suffix}") else f"{name}_{suffix}"


def normalized(limit: Limit) -> int | None:
    """The limit in bytes, milliseconds or as it is counted; None where that is no whole number."""
    unit = limit.unit.value
    whole, _, part = limit.value.value.partition(".")
    value, rest = divmod(int(whole + part) * (FACTORS | FACTORS_MS).get(unit, 1), 10 ** len(part))
    return None if rest else value


def member(value: str) -> str:
    """The name of a value: `PARTIAL_FAILURE`, `OPAQUE_TOKEN`, `RATE_LIMITED`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", value)
    name = re.sub(r"[^A-Za-z0-9]+", "_", words).strip("_").upper()
    return f"V_{name}" if name[:1].isdigit() else name


def attribute(column: str) -> str:
    """The property that a further column of an enumeration becomes."""
    return re.sub(r"[ -]", "_", column)


def stem(id_: str) -> str:
    """The stem of a clause's test names: `run.retry.not-before` is `run__retry__not_before`."""
    return id_.replace("-", "_").replace(".", "__")


def scenario(clause: str, number: int) -> str:
    """The name that a clause's scenario has everywhere: `run__retry__not_before__s2`."""
    return f"{stem(clause)}__s{number}"


def module(operation: str) -> str:
    """The stem of an operation's test module: `run.callback-guard` is `run_callback_guard`."""
    return re.sub("[.-]", "_", operation)


def field(key: str) -> str:
    """The attribute for a key of JSON: the same, but `class_` for `class` and its like."""
    return f"{key}_" if keyword.iskeyword(key) else key


def is_refusal_field(name: str) -> bool:
    """Whether a refusal can have a field of this name, beside what its base has."""
    return not keyword.iskeyword(name) and name not in _RESERVED_FIELDS
