"""The scenarios of store.merge, bound. Written by `python -m codegen` from spec/store/merge.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/store/merge.feature"
STEM = "store__merge"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("store.merge.rebase")
@pytest.mark.scenario("store__merge__rebase__s1")
@scenario(FEATURE, "store__merge__rebase__s1")
def test_store__merge__rebase__s1() -> None: ...


@pytest.mark.clause("store.merge.exhausted")
@pytest.mark.scenario("store__merge__exhausted__s1")
@scenario(FEATURE, "store__merge__exhausted__s1")
def test_store__merge__exhausted__s1() -> None: ...
