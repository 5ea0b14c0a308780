"""Whatever stands on a page, reading it ends, and each of its lines becomes a value or a finding."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codegen.findings import Notes
from codegen.preflight import preflight
from codegen.read import read_page
from proofs.effort import DERANDOMIZED, FULL
from proofs.fuzz.pages import ROOT, SEEDS, SPEC, WORDS
from tests.codegen.account import PATH, account
from tests.codegen.corpus import PAGE

EXAMPLES = 5_000 if FULL else 50
ATHERIS_S = 120
LINE = st.sampled_from(sorted({line for page in (PAGE, *SPEC) for line in page.split("\n")}))
PIECE = st.sampled_from(WORDS) | st.text(max_size=8) | LINE
slowly = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=DERANDOMIZED, suppress_health_check=[HealthCheck.too_slow]
)


@slowly
@given(st.lists(LINE | st.text(max_size=20), max_size=60))
def test_any_lines_are_accounted_for(lines: list[str]) -> None:
    account("\n".join(lines).encode("utf-8", "surrogatepass"))


@slowly
@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), PIECE), max_size=8))
def test_a_page_with_pieces_cut_out_and_put_in_is_accounted_for(page: str, edits: list[tuple[float, int, str]]) -> None:
    for where, cut, piece in edits:
        at = int(where * len(page))
        page = page[:at] + piece + page[at + cut :]

    account(page.encode("utf-8", "surrogatepass"))


@slowly
@given(st.binary(max_size=400))
def test_any_bytes_are_accounted_for(raw: bytes) -> None:
    account(raw)


@pytest.mark.skipif(not FULL, reason="make proofs runs it")
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed here")
def test_bytes_chosen_for_the_lines_of_the_parser_that_they_reach(tmp_path: Path) -> None:
    for number, seed in enumerate(SEEDS):
        (tmp_path / f"{number}.md").write_text(seed, encoding="utf-8")
    options = [f"-max_total_time={ATHERIS_S}", "-timeout=20", "-max_len=4096", f"-artifact_prefix={tmp_path}/"]

    ended = subprocess.run(
        [sys.executable, "-m", "proofs.fuzz.coverage_guided", *options, str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    done = re.search(r"Done (\d+) runs", ended.stderr)
    assert ended.returncode == 0, ended.stderr[-4_000:]
    assert done is not None
    assert int(done[1]) > 1_000


@pytest.mark.skipif(not FULL, reason="make proofs runs it")
def test_a_million_lines_take_some_ten_times_what_a_tenth_takes() -> None:
    def seconds(count: int) -> float:
        text = PAGE.replace("What it does.\n", "What it does.\n\n" + "A line of prose.\n\n" * (count // 2))
        begun, notes = time.process_time(), Notes(PATH)
        read_page(PATH, preflight(text.encode(), notes) or "", notes)
        return time.process_time() - begun

    assert seconds(1_000_000) < 20 * seconds(100_000)
