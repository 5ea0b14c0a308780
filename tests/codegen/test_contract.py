"""What must hold between lines and pages: each breach is one finding, at the mark."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.findings import HINTS
from codegen.load import load
from tests.codegen.corpus import PAGE, edited, findings, marked, placed, project

FRONT = "---\ncontract: run\nowns: retry\n---\n"
SEED = "- `seed` — Chance has a seed and no say in {{schedule}}.\n"
SCENARIOS = "#### Scenarios\n"
SEED_SCENARIO = "- `run.retry.seed`: WHEN it fails twice, THEN it waits the same, AND the seed is 7\n"
REFUSAL = "| StepFailed | schedule | label: str | Config | 409 | 1 | Step {label} failed. |\n"
LIMIT = "| delay-max | schedule | 30 | s |\n"
VALUE = "| FailureTag | seed | Config | it will not | no |\n"
FIELD = "| Failure | seed | tag | FailureTag | always | its class |\n"

CASES = {
    # front matter and sections
    "no front matter": (FRONT, "¦", "front-matter"),
    "front matter with a list": ("owns: retry\n", "¦owns: [retry]\n", "front-matter"),
    "front matter with more": ("owns: retry\n", "owns: retry\n¦title: x\n", "front-matter"),
    "no title": ("# Retry\n\nWhat it is for.\n\n## retry", "¦## retry", "title"),
    "an operation twice": (
        "unsettled:",
        "## ¦retry\n\nNothing.\n\n- `¦a` — A.\n\nunsettled:",
        "duplicate no-scenario",
    ),
    "a sub-heading twice": (SCENARIOS, "### a\n\nA.\n\n### ¦a\n\nB.\n\n" + SCENARIOS, "duplicate"),
    "an operation that has no section": ("owns: retry\n", "owns: retry, ¦wake\n", "operation"),
    "an operation not owned, without a clause": (
        "unsettled:",
        "## ¦¦wake\n\nNothing.\n\nunsettled:",
        "empty-operation operation",
    ),
    "no lede": ("## retry\n\nWhat it does.\n", "## ¦retry\n", "lede"),
    "no lede under a sub-heading": (SCENARIOS, "### ¦part\n\n" + SCENARIOS, "lede"),
    "Shapes before an operation": ("## retry\n", "¦## Shapes\n\n## retry\n", "misplaced"),
    # clauses
    "an id twice": (SEED, "- `seed` — Another.\n- `¦seed` — Chance.\n", "duplicate"),
    "a statement twice": (
        SEED,
        "- `¦more` — Chance has a seed  and no say in {{schedule}}.\n" + SEED.replace("— ", "— ¦"),
        "no-scenario same-statement",
    ),
    "a clause without a scenario": (SEED, f"- `¦more` — More.\n{SEED}", "no-scenario"),
    "an unknown principle": ("  *P6*\n", "  *P6, ¦P7*\n", "principle"),
    # links
    "a dangling link": ("{{schedule}}", "{{¦shedule}}", "dangling-link"),
    "a dangling link in full": ("{{schedule}}", "{{¦run.wake.schedule}}", "dangling-link"),
    "a dangling link in prose": ("What it is for.\n", "What {{¦it}} is for.\n", "dangling-link"),
    "an unsettled line about nothing": ("affects: run.retry", "affects: ¦run.wake", "dangling-link"),
    # scenarios
    "a scenario of another operation": (
        SEED_SCENARIO,
        SEED_SCENARIO + "- `¦run.wake.seed`: WHEN a, THEN b\n",
        "scenario-clause",
    ),
    "a scenario of no clause": (
        SEED_SCENARIO,
        SEED_SCENARIO + "- `¦run.retry.x`: WHEN a, THEN b\n",
        "scenario-clause",
    ),
    "a scenario twice": (SEED_SCENARIO, SEED_SCENARIO + SEED_SCENARIO.replace("- `", "- `¦"), "duplicate"),
    # names in statements
    "a name in no table": ("Chance has", "`¦Chanse` has", "dangling-name"),
    "a name in no table, in a scenario": (
        "THEN it waits 30 s",
        "THEN `¦StepFaild` is raised",
        "dangling-name",
    ),
    "a refusal of another clause": ("Chance has", "`¦StepFailed` has", "foreign-refusal"),
    # refusals
    "a refusal that its clause does not name": (
        REFUSAL,
        REFUSAL + "| ¦Other | seed | — | — | — | 1 | No. |\n",
        "unnamed-refusal",
    ),
    "a refusal twice": (REFUSAL, REFUSAL + "| ¦StepFailed | schedule | — | — | — | 1 | No. |\n", "duplicate"),
    "a refusal of no clause": ("| StepFailed | schedule |", "| StepFailed | ¦shedule |", "owner"),
    "a refusal without a colon in a field": ("| label: str |", "| ¦label str |", "cell"),
    "a field of no type": ("label: str", "label: ¦Label", "unknown-type"),
    "a field inside a list of no type": ("label: str", "label: list<¦Label>", "unknown-type"),
    "a field that Python has": ("label: str", "label: str, ¦class: str", "field"),
    "a field that the base has": ("label: str", "label: str, ¦clause: str", "field"),
    "a tag beside a tag": ("label: str", "label: str, ¦tag: FailureTag", "field"),
    "a field twice": ("label: str", "label: str, ¦label: int", "duplicate"),
    "a placeholder that is no field": ("Step {label}", "Step ¦{lable}", "placeholder"),
    "a brace that is no placeholder": ("Step {label}", "Step ¦{ {label}", "placeholder"),
    "an unknown tag": ("| Config | 409", "| ¦Confg | 409", "tag"),
    "a status that is none": ("| 409 |", "| ¦4090 |", "cell"),
    "a blank cell": ("| 409 |", "|¦  |", "cell"),
    "no exit code": ("| 409 | 1 |", "| 409 | ¦— |", "cell"),
    # limits
    "a number that disagrees": (LIMIT, "| delay-max | schedule | ¦31 | s |\n", "limit-statement"),
    "a unit that disagrees": (LIMIT, "| delay-max | schedule | ¦30 | ms |\n", "limit-statement"),
    "an unknown unit": (LIMIT, "| delay-max | schedule | 30 | ¦sec |\n", "cell"),
    "a limit twice": (LIMIT, LIMIT + LIMIT.replace("| d", "| ¦d"), "duplicate"),
    "limits with one constant": (LIMIT, LIMIT + "| ¦delay-max-ms | schedule | 30 | s |\n", "python-name"),
    # enumerations
    "a value twice": (VALUE, VALUE + "| FailureTag | seed | ¦Config | again | no |\n", "duplicate"),
    "values with one name": (VALUE, VALUE + "| FailureTag | seed | ¦config | again | no |\n", "python-name"),
    "a value without a name": (VALUE, VALUE + "| FailureTag | seed | ¦? | again | no |\n", "python-name"),
    "a flag that is no yes or no": ("| no |", "| ¦No |", "cell"),
    "a flag of some values only": ("| it may pass | yes |", "| it may pass | ¦— |", "flag"),
    "a flag that a string has": ("meaning | retryable |", "meaning | ¦title |", "python-name"),
    "rows of two clauses": (VALUE, VALUE + "| FailureTag | ¦schedule | X | again | no |\n", "owner"),
    # records
    "a record's unknown type": (FIELD, FIELD.replace("FailureTag", "list<¦FailTag>"), "unknown-type"),
    "a record's broken type": (FIELD, FIELD.replace("FailureTag", "¦list<FailureTag"), "unknown-type"),
    "a presence that the type cannot have": ("| int? |", "| ¦int |", "presence"),
    "an unknown presence": ("omit-if-none", "¦omit-if-nil", "cell"),
    "a field that hides a type": (FIELD, FIELD + "| Failure | seed | ¦int | str | always | x |\n", "field"),
    "a shape that Python has": (VALUE, VALUE + "| ¦Mapping | seed | a | a | — |\n", "python-name"),
    "a record in two places": (
        "| Failure | seed | after",
        "| Other | seed | a | str | always | x |\n| ¦Failure | seed | after",
        "duplicate",
    ),
    "other columns": ("| limit | clause | value | unit |", "| ¦limit | owner | value | unit |", "table"),
    "headings in another order": ("| the wait |\n", "| the wait |\n\n### ¦Limits\n", "heading"),
}


@pytest.mark.parametrize(("old", "new", "code"), CASES.values(), ids=CASES)
def test_what_does_not_hold(old: str, new: str, code: str, tmp_path: Path) -> None:
    page, places = marked(edited(old, new))

    found = findings(tmp_path, retry=page)

    assert [finding.code for finding in found] == code.split()
    assert placed(found) == places


def test_a_page_stands_in_the_folder_of_its_contract(tmp_path: Path) -> None:
    found = findings(tmp_path, wake=PAGE)

    assert [(finding.code, finding.message) for finding in found] == [
        ("page-path", "the page is not spec/run/retry.md")
    ]


def test_an_operation_is_owned_by_one_page(tmp_path: Path) -> None:
    other = "---\ncontract: run\nowns: wake, retry\n---\n# Wake\n\n## wake\n\nIt wakes.\n\n- `at` — At ten.\n\n"
    other += "#### Scenarios\n\n- `run.wake.at`: WHEN a, THEN b\n\n## retry\n\nAgain.\n\n- `late` — Late.\n\n"
    other += "#### Scenarios\n\n- `run.retry.late`: WHEN a, THEN b\n"

    found = findings(tmp_path, retry=PAGE, wake=other)

    assert [(finding.path, finding.code, finding.message) for finding in found] == [
        ("spec/run/wake.md", "operation-owned-twice", "the same owned operation as at spec/run/retry.md:3"),
        ("spec/run/wake.md", "duplicate", "the same section as at spec/run/retry.md:9"),
    ]


def test_a_link_that_two_clauses_answer_names_both(tmp_path: Path) -> None:
    wake = PAGE.replace("retry", "wake").replace("StepFailed", "WakeFailed").split("## Shapes")[0]
    wake = wake.replace(", and `WakeFailed` ends it", "").replace("{{schedule}}", "{{run.wake.schedule}}")

    found = findings(tmp_path, retry=PAGE, wake=wake)

    assert [(finding.path, finding.code, finding.message) for finding in found] == [
        ("spec/run/retry.md", "ambiguous-link", "schedule may be run.retry.schedule or run.wake.schedule")
    ]


def test_names_that_make_one_file_are_told_apart(tmp_path: Path) -> None:
    page = "---\ncontract: {}\nowns: {}\n---\n# A\n\n## {}\n\nLede.\n\n- `x` — {}.\n\n#### Scenarios\n\n"
    page += "- `{}.{}.x`: WHEN a, THEN b\n"
    root = project(tmp_path)
    for contract, operation in (("run-a", "b"), ("run", "a-b")):
        (root / "spec" / contract).mkdir(exist_ok=True)
        text = page.format(contract, operation, operation, f"{contract} {operation}", contract, operation)
        (root / "spec" / contract / f"{operation}.md").write_text(text, encoding="utf-8")

    found = load(root)[1]

    assert [(finding.path, finding.code) for finding in found] == [("spec/run/a-b.md", "python-name")]


def test_no_clause_at_all_is_a_finding(tmp_path: Path) -> None:
    assert [finding.code for finding in findings(tmp_path)] == ["no-clauses"]


def test_every_code_has_a_hint_and_a_test() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parents[1].glob("*/test_*.py"))

    assert [code for code in HINTS if f'"{code}' not in tests and f' {code}"' not in tests] == []
