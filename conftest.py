"""Loads what every run of the tests needs: the plugin that makes evidence of it, servers, the scenarios' steps.

Only the conftest at the root may name plugins, and only what is loaded here is seen by the scenarios under
`generated/` and the suites under `tests/` alike. Steps may import one another: they are rewritten whenever they load.
"""

from pathlib import Path

import pytest

STEPS = Path(__file__).parent / "tests" / "steps"

pytest.register_assert_rewrite("tests.steps")
pytest_plugins = [
    "tools.evidence",
    "pytester",
    "contextful.testing.postgres",
    "contextful.testing.seaweed",
    "contextful.testing.workerd",
    *(f"tests.steps.{path.stem}" for path in sorted(STEPS.glob("[!_]*.py"))),
]
