"""The scenarios of authority.grant, bound. Written by `python -m codegen` from spec/authority/grant.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/authority/grant.feature"
STEM = "authority__grant"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("authority.grant.actions")
@pytest.mark.scenario("authority__grant__actions__s1")
@scenario(FEATURE, "authority__grant__actions__s1")
def test_authority__grant__actions__s1() -> None: ...


@pytest.mark.clause("authority.grant.patterns")
@pytest.mark.scenario("authority__grant__patterns__s1")
@scenario(FEATURE, "authority__grant__patterns__s1")
def test_authority__grant__patterns__s1() -> None: ...


@pytest.mark.clause("authority.grant.patterns")
@pytest.mark.scenario("authority__grant__patterns__s2")
@scenario(FEATURE, "authority__grant__patterns__s2")
def test_authority__grant__patterns__s2() -> None: ...


@pytest.mark.clause("authority.grant.patterns")
@pytest.mark.scenario("authority__grant__patterns__s3")
@scenario(FEATURE, "authority__grant__patterns__s3")
def test_authority__grant__patterns__s3() -> None: ...


@pytest.mark.clause("authority.grant.patterns")
@pytest.mark.scenario("authority__grant__patterns__s4")
@scenario(FEATURE, "authority__grant__patterns__s4")
def test_authority__grant__patterns__s4() -> None: ...


@pytest.mark.clause("authority.grant.pipelines-apart")
@pytest.mark.scenario("authority__grant__pipelines_apart__s1")
@scenario(FEATURE, "authority__grant__pipelines_apart__s1")
def test_authority__grant__pipelines_apart__s1() -> None: ...


@pytest.mark.clause("authority.grant.execute")
@pytest.mark.scenario("authority__grant__execute__s1")
@scenario(FEATURE, "authority__grant__execute__s1")
def test_authority__grant__execute__s1() -> None: ...


@pytest.mark.clause("authority.grant.execute")
@pytest.mark.scenario("authority__grant__execute__s2")
@scenario(FEATURE, "authority__grant__execute__s2")
def test_authority__grant__execute__s2() -> None: ...


@pytest.mark.clause("authority.grant.local-owner")
@pytest.mark.scenario("authority__grant__local_owner__s1")
@scenario(FEATURE, "authority__grant__local_owner__s1")
def test_authority__grant__local_owner__s1() -> None: ...


@pytest.mark.clause("authority.grant.history-filter")
@pytest.mark.scenario("authority__grant__history_filter__s1")
@scenario(FEATURE, "authority__grant__history_filter__s1")
def test_authority__grant__history_filter__s1() -> None: ...


@pytest.mark.clause("authority.grant.history-filter")
@pytest.mark.scenario("authority__grant__history_filter__s2")
@scenario(FEATURE, "authority__grant__history_filter__s2")
def test_authority__grant__history_filter__s2() -> None: ...


@pytest.mark.clause("authority.grant.pipeline-not-covered")
@pytest.mark.scenario("authority__grant__pipeline_not_covered__s1")
@scenario(FEATURE, "authority__grant__pipeline_not_covered__s1")
def test_authority__grant__pipeline_not_covered__s1() -> None: ...


@pytest.mark.clause("authority.grant.run-trace-denied")
@pytest.mark.scenario("authority__grant__run_trace_denied__s1")
@scenario(FEATURE, "authority__grant__run_trace_denied__s1")
def test_authority__grant__run_trace_denied__s1() -> None: ...


@pytest.mark.clause("authority.grant.run-trace-denied")
@pytest.mark.scenario("authority__grant__run_trace_denied__s2")
@scenario(FEATURE, "authority__grant__run_trace_denied__s2")
def test_authority__grant__run_trace_denied__s2() -> None: ...


@pytest.mark.clause("authority.grant.store-driven")
@pytest.mark.scenario("authority__grant__store_driven__s1")
@scenario(FEATURE, "authority__grant__store_driven__s1")
def test_authority__grant__store_driven__s1() -> None: ...
