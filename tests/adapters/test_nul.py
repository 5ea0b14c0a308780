"""NUL, escaped."""

from hypothesis import given
from hypothesis import strategies as st

from contextful.adapters.nul import escaped, unescaped


@given(st.lists(st.text(st.sampled_from("\x00\x01\x02a")), max_size=6))
def test_text_without_nul_keeps_its_order(texts: list[str]) -> None:
    assert [unescaped(text) for text in sorted(map(escaped, texts))] == sorted(texts)
    assert not any("\x00" in escaped(text) for text in texts)
