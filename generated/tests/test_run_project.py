"""The scenarios of run.project, bound. Written by `python -m codegen` from spec/run/project.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/run/project.feature"
STEM = "run__project"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("run.project.best-effort")
@pytest.mark.scenario("run__project__best_effort__s1")
@scenario(FEATURE, "run__project__best_effort__s1")
def test_run__project__best_effort__s1() -> None: ...


@pytest.mark.clause("run.project.best-effort")
@pytest.mark.scenario("run__project__best_effort__s2")
@scenario(FEATURE, "run__project__best_effort__s2")
def test_run__project__best_effort__s2() -> None: ...


@pytest.mark.clause("run.project.best-effort")
@pytest.mark.scenario("run__project__best_effort__s3")
@scenario(FEATURE, "run__project__best_effort__s3")
def test_run__project__best_effort__s3() -> None: ...


@pytest.mark.clause("run.project.wire-snapshot")
@pytest.mark.scenario("run__project__wire_snapshot__s1")
@scenario(FEATURE, "run__project__wire_snapshot__s1")
def test_run__project__wire_snapshot__s1() -> None: ...


@pytest.mark.clause("run.project.step-view")
@pytest.mark.scenario("run__project__step_view__s1")
@scenario(FEATURE, "run__project__step_view__s1")
def test_run__project__step_view__s1() -> None: ...


@pytest.mark.clause("run.project.stopped-step")
@pytest.mark.scenario("run__project__stopped_step__s1")
@scenario(FEATURE, "run__project__stopped_step__s1")
def test_run__project__stopped_step__s1() -> None: ...


@pytest.mark.clause("run.project.stopped-step")
@pytest.mark.scenario("run__project__stopped_step__s2")
@scenario(FEATURE, "run__project__stopped_step__s2")
def test_run__project__stopped_step__s2() -> None: ...


@pytest.mark.clause("run.project.emission-never-blocks")
@pytest.mark.scenario("run__project__emission_never_blocks__s1")
@scenario(FEATURE, "run__project__emission_never_blocks__s1")
def test_run__project__emission_never_blocks__s1() -> None: ...


@pytest.mark.clause("run.project.terminal-slot")
@pytest.mark.scenario("run__project__terminal_slot__s1")
@scenario(FEATURE, "run__project__terminal_slot__s1")
def test_run__project__terminal_slot__s1() -> None: ...


@pytest.mark.clause("run.project.terminal-slot")
@pytest.mark.scenario("run__project__terminal_slot__s2")
@scenario(FEATURE, "run__project__terminal_slot__s2")
def test_run__project__terminal_slot__s2() -> None: ...


@pytest.mark.clause("run.project.coalescing")
@pytest.mark.scenario("run__project__coalescing__s1")
@scenario(FEATURE, "run__project__coalescing__s1")
def test_run__project__coalescing__s1() -> None: ...


@pytest.mark.clause("run.project.coalescing")
@pytest.mark.scenario("run__project__coalescing__s2")
@scenario(FEATURE, "run__project__coalescing__s2")
def test_run__project__coalescing__s2() -> None: ...


@pytest.mark.clause("run.project.metadata-too-large")
@pytest.mark.scenario("run__project__metadata_too_large__s1")
@scenario(FEATURE, "run__project__metadata_too_large__s1")
def test_run__project__metadata_too_large__s1() -> None: ...


@pytest.mark.clause("run.project.metadata-too-large")
@pytest.mark.scenario("run__project__metadata_too_large__s2")
@scenario(FEATURE, "run__project__metadata_too_large__s2")
def test_run__project__metadata_too_large__s2() -> None: ...


@pytest.mark.clause("run.project.version")
@pytest.mark.scenario("run__project__version__s1")
@scenario(FEATURE, "run__project__version__s1")
def test_run__project__version__s1() -> None: ...


@pytest.mark.clause("run.project.version")
@pytest.mark.scenario("run__project__version__s2")
@scenario(FEATURE, "run__project__version__s2")
def test_run__project__version__s2() -> None: ...


@pytest.mark.clause("run.project.version")
@pytest.mark.scenario("run__project__version__s3")
@scenario(FEATURE, "run__project__version__s3")
def test_run__project__version__s3() -> None: ...


@pytest.mark.clause("run.project.version")
@pytest.mark.scenario("run__project__version__s4")
@scenario(FEATURE, "run__project__version__s4")
def test_run__project__version__s4() -> None: ...


@pytest.mark.clause("run.project.reducer-is-total")
@pytest.mark.scenario("run__project__reducer_is_total__s1")
@scenario(FEATURE, "run__project__reducer_is_total__s1")
def test_run__project__reducer_is_total__s1() -> None: ...


@pytest.mark.clause("run.project.reducer-is-total")
@pytest.mark.scenario("run__project__reducer_is_total__s2")
@scenario(FEATURE, "run__project__reducer_is_total__s2")
def test_run__project__reducer_is_total__s2() -> None: ...


@pytest.mark.clause("run.project.reducer-is-total")
@pytest.mark.scenario("run__project__reducer_is_total__s3")
@scenario(FEATURE, "run__project__reducer_is_total__s3")
def test_run__project__reducer_is_total__s3() -> None: ...


@pytest.mark.clause("run.project.reducer-is-total")
@pytest.mark.scenario("run__project__reducer_is_total__s4")
@scenario(FEATURE, "run__project__reducer_is_total__s4")
def test_run__project__reducer_is_total__s4() -> None: ...


@pytest.mark.clause("run.project.reducer-is-total")
@pytest.mark.scenario("run__project__reducer_is_total__s5")
@scenario(FEATURE, "run__project__reducer_is_total__s5")
def test_run__project__reducer_is_total__s5() -> None: ...


@pytest.mark.clause("run.project.outputs-by-reference")
@pytest.mark.scenario("run__project__outputs_by_reference__s1")
@scenario(FEATURE, "run__project__outputs_by_reference__s1")
def test_run__project__outputs_by_reference__s1() -> None: ...


@pytest.mark.clause("run.project.outputs-by-reference")
@pytest.mark.scenario("run__project__outputs_by_reference__s2")
@scenario(FEATURE, "run__project__outputs_by_reference__s2")
def test_run__project__outputs_by_reference__s2() -> None: ...


@pytest.mark.clause("run.project.connect")
@pytest.mark.scenario("run__project__connect__s1")
@scenario(FEATURE, "run__project__connect__s1")
def test_run__project__connect__s1() -> None: ...


@pytest.mark.clause("run.project.connect")
@pytest.mark.scenario("run__project__connect__s2")
@scenario(FEATURE, "run__project__connect__s2")
def test_run__project__connect__s2() -> None: ...


@pytest.mark.clause("run.project.broadcast-ring")
@pytest.mark.scenario("run__project__broadcast_ring__s1")
@scenario(FEATURE, "run__project__broadcast_ring__s1")
def test_run__project__broadcast_ring__s1() -> None: ...


@pytest.mark.clause("run.project.broadcast-ring")
@pytest.mark.scenario("run__project__broadcast_ring__s2")
@scenario(FEATURE, "run__project__broadcast_ring__s2")
def test_run__project__broadcast_ring__s2() -> None: ...


@pytest.mark.clause("run.project.channel-eviction")
@pytest.mark.scenario("run__project__channel_eviction__s1")
@scenario(FEATURE, "run__project__channel_eviction__s1")
def test_run__project__channel_eviction__s1() -> None: ...


@pytest.mark.clause("run.project.channel-eviction")
@pytest.mark.scenario("run__project__channel_eviction__s2")
@scenario(FEATURE, "run__project__channel_eviction__s2")
def test_run__project__channel_eviction__s2() -> None: ...


@pytest.mark.clause("run.project.unauthenticated-upgrade")
@pytest.mark.scenario("run__project__unauthenticated_upgrade__s1")
@scenario(FEATURE, "run__project__unauthenticated_upgrade__s1")
def test_run__project__unauthenticated_upgrade__s1() -> None: ...


@pytest.mark.clause("run.project.unauthenticated-upgrade")
@pytest.mark.scenario("run__project__unauthenticated_upgrade__s2")
@scenario(FEATURE, "run__project__unauthenticated_upgrade__s2")
def test_run__project__unauthenticated_upgrade__s2() -> None: ...


@pytest.mark.clause("run.project.unauthenticated-upgrade")
@pytest.mark.scenario("run__project__unauthenticated_upgrade__s3")
@scenario(FEATURE, "run__project__unauthenticated_upgrade__s3")
def test_run__project__unauthenticated_upgrade__s3() -> None: ...


@pytest.mark.clause("run.project.read-only-socket")
@pytest.mark.scenario("run__project__read_only_socket__s1")
@scenario(FEATURE, "run__project__read_only_socket__s1")
def test_run__project__read_only_socket__s1() -> None: ...
