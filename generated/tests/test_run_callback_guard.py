"""The scenarios of run.callback-guard, bound. Written by `python -m codegen` from spec/run/callback-guard.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/callback-guard.feature"
STEM = "run__callback_guard"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.callback-guard.scope")
@pytest.mark.scenario("run__callback_guard__scope__s1")
@scenario(FEATURE, "run__callback_guard__scope__s1")
def test_run__callback_guard__scope__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.scope")
@pytest.mark.scenario("run__callback_guard__scope__s2")
@scenario(FEATURE, "run__callback_guard__scope__s2")
def test_run__callback_guard__scope__s2() -> None: ...


@pytest.mark.clause("run.callback-guard.scope")
@pytest.mark.scenario("run__callback_guard__scope__s3")
@scenario(FEATURE, "run__callback_guard__scope__s3")
def test_run__callback_guard__scope__s3() -> None: ...


@pytest.mark.clause("run.callback-guard.scope")
@pytest.mark.scenario("run__callback_guard__scope__s4")
@scenario(FEATURE, "run__callback_guard__scope__s4")
def test_run__callback_guard__scope__s4() -> None: ...


@pytest.mark.clause("run.callback-guard.scope")
@pytest.mark.scenario("run__callback_guard__scope__s5")
@scenario(FEATURE, "run__callback_guard__scope__s5")
def test_run__callback_guard__scope__s5() -> None: ...


@pytest.mark.clause("run.callback-guard.scope")
@pytest.mark.scenario("run__callback_guard__scope__s6")
@scenario(FEATURE, "run__callback_guard__scope__s6")
def test_run__callback_guard__scope__s6() -> None: ...


@pytest.mark.clause("run.callback-guard.acquire")
@pytest.mark.scenario("run__callback_guard__acquire__s1")
@scenario(FEATURE, "run__callback_guard__acquire__s1")
def test_run__callback_guard__acquire__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.acquire")
@pytest.mark.scenario("run__callback_guard__acquire__s2")
@scenario(FEATURE, "run__callback_guard__acquire__s2")
def test_run__callback_guard__acquire__s2() -> None: ...


@pytest.mark.clause("run.callback-guard.acquire")
@pytest.mark.scenario("run__callback_guard__acquire__s3")
@scenario(FEATURE, "run__callback_guard__acquire__s3")
def test_run__callback_guard__acquire__s3() -> None: ...


@pytest.mark.clause("run.callback-guard.acquire")
@pytest.mark.scenario("run__callback_guard__acquire__s4")
@scenario(FEATURE, "run__callback_guard__acquire__s4")
def test_run__callback_guard__acquire__s4() -> None: ...


@pytest.mark.clause("run.callback-guard.acquire")
@pytest.mark.scenario("run__callback_guard__acquire__s5")
@scenario(FEATURE, "run__callback_guard__acquire__s5")
def test_run__callback_guard__acquire__s5() -> None: ...


@pytest.mark.clause("run.callback-guard.holder-identity")
@pytest.mark.scenario("run__callback_guard__holder_identity__s1")
@scenario(FEATURE, "run__callback_guard__holder_identity__s1")
def test_run__callback_guard__holder_identity__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.identity")
@pytest.mark.scenario("run__callback_guard__identity__s1")
@scenario(FEATURE, "run__callback_guard__identity__s1")
def test_run__callback_guard__identity__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.identity")
@pytest.mark.scenario("run__callback_guard__identity__s2")
@scenario(FEATURE, "run__callback_guard__identity__s2")
def test_run__callback_guard__identity__s2() -> None: ...


@pytest.mark.clause("run.callback-guard.window")
@pytest.mark.scenario("run__callback_guard__window__s1")
@scenario(FEATURE, "run__callback_guard__window__s1")
def test_run__callback_guard__window__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.window")
@pytest.mark.scenario("run__callback_guard__window__s2")
@scenario(FEATURE, "run__callback_guard__window__s2")
def test_run__callback_guard__window__s2() -> None: ...


@pytest.mark.clause("run.callback-guard.window")
@pytest.mark.scenario("run__callback_guard__window__s3")
@scenario(FEATURE, "run__callback_guard__window__s3")
def test_run__callback_guard__window__s3() -> None: ...


@pytest.mark.clause("run.callback-guard.window")
@pytest.mark.scenario("run__callback_guard__window__s4")
@scenario(FEATURE, "run__callback_guard__window__s4")
def test_run__callback_guard__window__s4() -> None: ...


@pytest.mark.clause("run.callback-guard.release")
@pytest.mark.scenario("run__callback_guard__release__s1")
@scenario(FEATURE, "run__callback_guard__release__s1")
def test_run__callback_guard__release__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.release")
@pytest.mark.scenario("run__callback_guard__release__s2")
@scenario(FEATURE, "run__callback_guard__release__s2")
def test_run__callback_guard__release__s2() -> None: ...


@pytest.mark.clause("run.callback-guard.holder-gone")
@pytest.mark.scenario("run__callback_guard__holder_gone__s1")
@scenario(FEATURE, "run__callback_guard__holder_gone__s1")
def test_run__callback_guard__holder_gone__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.holder-gone")
@pytest.mark.scenario("run__callback_guard__holder_gone__s2")
@scenario(FEATURE, "run__callback_guard__holder_gone__s2")
def test_run__callback_guard__holder_gone__s2() -> None: ...


@pytest.mark.clause("run.callback-guard.holder-gone")
@pytest.mark.scenario("run__callback_guard__holder_gone__s3")
@scenario(FEATURE, "run__callback_guard__holder_gone__s3")
def test_run__callback_guard__holder_gone__s3() -> None: ...


@pytest.mark.clause("run.callback-guard.container-stop")
@pytest.mark.scenario("run__callback_guard__container_stop__s1")
@scenario(FEATURE, "run__callback_guard__container_stop__s1")
def test_run__callback_guard__container_stop__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.container-stop")
@pytest.mark.scenario("run__callback_guard__container_stop__s2")
@scenario(FEATURE, "run__callback_guard__container_stop__s2")
def test_run__callback_guard__container_stop__s2() -> None: ...


@pytest.mark.clause("run.callback-guard.container-stop")
@pytest.mark.scenario("run__callback_guard__container_stop__s3")
@scenario(FEATURE, "run__callback_guard__container_stop__s3")
def test_run__callback_guard__container_stop__s3() -> None: ...


@pytest.mark.clause("run.callback-guard.replay")
@pytest.mark.scenario("run__callback_guard__replay__s1")
@scenario(FEATURE, "run__callback_guard__replay__s1")
def test_run__callback_guard__replay__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.replay")
@pytest.mark.scenario("run__callback_guard__replay__s2")
@scenario(FEATURE, "run__callback_guard__replay__s2")
def test_run__callback_guard__replay__s2() -> None: ...


@pytest.mark.clause("run.callback-guard.replay")
@pytest.mark.scenario("run__callback_guard__replay__s3")
@scenario(FEATURE, "run__callback_guard__replay__s3")
def test_run__callback_guard__replay__s3() -> None: ...


@pytest.mark.clause("run.callback-guard.replay")
@pytest.mark.scenario("run__callback_guard__replay__s4")
@scenario(FEATURE, "run__callback_guard__replay__s4")
def test_run__callback_guard__replay__s4() -> None: ...


@pytest.mark.clause("run.callback-guard.replay")
@pytest.mark.scenario("run__callback_guard__replay__s5")
@scenario(FEATURE, "run__callback_guard__replay__s5")
def test_run__callback_guard__replay__s5() -> None: ...


@pytest.mark.clause("run.callback-guard.manual")
@pytest.mark.scenario("run__callback_guard__manual__s1")
@scenario(FEATURE, "run__callback_guard__manual__s1")
def test_run__callback_guard__manual__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.live-holder")
@pytest.mark.scenario("run__callback_guard__live_holder__s1")
@scenario(FEATURE, "run__callback_guard__live_holder__s1")
def test_run__callback_guard__live_holder__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.evidence")
@pytest.mark.scenario("run__callback_guard__evidence__s1")
@scenario(FEATURE, "run__callback_guard__evidence__s1")
def test_run__callback_guard__evidence__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.evidence")
@pytest.mark.scenario("run__callback_guard__evidence__s2")
@scenario(FEATURE, "run__callback_guard__evidence__s2")
def test_run__callback_guard__evidence__s2() -> None: ...


@pytest.mark.clause("run.callback-guard.evidence")
@pytest.mark.scenario("run__callback_guard__evidence__s3")
@scenario(FEATURE, "run__callback_guard__evidence__s3")
def test_run__callback_guard__evidence__s3() -> None: ...


@pytest.mark.clause("run.callback-guard.evidence")
@pytest.mark.scenario("run__callback_guard__evidence__s4")
@scenario(FEATURE, "run__callback_guard__evidence__s4")
def test_run__callback_guard__evidence__s4() -> None: ...


@pytest.mark.clause("run.callback-guard.evidence")
@pytest.mark.scenario("run__callback_guard__evidence__s5")
@scenario(FEATURE, "run__callback_guard__evidence__s5")
def test_run__callback_guard__evidence__s5() -> None: ...


@pytest.mark.clause("run.callback-guard.class")
@pytest.mark.scenario("run__callback_guard__class__s1")
@scenario(FEATURE, "run__callback_guard__class__s1")
def test_run__callback_guard__class__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.class")
@pytest.mark.scenario("run__callback_guard__class__s2")
@scenario(FEATURE, "run__callback_guard__class__s2")
def test_run__callback_guard__class__s2() -> None: ...


@pytest.mark.clause("run.callback-guard.class")
@pytest.mark.scenario("run__callback_guard__class__s3")
@scenario(FEATURE, "run__callback_guard__class__s3")
def test_run__callback_guard__class__s3() -> None: ...


@pytest.mark.clause("run.callback-guard.inspect")
@pytest.mark.scenario("run__callback_guard__inspect__s1")
@scenario(FEATURE, "run__callback_guard__inspect__s1")
def test_run__callback_guard__inspect__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.inspect")
@pytest.mark.scenario("run__callback_guard__inspect__s2")
@scenario(FEATURE, "run__callback_guard__inspect__s2")
def test_run__callback_guard__inspect__s2() -> None: ...


@pytest.mark.clause("run.callback-guard.blocked")
@pytest.mark.scenario("run__callback_guard__blocked__s1")
@scenario(FEATURE, "run__callback_guard__blocked__s1")
def test_run__callback_guard__blocked__s1() -> None: ...


@pytest.mark.clause("run.callback-guard.blocked")
@pytest.mark.scenario("run__callback_guard__blocked__s2")
@scenario(FEATURE, "run__callback_guard__blocked__s2")
def test_run__callback_guard__blocked__s2() -> None: ...


@pytest.mark.clause("run.callback-guard.legacy-guard")
@pytest.mark.scenario("run__callback_guard__legacy_guard__s1")
@scenario(FEATURE, "run__callback_guard__legacy_guard__s1")
def test_run__callback_guard__legacy_guard__s1() -> None: ...
