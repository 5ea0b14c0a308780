"""The scenarios of store.pull, bound. Written by `python -m codegen` from spec/store/pull.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/store/pull.feature"
STEM = "store__pull"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("store.pull.before-run")
@pytest.mark.scenario("store__pull__before_run__s1")
@scenario(FEATURE, "store__pull__before_run__s1")
def test_store__pull__before_run__s1() -> None: ...


@pytest.mark.clause("store.pull.before-run")
@pytest.mark.scenario("store__pull__before_run__s2")
@scenario(FEATURE, "store__pull__before_run__s2")
def test_store__pull__before_run__s2() -> None: ...


@pytest.mark.clause("store.pull.table-scope")
@pytest.mark.scenario("store__pull__table_scope__s1")
@scenario(FEATURE, "store__pull__table_scope__s1")
def test_store__pull__table_scope__s1() -> None: ...


@pytest.mark.clause("store.pull.run-state")
@pytest.mark.scenario("store__pull__run_state__s1")
@scenario(FEATURE, "store__pull__run_state__s1")
def test_store__pull__run_state__s1() -> None: ...


@pytest.mark.clause("store.pull.convergence")
@pytest.mark.scenario("store__pull__convergence__s1")
@scenario(FEATURE, "store__pull__convergence__s1")
def test_store__pull__convergence__s1() -> None: ...


@pytest.mark.clause("store.pull.object-digest")
@pytest.mark.scenario("store__pull__object_digest__s1")
@scenario(FEATURE, "store__pull__object_digest__s1")
def test_store__pull__object_digest__s1() -> None: ...
