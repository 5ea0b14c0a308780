"""What holds of the house as a whole."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from pytest_bdd.steps import step_function_context_registry

CONTRACT = Path(__file__).parent.parent / "generated" / "contract.json"
KINDS = ("given", "when", "then")


def test_no_step_of_a_scenario_has_two_definitions() -> None:
    """Of two that match, the one that was loaded later would be taken, and the other's fixtures with it, in silence."""
    clauses = json.loads(CONTRACT.read_text())["clauses"]
    scenarios = [scenario for clause in clauses for scenario in clause["scenarios"]]
    steps = sorted({(kind, text) for scenario in scenarios for kind in KINDS for text in scenario[kind]})
    defined = [
        each for each in step_function_context_registry.values() if each.step_func.__module__.startswith("tests.steps.")
    ]

    matches: dict[tuple[str, str], set[str]] = defaultdict(set)
    for kind, text in steps:
        for each in defined:
            if each.type in (kind, None) and each.parser.is_matching(text):
                matches[kind, text].add(f"{each.step_func.__module__}.{each.step_func.__qualname__}")

    assert len(matches) > 100, "the definitions are loaded"
    assert {step: sorted(found) for step, found in matches.items() if len(found) > 1} == {}
