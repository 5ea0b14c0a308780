"""What the tests of codegen read: a small project, and a page to break in one place at a time."""

from __future__ import annotations

import shutil
from pathlib import Path

from codegen.findings import Finding
from codegen.load import load

SAMPLE = Path(__file__).with_name("pages")
MARK = "¦"

PRINCIPLES = "# Principles\n\n## P6 — Retries go where a retry may cure\n"
PAGE = """\
---
contract: run
owns: retry
---
# Retry

What it is for.

## retry

What it does.

- `schedule` [test:2 theorem:1] — No delay is above 30 s, and `StepFailed` ends it.
  *because a vendor asks for it*
- `seed` — Chance has a seed and no say in {{schedule}}.
  *P6*

#### Scenarios

- `run.retry.schedule`: GIVEN a step, AND a schedule, WHEN it fails, THEN it waits 30 s
- `run.retry.seed`: WHEN it fails twice, THEN it waits the same, AND the seed is 7

unsettled: Is a seed ours? owner: run-path affects: run.retry

## Shapes

### Refusals

| refusal | clause | fields | tag | http | exit | sentence |
| --- | --- | --- | --- | --- | --- | --- |
| StepFailed | schedule | label: str | Config | 409 | 1 | Step {label} failed. |

### Limits

| limit | clause | value | unit |
| --- | --- | --- | --- |
| delay-max | schedule | 30 | s |

### Enumerations

| enumeration | clause | value | meaning | retryable |
| --- | --- | --- | --- | --- |
| FailureTag | seed | Transient | it may pass | yes |
| FailureTag | seed | Config | it will not | no |

### Records

| record | clause | field | type | presence | meaning |
| --- | --- | --- | --- | --- | --- |
| Failure | seed | tag | FailureTag | always | its class |
| Failure | seed | after | int? | omit-if-none | the wait |
"""


def sample(folder: Path) -> Path:
    """A copy of the sample project."""
    return Path(shutil.copytree(SAMPLE, folder / "project"))


def project(folder: Path, **pages: str | bytes) -> Path:
    """A project with these pages of `spec/run/`, by operation."""
    (folder / "spec" / "run").mkdir(parents=True)
    (folder / "spec" / "principles.md").write_text(PRINCIPLES, encoding="utf-8")
    for operation, page in pages.items():
        raw = page if isinstance(page, bytes) else page.encode("utf-8")
        (folder / "spec" / "run" / f"{operation}.md").write_bytes(raw)
    return folder


def findings(folder: Path, **pages: str | bytes) -> list[Finding]:
    """What is found in a project with these pages."""
    return load(project(folder, **pages))[1]


def edited(old: str, new: str) -> str:
    """The page with one piece replaced; the piece stands in it once."""
    assert PAGE.count(old) == 1, old
    return PAGE.replace(old, new)


def marked(page: str) -> tuple[str, list[str]]:
    """A page without its marks, and the places that they marked."""
    places = []
    for number, line in enumerate(page.split("\n"), 1):
        parts = line.split(MARK)
        places += [f"{number}:{len(''.join(parts[:count])) + 1}" for count in range(1, len(parts))]
    return page.replace(MARK, ""), places


def placed(found: list[Finding]) -> list[str]:
    """Where the findings are."""
    return [f"{finding.line}:{finding.column}" for finding in found]
