"""The scenarios of run.guard-secrets, bound. Written by `python -m codegen` from spec/run/guard-secrets.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/guard-secrets.feature"
STEM = "run__guard_secrets"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.guard-secrets.before-the-record")
@pytest.mark.scenario("run__guard_secrets__before_the_record__s1")
@scenario(FEATURE, "run__guard_secrets__before_the_record__s1")
def test_run__guard_secrets__before_the_record__s1() -> None: ...


@pytest.mark.clause("run.guard-secrets.replacement")
@pytest.mark.scenario("run__guard_secrets__replacement__s1")
@scenario(FEATURE, "run__guard_secrets__replacement__s1")
def test_run__guard_secrets__replacement__s1() -> None: ...
