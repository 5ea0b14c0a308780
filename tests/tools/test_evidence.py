"""The plugin, in small projects of its own: what each kind of outcome is worth as evidence."""

from dataclasses import dataclass, replace

import pytest

from tools import units
from tools.command import ROOT
from tools.units import Evidence, Proof, Session, Unit

INI = """
    [pytest]
    testpaths = tests
    addopts = --strict-markers --import-mode=importlib -p pytest-bdd -p tools.evidence
    markers =
        clause(id): the clause that this is evidence for
        scenario(name): the scenario that this binds
        theorem(grade): a proof
"""


@dataclass(frozen=True)
class Project:
    """A temporary project under the plugin."""

    pytester: pytest.Pytester

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run its tests in this process."""
        return self.pytester.runpytest_inprocess(*arguments)

    def write(self, path: str, text: str) -> None:
        """Write a file of the project."""
        place = self.pytester.path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    @property
    def evidence(self) -> Evidence:
        """What the runs have left."""
        return units.read(self.pytester.path)

    @property
    def session(self) -> Session:
        """The facts of the last run."""
        session = self.evidence.since or self.evidence.whole
        assert session is not None
        return session

    @property
    def outcomes(self) -> dict[str, tuple[str, str]]:
        """The outcome and reason of each unit, by the name of its function."""
        return {name: (unit.outcome, unit.reason) for name, unit in self.units.items()}

    @property
    def units(self) -> dict[str, Unit]:
        """Each unit as last seen, by what follows the file in its id."""
        return {unit.id.partition("::")[2]: unit for unit in self.evidence.latest()}


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeini(INI)
    return Project(pytester)


OUTCOMES = """
import pytest

pytestmark = pytest.mark.clause("run.retry.a")

@pytest.fixture
def broken(): raise RuntimeError("no")

@pytest.fixture
def leaking():
    yield
    raise RuntimeError("late")

def test_passes(): pass
def test_fails(): assert 1 == 2
def test_errors_before(broken): pass
def test_errors_after(leaking): pass

@pytest.mark.skip(reason="no disk")
def test_is_skipped(): pass

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
def test_one_row_is_skipped(n): pass
"""
EXPECTED = {
    "test_passes": ("passed", ""),
    "test_fails": ("failed", "unit-failed"),
    "test_errors_before": ("error", "unit-setup-error"),
    "test_errors_after": ("error", "unit-teardown-error"),
    "test_is_skipped": ("skipped", "unit-skipped:no disk"),
    "test_skips_itself": ("skipped", "unit-skipped:no net"),
    "test_expected_to_fail": ("xfailed", "unit-xfail"),
    "test_passes_unexpectedly": ("xpassed", "unit-xpass"),
    "test_rows": ("passed", ""),
    "test_one_row_fails": ("failed", "unit-failed"),
    "test_one_row_is_skipped": ("skipped", "unit-skipped:no"),
}


def test_every_outcome_has_its_code(project: Project) -> None:
    project.write("tests/test_it.py", OUTCOMES)

    project.run()

    assert project.outcomes == EXPECTED
    assert project.units["test_rows"].rows == 3
    assert project.units["test_fails"].detail == "assert 1 == 2"


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n1")], ids=["alone", "under a worker"])
def test_a_fixture_that_is_not_there_is_told_by_name(project: Project, workers: tuple[str, ...]) -> None:
    project.write("tests/test_it.py", "import pytest\n@pytest.mark.clause('run.retry.a')\ndef test_it(gone): pass\n")

    project.run(*workers)

    assert project.units["test_it"].detail == "fixture 'gone' not found"


def test_two_workers_see_what_one_process_sees(project: Project) -> None:
    project.write("tests/test_it.py", OUTCOMES)
    project.write("retry.feature", FEATURE)
    project.write("tests/test_retry.py", BINDING)

    project.run()
    alone = project.session
    outcomes = project.outcomes
    project.run("-p", "xdist", "-n2")

    assert project.outcomes == outcomes
    assert (alone.selected, alone.deselected, alone.open, alone.partial) == (17, 1, 1, "")
    assert replace(project.session, at=alone.at, seconds=alone.seconds) == alone


def test_a_test_that_takes_its_worker_down_has_failed(project: Project) -> None:
    project.write(
        "tests/test_it.py",
        "import os, pytest\n@pytest.mark.clause('run.retry.a')\ndef test_dies(): os._exit(7)\n",
    )

    project.run("-p", "xdist", "-n1", "--max-worker-restart=1")

    assert project.outcomes == {"test_dies": ("failed", "unit-failed")}


def test_one_test_may_stand_for_several_clauses(project: Project) -> None:
    project.write(
        "tests/test_it.py",
        "import pytest\n"
        "@pytest.mark.clause('run.retry.b')\n"
        "@pytest.mark.clause('run.retry.a')\n"
        "def test_both(): pass\n"
        "def test_neither(): pass\n",
    )

    project.run()

    assert {name: unit.clauses for name, unit in project.units.items()} == {"test_both": ("run.retry.a", "run.retry.b")}


def test_an_inherited_test_says_where_it_was_written(project: Project) -> None:
    project.write(
        "tests/test_it.py",
        "import pytest\n"
        "class Suite:\n"
        "    @pytest.mark.clause('run.retry.a')\n"
        "    def test_it(self): pass\n"
        "class TestOne(Suite): pass\n"
        "class TestTwo(Suite): pass\n",
    )

    project.run()

    origins = {name: unit.origin for name, unit in project.units.items()}
    assert origins == dict.fromkeys(("TestOne::test_it", "TestTwo::test_it"), "tests.test_it.Suite::test_it")


FLIPPING = """
import os, pytest

@pytest.mark.clause("run.retry.a")
def test_flips(): assert "FAIL" not in os.environ

@pytest.mark.clause("run.retry.b")
def test_stays(): pass
"""


def test_a_partial_run_lowers_the_floor_and_says_what_narrowed_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("tests/test_it.py", FLIPPING)
    project.run()

    monkeypatch.setenv("FAIL", "1")
    project.run("-k", "flips")

    floor = [unit.outcome for unit in project.evidence.floor()]
    assert (project.session.partial, project.session.selected, project.session.deselected) == ("-k", 1, 1)
    assert floor == [unit.outcome for unit in project.evidence.latest()] == ["failed", "passed"]
    assert [unit.outcome for unit in project.evidence.units] == ["passed", "passed"]


def test_a_partial_run_never_raises_the_floor(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write("tests/test_it.py", FLIPPING)
    with monkeypatch.context() as failing:
        failing.setenv("FAIL", "1")
        project.run()

    project.write("tests/test_new.py", FLIPPING)
    project.run("tests/test_it.py", "tests/test_new.py::test_stays")

    assert project.session.partial == "paths"
    assert [unit.outcome for unit in project.evidence.latest()] == ["passed", "passed", "passed"]
    assert [unit.outcome for unit in project.evidence.floor()] == ["failed", "passed"]


@pytest.mark.parametrize(
    ("arguments", "partial"),
    [
        pytest.param((), "", id="no arguments"),
        pytest.param(("tests",), "", id="all testpaths by name"),
        pytest.param(("-x",), "stopped early", id="stopped"),
        pytest.param(("-m", "not theorem"), "-m", id="marks"),
        pytest.param(("--deselect", "tests/test_it.py::test_passes"), "--deselect", id="deselect"),
        pytest.param(("tests/test_it.py",), "paths", id="a path"),
    ],
)
def test_a_run_is_whole_or_says_what_narrowed_it(project: Project, arguments: tuple[str, ...], partial: str) -> None:
    project.write("tests/test_it.py", OUTCOMES)

    project.run(*arguments)

    assert project.session.partial == partial


def test_a_module_that_does_not_import_makes_no_whole_run(project: Project) -> None:
    project.write("tests/test_it.py", FLIPPING)
    project.write("tests/test_broken.py", "import nothing_of_this_name")

    project.run()

    assert project.session.partial == "interrupted"


FEATURE = """
Feature: retry
  Scenario: first
    Given a step
    When it fails twice
    Then it runs again

  Scenario: second
    When nobody wrote this
    Then it runs again
"""
BINDING = """
import pytest
from pytest_bdd import given, parsers, scenario, then, when

@pytest.mark.clause("run.retry.a")
@pytest.mark.scenario("s1")
@scenario("../retry.feature", "first")
def test_first(): pass

@pytest.mark.clause("run.retry.b")
@pytest.mark.scenario("s2")
@scenario("../retry.feature", "second")
def test_second(): pass

@given("a step")
def _(): pass

@when(parsers.parse("it fails {times}"))
def _(times): pass

@then("it runs again")
def _(): pass
"""


def test_a_scenario_without_its_steps_is_open(project: Project) -> None:
    project.write("retry.feature", FEATURE)
    project.write("tests/test_retry.py", BINDING)

    result = project.run()

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["scenarios: 1 ran, 1 open; the first step to write: WHEN nobody wrote this"])
    assert project.outcomes == {"test_first": ("passed", ""), "test_second": ("open", "scenario-open")}
    assert project.units["test_second"].detail == "WHEN nobody wrote this"
    assert (project.session.open, project.session.partial) == (1, "")


def test_a_scenario_counts_once_however_many_rows_it_has(project: Project) -> None:
    twice = "pytestmark = pytest.mark.parametrize('store', ['memory', 'file'])\n"
    project.write("retry.feature", FEATURE)
    project.write("tests/test_retry.py", BINDING.replace("\n@pytest.mark.clause", f"\n{twice}@pytest.mark.clause", 1))
    project.write("conftest.py", "import pytest\n@pytest.fixture(autouse=True)\ndef asked(store): pass\n")

    result = project.run()

    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["scenarios: 1 ran, 1 open; *"])


def test_a_scenario_that_was_met_and_lost_its_steps_fails(project: Project) -> None:
    project.write("retry.feature", FEATURE)
    project.write("tests/test_retry.py", BINDING)
    project.write("tools/trace.snapshot", "run.retry.b aaaaaaaa met\n")

    result = project.run()

    result.assert_outcomes(passed=1, failed=1)
    assert project.outcomes["test_second"] == ("failed", "unit-failed")
    assert "nobody wrote this" in project.units["test_second"].detail


def proof(grade: str, record: str) -> str:
    """A module with one theorem of that grade and record."""
    return (
        "import pytest\n"
        "@pytest.mark.clause('run.retry.a')\n"
        f"@pytest.mark.theorem({grade!r})\n"
        f"def test_holds(record_proof): {record}\n"
    )


@pytest.mark.parametrize(
    ("grade", "record", "outcome"),
    [
        pytest.param(
            "confirmed",
            "record_proof(claim='c', domain='d', mutants={'m1': True})",
            ("passed", ""),
            id="recorded",
        ),
        pytest.param("sampled", "record_proof(claim='c', domain='d')", ("passed", ""), id="sampled"),
        pytest.param(
            "confirmed",
            "record_proof(claim='c', domain='d')",
            ("failed", "mutants-unlisted"),
            id="no mutants",
        ),
        pytest.param("confirmed", "pass", ("failed", "theorem-unrecorded"), id="no record"),
        pytest.param(
            "exhaustive",
            "record_proof(claim='c', domain='d')",
            ("failed", "cases-uncounted"),
            id="a walk that counted nothing",
        ),
        pytest.param(
            "confirmed",
            "record_proof(claim='c', domain='d', reason='theorem-timeout')",
            ("undetermined", "theorem-timeout"),
            id="out of budget",
        ),
        pytest.param(
            "confirmed",
            "record_proof(claim='c', domain='d', mutants={'m1': True, 'm2': False})",
            ("failed", "mutant-survived"),
            id="a mutant lives",
        ),
        pytest.param(
            "confirmed",
            "record_proof(claim='c', domain='d', reason='cover-unreached'); assert False",
            ("failed", "cover-unreached"),
            id="says itself what it lacks",
        ),
    ],
)
def test_a_theorem_is_as_good_as_its_record(
    project: Project, grade: str, record: str, outcome: tuple[str, str]
) -> None:
    project.write("tests/test_it.py", proof(grade, record))

    told = project.run().stdout.str()

    assert project.outcomes == {"test_holds": outcome}
    assert (f"theorem {outcome[0]}: tests/test_it.py::test_holds  {outcome[1]}" in told) == bool(outcome[1])


def test_the_record_of_a_proof_is_kept(project: Project) -> None:
    facts = "claim='c', domain='d', cases=4680, versions={'crosshair': '0.0.113'}, mutants={'m1': True}"
    project.write("tests/test_it.py", proof("exhaustive", f"record_proof({facts})"))

    project.run()

    unit = project.units["test_holds"]
    assert (unit.kind, unit.grade) == ("theorem", "exhaustive")
    assert unit.proof == Proof(
        claim="c", domain="d", cases=4680, versions={"crosshair": "0.0.113"}, mutants={"m1": True}
    )


def test_an_unknown_grade_stops_the_run(project: Project) -> None:
    project.write("tests/test_it.py", proof("certain", "pass"))

    result = project.run()

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*theorem('certain') is none of confirmed, exhaustive, sampled"])


def test_a_run_knows_its_commit_and_whether_it_is_more_than_that(project: Project) -> None:
    git = ("git", "-c", "user.name=n", "-c", "user.email=e@e")
    project.write(".gitignore", "build/\n__pycache__/\n*.ini\n")
    project.write("tests/test_it.py", FLIPPING)
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first")):
        project.pytester.run(*git, *command)

    project.run()
    clean = project.session
    project.write("tests/test_more.py", FLIPPING)
    project.run()

    assert (len(clean.commit), clean.dirty) == (40, False)
    assert (project.session.commit, project.session.dirty) == (clean.commit, True)
