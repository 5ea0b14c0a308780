"""tools/coverage: every surface shows the same verdict on the same clause."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tools import contract, coverage, lines, snapshot, units
from tools.command import ROOT, Trouble
from tools.snapshot import Line

Print = Callable[..., str]


@pytest.fixture
def show(root: Path, capsys: pytest.CaptureFixture[str]) -> Print:
    """Prints one surface of the project's report."""

    def show(*arguments: str) -> str:
        assert coverage.main(arguments, root) == 0
        return capsys.readouterr().out

    return show


def of_text(told: str) -> dict[str, str]:
    return {id: state for state, id in re.findall(r"^  (\S+) +(run\.\S+)", told, re.MULTILINE)}


def of_json(told: str) -> dict[str, str]:
    return {clause["id"]: clause["verdict"] for clause in json.loads(told)["clauses"]}


def of_html(told: str) -> dict[str, str]:
    return dict(re.findall(r'id="([^"]+)" data-state="([^"]+)"', told))


def of_github(told: str) -> dict[str, str]:
    return dict(re.findall(r"title=(\S+) (\S+?)::", told))


def of_sarif(told: str) -> dict[str, str]:
    results = json.loads(told)["runs"][0]["results"]
    return {result["partialFingerprints"]["clause"]: result["ruleId"] for result in results}


@pytest.mark.parametrize(
    ("surface", "read"),
    [("--text", of_text), ("--json", of_json), ("--html", of_html)],
)
def test_every_clause_has_its_verdict(
    show: Print, states: dict[str, str], surface: str, read: Callable[[str], dict[str, str]]
) -> None:
    assert read(show(surface)) == states


@pytest.mark.parametrize(("surface", "read"), [("--github", of_github), ("--sarif", of_sarif)])
def test_every_clause_that_is_not_met_has_its_verdict(
    show: Print, states: dict[str, str], surface: str, read: Callable[[str], dict[str, str]]
) -> None:
    assert read(show(surface)) == {id: state for id, state in states.items() if state != "met"}


def test_lcov_hits_the_lines_of_met_clauses(show: Print, states: dict[str, str]) -> None:
    told = show("--lcov")

    hit = {int(line): int(count) > 0 for line, count in re.findall(r"DA:(\d+),(\d+)", told)}
    assert hit == {line: state == "met" for line, state in enumerate(states.values(), 10)}
    assert "\nSF:spec/run/retry.md\n" in told
    assert "\nLF:8\nLH:1\n" in told


def test_the_total_is_the_same_everywhere(show: Print) -> None:
    total = "1 of 8 clauses met (12%): 1 invalid, 1 failed, 1 stale, 1 undetermined, 1 partial, 1 not-run, 1 open"

    assert show().rpartition("\n\n")[2].startswith(total)
    assert show("--github").endswith(f"{total}\n")
    assert "<h1>1 of 8 clauses met (12%)</h1>" in show("--html")
    assert ElementTree.fromstring(show("--badge"))[0].text == "contract: 1 of 8 met"


def test_what_is_not_met_stands_first(show: Print) -> None:
    told = show()

    cancel = told[told.index("run.cancel  1 of 3 met") :]
    assert [line.split()[0] for line in cancel.split("\n")[1:4]] == ["not-run", "open", "met"]


BRIEF = """\
run.retry     0 of   5 met  1 invalid, 1 failed, 1 stale, 1 undetermined, 1 partial
run.cancel    1 of   3 met  1 not-run, 1 open

run.cancel.late  was met, is not-run: unit-deselected  generated/tests/test_run_cancel_late.py::test_s1
since the snapshot: 1 fell, 1 rose, 1 changed, 5 new, 1 gone
1 of 8 clauses met (12%): """


def test_brief_has_a_line_an_operation_and_names_what_fell(root: Path, show: Print) -> None:
    lines = [("run.cancel.late", "met"), ("run.cancel.soon", "partial"), ("run.retry.one-layer", "open")]
    snapshot.write(root, [Line(id, "aaaaaaaa", verdict) for id, verdict in [*lines, ("run.gone.a", "open")]])

    assert show("--brief").startswith(BRIEF)


def test_annotations_stand_at_the_page_s_line_and_are_escaped(show: Print) -> None:
    first = show("--github").split("\n")[0]

    place, _, message = first.rpartition("::")
    assert place == "::error file=spec/run/retry.md,line=10,title=run.retry.never-linked invalid"
    assert message == "link-dangling  run.gone.a"


def test_the_page_shows_the_lines_that_a_clause_s_tests_ran(show: Print) -> None:
    assert "<h3>lines run</h3><ul><li><code>engine/contextful/run/retry.py 1-2,4</code></li></ul>" in show("--html")


def test_the_page_escapes_what_it_quotes_and_fetches_nothing(show: Print) -> None:
    told = show("--html")

    assert "<code>run.cancel.soon</code> clause says a &lt; b &amp; c." in told
    assert "GIVEN &lt;a&gt; &amp; b" in told
    assert "http" not in told
    assert "src=" not in told


def test_a_cite_of_no_clause_is_named_and_fails(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine = root / "engine/contextful/run/retry.py"
    engine.write_text("x = 1  #= run.retry.gone\n")

    assert coverage.main(["--badge"], root) == 1
    assert capsys.readouterr().err == ("engine/contextful/run/retry.py:1 cites run.retry.gone, which is no clause\n")


def test_the_json_is_as_its_schema_says(show: Print) -> None:
    schema = json.loads((ROOT / "tools/coverage.schema.json").read_text())

    assert list(faults(json.loads(show("--json")), schema, schema, "$")) == []
    assert list(faults({"version": 2}, schema, schema, "$")) != []


TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def faults(value: Any, schema: dict[str, Any], whole: dict[str, Any], at: str) -> Iterator[str]:
    """Where a value is not as a schema says, for as much of JSON Schema as ours uses."""
    if "$ref" in schema:
        yield from faults(value, whole["$defs"][schema["$ref"].rpartition("/")[2]], whole, at)
    if "anyOf" in schema and all(list(faults(value, each, whole, at)) for each in schema["anyOf"]):
        yield f"{at}: none of anyOf"
    if value not in schema.get("enum", [value]) or value != schema.get("const", value):
        yield f"{at}: {value!r}"
    if "type" in schema and not isinstance(value, TYPES[schema["type"]]):
        yield f"{at}: no {schema['type']}"
    elif value < schema["minimum"] if "minimum" in schema else False:
        yield f"{at}: under {schema['minimum']}"
    if isinstance(value, list):
        for number, each in enumerate(value):
            yield from faults(each, schema.get("items", {}), whole, f"{at}[{number}]")
    if isinstance(value, dict):
        yield from (f"{at}: no {name}" for name in schema.get("required", ()) if name not in value)
        for name, each in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            if inner is False:
                yield f"{at}: {name} is unknown"
            else:
                yield from faults(each, inner, whole, f"{at}.{name}")


JUNIT = """\
<testsuites><testsuite name="pytest" timestamp="2026-01-02T03:04:05+00:00">
<testcase classname="x" name="test_more[1]" time="0.1"><properties>
  <property name="unit" value="tests/elsewhere.py::test_more"/>
  <property name="clause" value="run.retry.retry-after"/>
</properties></testcase>
<testcase classname="x" name="test_no_evidence" time="0.1"><failure message="no"/></testcase>
<testcase classname="x" name="test_wet" time="0.1"><properties>
  <property name="unit" value="tests/elsewhere.py::test_wet"/>
  <property name="clause" value="run.cancel.soon"/>
</properties><failure message="assert wet">trace</failure></testcase>
</testsuite></testsuites>
"""


def test_a_junit_file_adds_its_evidence(show: Print, tmp_path: Path) -> None:
    (tmp_path / "junit.xml").write_text(JUNIT)

    found = of_json(show("--json", "--junit", str(tmp_path / "junit.xml")))

    assert (found["run.retry.retry-after"], found["run.cancel.soon"]) == ("met", "failed")


@pytest.mark.parametrize("text", [None, "<testsuite>"], ids=["not there", "cut short"])
def test_a_junit_file_that_cannot_be_read_is_a_sentence(show: Print, tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "junit.xml").write_text(text)

    with pytest.raises(Trouble, match=r"junit\.xml (is no JUnit file|cannot be opened)"):
        show("--junit", str(tmp_path / "junit.xml"))


@pytest.mark.parametrize(
    ("file", "content"),
    [
        (units.WHERE, b"\xff"),
        (units.WHERE, b"[]"),
        (units.WHERE, b'{"version": 1, "whole": null, "since": null, "units": [5], "since_units": []}'),
        (units.WHERE, b"[" * 100_000),
        (snapshot.WHERE, b"\xff\x00"),
        (snapshot.WHERE, b"run.cancel.soon aaaaaaaa\n"),
        (lines.WHERE, b"\xff"),
        (lines.WHERE, b'{"tests/test_it.py::test_soon": 5}\n'),
        (contract.WHERE, b"[]"),
        (contract.WHERE, b'{"clauses": [5]}'),
    ],
)
def test_what_is_damaged_is_named_with_its_remedy(root: Path, file: Path, content: bytes) -> None:
    (root / file).write_bytes(content)

    with pytest.raises(Trouble, match=rf"{file}.*(make test|git checkout|tools/spec generate)") as refused:
        coverage.main(["--html"], root)

    assert refused.value.code == 2


def test_without_a_run_nothing_is_counted(root: Path, show: Print) -> None:
    (root / units.WHERE).unlink()

    *_, since, total = show("--brief").splitlines()

    assert since == "since the snapshot: nobody knows, for there has been no whole run: run `make test`"
    assert total == "8 clauses · no run has left evidence: run `make test`"


def test_brief_names_no_more_than_one_reads(root: Path, show: Print) -> None:
    snapshot.write(root, [Line(f"run.gone.c{number}", "aaaaaaaa", "met") for number in range(25)])

    told = show("--brief").splitlines()

    assert sum("was met" in line for line in told) == 20
    assert "and 5 more; `tools/coverage --floor` names them all" in told
