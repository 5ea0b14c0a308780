"""Nothing on a page is skipped: whatever the text, each line is read or is a finding."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.findings import Notes
from codegen.read import read_page
from tests.codegen.account import account
from tests.codegen.corpus import PAGE

LINES = [
    *PAGE.split("\n"),
    "",
    "  ",
    "- x",
    "* `a`",
    "````",
    "```",
    "~~~",
    "text",
    "  *P6*",
    "| a |",
    "\x0c",
    "a\u2028b",
]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(LINES) | st.text(max_size=12), max_size=40))
def test_each_line_is_read_or_noted(lines: list[str]) -> None:
    account("\n".join(lines).encode("utf-8", "replace"))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_no_page_makes_it_fall(data: st.DataObject) -> None:
    page = list(PAGE)
    for _ in range(data.draw(st.integers(1, 6))):
        position = data.draw(st.integers(0, len(page) - 1))
        page[position] = data.draw(
            st.sampled_from(["", "`", "|", "\n", "{{", "}", "<", "—", "AND ", " ", "*", "?", "0"])
        )

    account("".join(page).encode())


def test_a_fence_is_skipped_whole() -> None:
    fence = "````text\n```\n- `inside` — A clause.\n```\n## inside\n````\n"
    notes = Notes("spec/run/retry.md")

    page = read_page("spec/run/retry.md", PAGE.replace("What it is for.\n", f"What it is for.\n\n{fence}"), notes)

    assert list(notes) == []
    assert [clause.id for clause in page.clauses] == ["run.retry.schedule", "run.retry.seed"]
