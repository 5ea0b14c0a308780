"""Two wordings in one line."""

import pytest

from tools.words import diff


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("it waits", "it waits", "it waits"),
        ("it waits 7 s", "it waits 9 s", "it waits [-7-]{+9+} s"),
        ("it waits", "it waits long", "it waits {+long+}"),
        ("it never waits", "it waits", "it [-never-] waits"),
        ("", "it waits", "{+it waits+}"),
    ],
)
def test_what_is_gone_and_what_has_come(old: str, new: str, told: str) -> None:
    assert diff(old, new) == told
