"""The findings of a run: for a person, a program, a code-scanning service, a pull request."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from codegen.findings import HINTS, Finding
from codegen.model import Contract

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True, slots=True)
class Count:
    """How much was read."""

    files: int
    operations: int
    clauses: int
    scenarios: int

    @classmethod
    def of(cls, contract: Contract) -> Count:
        """How much the pages of a contract hold."""
        return cls(
            files=len(contract.pages),
            operations=sum(len(page.operations) for page in contract.pages),
            clauses=sum(len(page.clauses) for page in contract.pages),
            scenarios=sum(len(page.scenarios) for page in contract.pages),
        )

    def __str__(self) -> str:
        return ", ".join(_some(count, what) for what, count in asdict(self).items())


def text(findings: Sequence[Finding], count: Count) -> str:
    """A line and a hint for each finding, then what was read."""
    lines = [f"{f.path}:{f.line}:{f.column}: {f.code} {f.message}\n    {f.hint}" for f in findings]
    return "\n".join([*lines, _summary(findings, count)])


def as_json(findings: Sequence[Finding], count: Count) -> str:
    """One JSON document."""
    described = [{**asdict(finding), "hint": finding.hint} for finding in findings]
    return json.dumps({"findings": described, "read": asdict(count)}, ensure_ascii=False, indent=1)


def github(findings: Sequence[Finding], count: Count) -> str:
    """A workflow command for each finding, then what was read."""
    lines = [
        f"::error file={_escaped(f.path, ':,')},line={f.line},col={f.column},title={f.code}::"
        + _escaped(f"{f.message}\n{f.hint}")
        for f in findings
    ]
    return "\n".join([*lines, _summary(findings, count)])


def sarif(findings: Sequence[Finding], _count: Count) -> str:
    """A SARIF 2.1.0 log with one run."""
    codes = sorted({finding.code for finding in findings})
    driver = {
        "name": "codegen",
        "rules": [{"id": code, "help": {"text": HINTS[code]}} for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(finding, codes.index(finding.code)) for finding in findings],
    }
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1)


FORMS: dict[str, Callable[[Sequence[Finding], Count], str]] = {
    "text": text,
    "json": as_json,
    "github": github,
    "sarif": sarif,
}


def _sarif_result(finding: Finding, rule: int) -> dict[str, object]:
    from urllib.parse import quote  # the slowest import of this module, and of use here alone

    place = {
        "artifactLocation": {"uri": quote(finding.path)},
        "region": {"startLine": finding.line, "startColumn": finding.column},
    }
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": "error",
        "message": {"text": f"{finding.message}: {finding.hint}"},
        "locations": [{"physicalLocation": place}],
    }


def _summary(findings: Sequence[Finding], count: Count) -> str:
    return f"{_some(len(findings), 'findings')}; read {count}" if findings else f"read {count}"


def _some(count: int, what: str) -> str:
    return f"{count} {what.removesuffix('s') if count == 1 else what}"


def _escaped(value: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        value = value.replace(character, f"%{ord(character):02X}")
    return value
