"""Nothing on a page is skipped: whatever the text, each line is read or is a finding."""

from __future__ import annotations

import time

import pytest
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


@pytest.mark.parametrize(
    "piece",
    ["- `a` — B.\n", "```a\n", "~~~\n```\n", "| a |\n", "`" * 40 + "\n", "word `a` {{b}} <c> "],
    ids=["clauses", "open fences", "two kinds of fence", "rows", "ticks", "one long line"],
)
def test_reading_takes_time_in_proportion(piece: str) -> None:
    def seconds(count: int) -> float:
        text = PAGE.replace("What it does.\n", f"What it does.\n\n{piece * count}\n")
        begun = time.process_time()
        read_page("spec/run/retry.md", text, Notes("spec/run/retry.md"))
        return time.process_time() - begun

    seconds(10)

    assert seconds(16 * 250) < 64 * max(seconds(250), 0.001), "16 times the page takes far less than 256 times"
