"""Signals, as they come out of another process."""

from __future__ import annotations

import pickle

import pytest

from contextful.kernel.signal import Awaiting, Signal, Stopped, Suspended
from contextful_contract.shapes import StopScope

SIGNALS = [
    Suspended(label="fetch", until_ms=1),
    Awaiting(label="approve", until_ms=2),
    Stopped("a stop", scope=StopScope.PIPELINE),
]


@pytest.mark.parametrize("signal", SIGNALS, ids=lambda signal: type(signal).__name__)
def test_a_signal_comes_out_of_a_pickle_as_it_was(signal: Signal) -> None:
    back = pickle.loads(pickle.dumps(signal))

    assert (type(back), vars(back), str(back)) == (type(signal), vars(signal), str(signal))
