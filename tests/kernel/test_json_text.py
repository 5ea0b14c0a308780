"""JSON from outside, and why a text is none."""

from __future__ import annotations

import pytest

from contextful.kernel.json_text import NotJson, parsed, spelled


def test_json_has_its_value_whether_it_comes_as_bytes_or_as_text() -> None:
    assert parsed(b'{"caf\xc3\xa9": [1, null]}') == parsed('{"café": [1, null]}') == {"café": [1, None]}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty"),
        (b"{", "Expecting property name enclosed in double quotes at line 1, column 2"),
        (b"[1]\n]", "Extra data at line 2, column 1"),
        (b"[NaN]", "NaN has no place in it"),
        (b'"\xff"', "it is not in UTF-8, at byte 1"),
        (b"[" * 100_000, "it is nested too deep"),
        (b"1e999", "1e999 is a number beyond any that can be held"),
        (b"9" * 5_000, "it has a whole number of more than 4,300 digits"),
    ],
    ids=["empty", "open", "second value", "NaN", "no UTF-8", "deep", "large", "digits"],
)
def test_what_is_none_is_refused_in_our_words(content: bytes, why: str) -> None:
    with pytest.raises(NotJson) as refusal:
        parsed(content)

    assert str(refusal.value) == why


def test_what_has_come_is_spelled_as_it_reads_and_half_a_character_by_its_number() -> None:
    assert spelled({"by": "Zoë", "n": [1, None]}) == '{"by":"Zoë","n":[1,null]}'
    assert spelled({"by": "Zoë"}, spaced=True) == '{"by": "Zoë"}'
    assert spelled(parsed('"\\ud800"')) == '"\\ud800"'
