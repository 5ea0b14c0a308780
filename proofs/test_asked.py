"""Each clause whose page asks for a theorem has one."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
NOT_BUILT = {"run.callback-guard.class", "run.callback-guard.window"}  # the pages of what no code decides yet


def test_each_clause_that_asks_for_a_theorem_is_cited_by_one() -> None:
    clauses = json.loads((HERE.parent / "generated" / "contract.json").read_text(encoding="utf-8"))["clauses"]
    asking = {clause["id"] for clause in clauses if clause["evidence"]["theorem"]}

    assert asking - {text for test in theorems() for text in texts(test)} == NOT_BUILT


def theorems() -> Iterator[ast.FunctionDef]:
    """Every proof whose grade counts as a theorem."""
    for path in sorted(HERE.rglob("test_*.py")):
        for each in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(each, ast.FunctionDef) and any(map(counts, each.decorator_list)):
                yield each


def counts(decorator: ast.expr) -> bool:
    """Whether it is `theorem(...)`, which confirms, or the mark of an exhaustive walk."""
    return ast.unparse(decorator).startswith(("theorem(", "pytest.mark.theorem('exhaustive')"))


def texts(test: ast.FunctionDef) -> Iterator[str]:
    """What its decorators say, the ids of its clauses among that."""
    for decorator in test.decorator_list:
        yield from (str(each.value) for each in ast.walk(decorator) if isinstance(each, ast.Constant))
