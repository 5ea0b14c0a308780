"""The scenarios of run.seed, bound. Written by `python -m codegen` from spec/run/seed.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/seed.feature"
STEM = "run__seed"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.seed.scope")
@pytest.mark.scenario("run__seed__scope__s1")
@scenario(FEATURE, "run__seed__scope__s1")
def test_run__seed__scope__s1() -> None: ...


@pytest.mark.clause("run.seed.unpinned")
@pytest.mark.scenario("run__seed__unpinned__s1")
@scenario(FEATURE, "run__seed__unpinned__s1")
def test_run__seed__unpinned__s1() -> None: ...
