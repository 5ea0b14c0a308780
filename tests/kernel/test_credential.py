"""Masking takes a time that grows as the text does; what is masked, tests/run/test_record.py says."""

from __future__ import annotations

import time

import pytest

from contextful.kernel import credential


@pytest.mark.parametrize("piece", ["sk-", "://", "bearer ", "token=", "secret : ", "a"])
def test_no_text_takes_more_than_its_length(piece: str) -> None:
    began_s = time.process_time()

    credential.masked(piece * (100_000 // len(piece)))

    assert time.process_time() - began_s < 2
