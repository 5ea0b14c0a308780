"""What a proof is worth as evidence: as much as its record."""

import pytest

from tests.tools.running import Project
from tools.units import Proof


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
