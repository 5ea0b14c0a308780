"""What removal rules leave of a value, and which rules cannot be used."""

from __future__ import annotations

import pytest

from contextful.authority import mask, redact
from contextful.errors import EnforceRedactionInvalid
from contextful.kernel.failure import Failed
from contextful_contract.shapes import RedactionOperation, RedactionRule

PEPPER = b"salt-and-pepper"
DIGITS = "[0-9]{3}"


def rule(operation: str, argument: str | None = None, match: str | None = None) -> RedactionRule:
    """A rule about column `c`."""
    return RedactionRule(
        table="people", column="C", operation=RedactionOperation(operation), argument=argument, match=match
    )


@pytest.mark.clause("authority.redact.declaration")
@pytest.mark.parametrize(
    ("made", "value", "left"),
    [
        (rule("drop"), "a", None),
        (rule("drop", match=DIGITS), "call 555", None),
        (rule("drop", match=DIGITS), "call", "call"),
        (rule("drop", match=DIGITS), 555, None),
        (rule("replace", "phone"), {"a": 1}, "[REDACTED:phone]"),
        (rule("replace", "phone", DIGITS), "555 or 556", "[REDACTED:phone] or [REDACTED:phone]"),
        (rule("replace", "phone", DIGITS), 12, 12),
        (rule("replace", "phone", DIGITS), {"a": ["555", 5]}, {"a": ["[REDACTED:phone]", 5]}),
        (rule("replace", r"\1", DIGITS), "555", r"[REDACTED:\1]"),
        (rule("hash"), "ann@example.org", "4e638f572dec69f9a60845c263cb52a5"),
    ],
)
def test_a_rule_leaves_of_a_value_what_it_says(made: RedactionRule, value: object, left: object) -> None:
    assert redact.removals([made], PEPPER)["c"](value) == left


def test_rules_of_one_column_follow_each_other() -> None:
    rules = [rule("replace", "phone", DIGITS), rule("drop", match="or")]

    assert redact.removals(rules, None)["c"]("555 or 556") is None


@pytest.mark.clause("authority.redact.bounds")
@pytest.mark.parametrize(
    "rules",
    [
        [rule("drop")] * 257,
        [rule("replace")],
        [rule("hash", match=DIGITS)],
        [rule("drop", match="(")],
        [rule("drop", match="a" * 4_097)],
        [rule("drop", match="[a-z]{2}" * 500)] * 200,
    ],
    ids=["too many", "without an argument", "half a digest", "no pattern", "a long pattern", "large when compiled"],
)
def test_rules_that_cannot_be_used_are_refused(rules: list[RedactionRule]) -> None:
    with pytest.raises(EnforceRedactionInvalid) as refusal:
        redact.admit("people", rules)

    assert refusal.value.table == "people"


@pytest.mark.clause("authority.mask.one-digest")
@pytest.mark.parametrize(("one", "other"), [("7", 7), (7, 7.0), (True, "true")])
def test_a_value_has_one_digest_whatever_its_column_became(one: object, other: object) -> None:
    assert mask.digest(one, PEPPER) == mask.digest(other, PEPPER)


@pytest.mark.clause("authority.mask.pepper")
def test_the_pepper_is_one_variable() -> None:
    assert mask.pepper({"CONTEXTFUL_PEPPER": "salt"}, needed=True) == b"salt"
    assert mask.pepper({}, needed=False) is None
    with pytest.raises(Failed, match="CONTEXTFUL_PEPPER"):
        mask.pepper({"CONTEXTFUL_PEPPER": ""}, needed=True)


def test_a_pepper_is_told_from_another_and_not_told() -> None:
    assert mask.identity(b"a") != mask.identity(b"b")
    assert b"salt-and-pepper".hex() not in mask.identity(PEPPER)
