"""The plugin, in small projects of its own: what each kind of outcome is worth as evidence."""

from dataclasses import dataclass

import pytest

from tools import units
from tools.units import Unit

FEATURE = """
Feature: retry
  Scenario: first
    Given a step
    When it fails
    Then it runs again
  Scenario: second
    When nobody wrote this
    Then it runs again
"""
BINDING = """
    import pytest
    from pytest_bdd import scenario, given, when, then, parsers

    @pytest.mark.clause("run.retry.a")
    @pytest.mark.scenario("s1")
    @scenario("retry.feature", "first")
    def test_first(): pass

    @pytest.mark.clause("run.retry.b")
    @pytest.mark.scenario("s2")
    @scenario("retry.feature", "second")
    def test_second(): pass

    @given("a step")
    def _(): pass

    @when(parsers.parse("it {does}"))
    def _(does): pass

    @then("it runs again")
    def _(): pass
"""


@dataclass
class Project:
    """A temporary project under the plugin."""

    pytester: pytest.Pytester

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run its tests in this process."""
        return self.pytester.runpytest_inprocess("-p", "tools.evidence", *arguments)

    def test(self, source: str, name: str = "test_it") -> None:
        """Write a module of tests that has pytest at hand."""
        self.pytester.makepyfile(**{f"tests/{name}": source})

    @property
    def evidence(self) -> units.Evidence:
        """What the runs have left."""
        return units.read(self.pytester.path)

    @property
    def outcomes(self) -> dict[str, tuple[str, str]]:
        """The outcome and reason of each unit, under the function's name."""
        return {_name(unit): (unit.outcome, unit.reason) for unit in self.evidence.latest()}


def _name(unit: Unit) -> str:
    return unit.id.partition("::")[2]


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    pytester.makeini("""
        [pytest]
        testpaths = tests
        addopts = --strict-markers --import-mode=importlib -p no:cacheprovider
        markers =
            clause(id): a clause
            scenario(name): a scenario
            theorem(grade): a proof
    """)
    return Project(pytester)


OUTCOMES = """
    import pytest

    @pytest.fixture
    def broken(): raise RuntimeError("no")

    @pytest.fixture
    def leaking():
        yield
        raise RuntimeError("late")

    pytestmark = pytest.mark.clause("run.retry.a")

    def test_passes(): pass
    def test_fails(): assert 1 == 2
    def test_errors_before(broken): pass
    def test_errors_after(leaking): pass

    @pytest.mark.skip(reason="no disk")
    def test_skipped(): pass

    def test_skips_itself(): pytest.skip("no net")

    @pytest.mark.xfail
    def test_expected_to_fail(): assert False

    @pytest.mark.xfail
    def test_passes_unexpectedly(): pass

    @pytest.mark.parametrize("n", [1, 2, 3])
    def test_rows(n): pass

    @pytest.mark.parametrize("n", [1, 2, 3])
    def test_one_row_fails(n): assert n != 2

    @pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.skip(reason="no"))])
    def test_one_row_skipped(n): pass
"""
EXPECTED = {
    "test_passes": ("passed", ""),
    "test_fails": ("failed", "unit-failed"),
    "test_errors_before": ("error", "unit-setup-error"),
    "test_errors_after": ("error", "unit-teardown-error"),
    "test_skipped": ("skipped", "unit-skipped:no disk"),
    "test_skips_itself": ("skipped", "unit-skipped:no net"),
    "test_expected_to_fail": ("xfailed", "unit-xfail"),
    "test_passes_unexpectedly": ("xpassed", "unit-xpass"),
    "test_rows": ("passed", ""),
    "test_one_row_fails": ("failed", "unit-failed"),
    "test_one_row_skipped": ("skipped", "unit-skipped:no"),
}


def test_every_outcome_has_its_code(project: Project) -> None:
    project.test(OUTCOMES)

    project.run()

    assert project.outcomes == EXPECTED


def test_two_workers_see_what_one_process_sees(project: Project) -> None:
    project.test(OUTCOMES)

    project.run("-n2")

    assert project.outcomes == EXPECTED
