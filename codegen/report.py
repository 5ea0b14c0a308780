"""The findings of a run, for a person, a program, a code-scanning service and a pull request."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from codegen.findings import HINTS, Finding
from codegen.model import Contract


@dataclass(frozen=True, slots=True)
class Count:
    """How much was read."""

    files: int
    operations: int
    clauses: int
    scenarios: int

    @classmethod
    def of(cls, contract: Contract) -> Count:
        """What a contract holds."""
        pages = contract.pages
        return cls(
            files=len(pages),
            operations=sum(len(page.operations) for page in pages),
            clauses=sum(len(page.clauses) for page in pages),
            scenarios=sum(len(page.scenarios) for page in pages),
        )

    def __str__(self) -> str:
        return ", ".join(f"{count} {what}" for what, count in asdict(self).items())


def text(findings: Sequence[Finding], count: Count) -> str:
    """A line and a hint for each finding, then what was read."""
    lines = [f"{f.path}:{f.line}:{f.column}: {f.code} {f.message}\n    {f.hint}" for f in findings]
    return "\n".join([*lines, _summary(findings, count)])


def as_json(findings: Sequence[Finding], count: Count) -> str:
    """One JSON document."""
    return json.dumps(
        {"findings": [_described(f) for f in findings], "read": asdict(count)}, ensure_ascii=False
    )


def github(findings: Sequence[Finding], count: Count) -> str:
    """An annotation for each finding, then what was read."""
    lines = [
        f"::error file={_escaped(f.path, ':,')},line={f.line},col={f.column},title={f.code}::"
        + _escaped(f"{f.message}\n{f.hint}")
        for f in findings
    ]
    return "\n".join([*lines, _summary(findings, count)])


def sarif(findings: Sequence[Finding], _count: Count) -> str:
    """A SARIF 2.1.0 log with one run."""
    codes = sorted({f.code for f in findings})
    rules = [
        {"id": code, "shortDescription": {"text": code}, "help": {"text": HINTS[code]}} for code in codes
    ]
    results = [
        {
            "ruleId": f.code,
            "ruleIndex": codes.index(f.code),
            "level": "error",
            "message": {"text": f"{f.message}. {f.hint}"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": f.path, "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": f.line, "startColumn": f.column},
                    }
                }
            ],
        }
        for f in findings
    ]
    run = {
        "tool": {"driver": {"name": "codegen", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return json.dumps({"version": "2.1.0", "$schema": _SARIF, "runs": [run]}, ensure_ascii=False)


_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
FORMATS: dict[str, Callable[[Sequence[Finding], Count], str]] = {
    "text": text,
    "json": as_json,
    "sarif": sarif,
    "github": github,
}


def _described(finding: Finding) -> dict[str, object]:
    return {**asdict(finding), "hint": finding.hint}


def _summary(findings: Sequence[Finding], count: Count) -> str:
    return f"{len(findings)} findings; read {count}" if findings else f"read {count}"


def _escaped(value: str, more: str = "") -> str:
    """A value as a workflow command takes it."""
    for character in "%\r\n" + more:
        value = value.replace(character, f"%{ord(character):02X}")
    return value
