"""authority.redact: a table's removal rules, and what they leave of a value."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from contextful.authority import mask
from contextful_contract import limits
from contextful_contract.errors import EnforceRedactionInvalid
from contextful_contract.shapes import RedactionOperation, RedactionRule

Removal = Callable[[Any], Any]
REDACTED = "[REDACTED:{}]"
CODES_BYTES = 4  # what a compiled pattern takes for each of its codes


def admit(table: str, rules: Sequence[RedactionRule]) -> None:
    """See that the rules can be used."""
    ##= authority.redact.bounds
    if len(rules) > limits.REDACTION_RULES_ENTRIES:
        raise _invalid(table, f"for there are {len(rules)} rules, and {limits.REDACTION_RULES_ENTRIES} are too many")
    compiled = 0
    for rule in rules:
        if rule.operation is RedactionOperation.REPLACE and not rule.argument:
            raise _invalid(table, f"for replacing {rule.column} takes an argument, which is written in its stead")
        if rule.operation is RedactionOperation.HASH and rule.match is not None:
            raise _invalid(table, f"for {rule.column} is hashed as a whole, and has a pattern")
        if rule.match is not None:
            compiled += _size(table, rule)
    if compiled > limits.REDACTION_MATCHER_BYTES:
        raise _invalid(table, f"for its patterns compile to {compiled} bytes")


def removals(rules: Sequence[RedactionRule], pepper: bytes | None) -> Mapping[str, Removal]:
    """What becomes of a column's values, by its name in lower case, as SQL compares it: one rule after the other."""
    found: dict[str, Removal] = {}
    for rule in rules:
        column, then = rule.column.lower(), _removal(rule, pepper)
        found[column] = _after(found[column], then) if column in found else then
    return found


def hashes(rules: Sequence[RedactionRule]) -> bool:
    """Whether a pepper is needed."""
    return any(rule.operation is RedactionOperation.HASH for rule in rules)


def changes(rules: Sequence[RedactionRule], text: str) -> bool:
    """Whether a rule would change the text, were it a value of the rule's column."""
    return any(rule.match is not None and re.search(rule.match, text) for rule in rules)


def _removal(rule: RedactionRule, pepper: bytes | None) -> Removal:
    pattern = None if rule.match is None else re.compile(rule.match)
    ##= authority.redact.declaration
    match rule.operation:
        case RedactionOperation.HASH:
            assert pepper is not None, "nothing opens that hashes, and has no pepper"
            return partial(mask.digest, pepper=pepper)
        case RedactionOperation.DROP:
            return _nothing if pattern is None else partial(_dropped, pattern)
        case RedactionOperation.REPLACE:
            return partial(_replaced, pattern, REDACTED.format(rule.argument))


def _nothing(_: object) -> None:
    return None


def _dropped(pattern: re.Pattern[str], value: object) -> object:
    """No value, where one matches."""
    return None if pattern.search(_text(value)) else value


def _replaced(pattern: re.Pattern[str] | None, instead: str, value: object) -> object:
    """What is left of the value, or of each text within it."""
    if pattern is None:
        return instead
    match value:
        case dict():
            return {name: _replaced(pattern, instead, item) for name, item in value.items()}
        case list():
            return [_replaced(pattern, instead, item) for item in value]
    text = _text(value)
    replaced = pattern.sub(lambda _: instead, text)
    return value if replaced == text else replaced


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(value)


def _after(first: Removal, then: Removal) -> Removal:
    def both(value: object) -> object:
        left = first(value)
        return None if left is None else then(left)

    return both


def _size(table: str, rule: RedactionRule) -> int:
    """The bytes of a rule's compiled pattern."""
    pattern = rule.match or ""
    if len(pattern.encode()) > limits.REDACTION_PATTERN_BYTES:
        raise _invalid(table, f"for the pattern of {rule.column} has {len(pattern.encode())} bytes")
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise _invalid(table, f"for the pattern of {rule.column} is none: {error}") from None
    return compiled.__sizeof__()


def _invalid(table: str, reason: str) -> EnforceRedactionInvalid:
    return EnforceRedactionInvalid(table=table, reason=reason)
