"""Everything that is known to go wrong on a page, on one page, found in one pass."""

from __future__ import annotations

from pathlib import Path

from tests.codegen.corpus import findings, marked, placed

PAGE = """\
¦---¦
contract: run
owns: retry
---
# Retry

A line with¦\ta tab, and one with¦\u2028a separator of lines.

¦1. a numbered list

````text
```
- `inside` — Four ticks are around three, and this is no clause.
```
````

## retry

What it does.

- `schedule` — No delay is above 30 s, and `StepFailed` ends it.
- `seed` — Chance has a seed and no say in {{¦shedule}} or {{run.retry.schedule}}.
¦  wrapped onto another line
- `¦seed` — Chance has a seed.
- `said` — A fact.
- `said-again` — ¦A fact.
- `undeclared` — It is refused with `¦StepFaild`.
- `foreign` — It is refused with `¦StepFailed` too.
¦  - `nested` — A list in a list.

### part

It has a part.

### ¦part

It has another.

¦##### Deep

#### Scenarios

- `run.retry.schedule`: WHEN it fails, THEN it waits 30 s
- `run.retry.seed`: WHEN it fails, THEN it waits
- `¦run.retry.seed`: WHEN it fails, THEN it waits
- `run.retry.said`: WHEN a, THEN b
- `run.retry.said-again`: WHEN a, THEN b
- `run.retry.undeclared`: WHEN a, THEN b
- `run.retry.foreign`: WHEN a, THEN b
- `¦run.wake.seed`: WHEN a, THEN b

## ¦¦wake

It is empty.

## Shapes

### Refusals

| refusal | clause | fields | tag | http | exit | sentence |
| --- | --- | --- | --- | --- | --- | --- |
| StepFailed | schedule | — | — | — | 1 | It failed. |

### Limits

| limit | clause | value | unit |
| --- | --- | --- | --- |
| delay-max | schedule | ¦31 | s |

¦### Others

The last line has no end.¦"""
CODES = """
byte-order-mark line-end tab control-character list dangling-link indented duplicate same-statement dangling-name
foreign-refusal clause duplicate heading duplicate scenario-clause empty-operation operation limit-statement misplaced
last-newline
"""


def test_each_trap_is_found_where_it_is_in_one_pass(tmp_path: Path) -> None:
    page, places = marked(PAGE)

    found = findings(tmp_path, retry=b"\xef\xbb\xbf" + page.replace("\n", "\r\n").encode())

    assert [finding.code for finding in found] == CODES.split()
    assert placed(found) == places
