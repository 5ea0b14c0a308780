"""JSON that somebody outside wrote: its value, or why it has none, in our words."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

from contextful.kernel.text import storable


class NotJson(ValueError):
    """The text is no JSON; says why, and where."""


def parsed(content: str | bytes) -> Any:
    """The value of the text. Raises NotJson; NaN and the infinities are none."""
    try:
        text = content if isinstance(content, str) else content.decode()
        return json.loads(text, parse_constant=_no_constant, parse_float=_float)
    except NotJson:
        raise
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno}"
        raise NotJson(f"{error.msg} at {at}" if text.strip() else "it is empty") from None
    except UnicodeDecodeError as error:
        raise NotJson(f"it is not in UTF-8, at byte {error.start}") from None
    except RecursionError:
        raise NotJson("it is nested too deep") from None
    except ValueError:
        digits = sys.get_int_max_str_digits()
        raise NotJson(f"it has a whole number of more than {digits:,} digits") from None


def spelled(value: object, *, spaced: bool = False) -> str:
    """A value that has come from JSON, as JSON again: text as it reads, but for half characters."""
    separators = (", ", ": ") if spaced else (",", ":")
    text = json.dumps(value, ensure_ascii=False, separators=separators)
    return text if storable(text) else json.dumps(value, separators=separators)


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise NotJson(f"{digits:.40} is a number beyond any that can be held")
    return value


def _no_constant(name: str) -> None:
    raise NotJson(f"{name} has no place in it")
